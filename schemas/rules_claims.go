package schemas

import (
	"slices"
	"strconv"
	"strings"
)

func (c *checker) claims() {
	list := c.p.Claims
	ids, paths := make([]string, len(list)), make([]string, len(list))
	standing := map[string]string{}
	for i := range list {
		path := index("claims", i)
		claim := &list[i]
		ids[i], paths[i] = claim.ID, path+".id"
		c.require(path+".id", claim.ID, "the verdict is filed under it", "add id: C"+strconv.Itoa(i+1))
		c.require(path+".kind", claim.Kind, "it says what is claimed", "add kind: bias.bound, say")
		c.word(path+".kind", claim.Kind, claimWords())
		c.word(path+".severity", claim.Severity, severityWords())
		if c.sound(path + ".kind") {
			c.claim(path, claim)
			c.once(path+".kind", claim.Kind, standing)
		}
	}
	c.unique(ids, paths, "ids of claims")
}

// once reports a second claim of a kind that can be claimed in one way only.
func (c *checker) once(path, kind string, standing map[string]string) {
	if kind == KindBiasBound || kind == KindHypothesis {
		return
	}
	if first, ok := standing[kind]; ok {
		c.fail(path, "is "+shown(kind)+" again", "it is claimed in "+first+", and two verdicts on it would be the same", "keep one of them")
		return
	}
	standing[kind] = path
}

// claimKeys lists the keys that go with a kind of claim, besides id, kind and
// severity.
func claimKeys(kind string) []string {
	switch kind {
	case KindBiasBound:
		return []string{"comparator", "threshold", "arms"}
	case KindHypothesis:
		return []string{"test", "finding"}
	default:
		return nil
	}
}

func (c *checker) claim(path string, claim *Claim) {
	keys := claimKeys(claim.Kind)
	for _, key := range []string{"comparator", "threshold", "arms", "test", "finding"} {
		if !slices.Contains(keys, key) {
			c.surplus(path+"."+key, "a claim of kind "+claim.Kind+" has no "+key, "delete the key")
		}
	}
	switch claim.Kind {
	case KindBiasBound:
		c.biasBound(path, claim)
	case KindHypothesis:
		c.hypothesis(path, claim)
	case KindPrivacyTotal, KindPrivacyLower:
		c.needs(path, c.p.Privacy != nil || c.d.Given("privacy"), "no privacy is declared", "declare privacy: {epsilon: NUMBER}")
	case KindPrivacyNoise:
		c.needs(path, c.p.Log.ReleasedByArm != "" || !c.sound("log"), "no released values are logged, and noise is found in nothing else", "name the column in log.released_by_arm")
		c.needs(path, c.p.Counter != nil && c.noisy(c.p.Counter.Name) || !c.sound("counter"), "no counter that adds noise is declared", "declare the counter that released the values")
	case KindConformance:
		c.needs(path, c.p.Policy != nil || c.d.Given("policy"), "no policy is declared", "declare policy")
	case KindAllocation:
		c.needs(path, c.p.Log.Propensity != "" || c.p.Log.PropensityByArm != "" || !c.sound("log"), "no propensity is logged", "name the column in log.propensity")
	}
}

// needs reports a claim about something that is not declared.
func (c *checker) needs(path string, met bool, why, mend string) {
	if !met {
		c.fail(path+".kind", "claims something that is not declared", why, mend+", or delete the claim")
	}
}

func (c *checker) biasBound(path string, claim *Claim) {
	if claim.Comparator == "" {
		c.require(path+".comparator", "", "the claim is that the bound is at most the threshold", `add comparator: "<="`)
	}
	if claim.Comparator != "" && claim.Comparator != comparatorAtMost {
		c.fail(path+".comparator", "is "+shown(claim.Comparator), "an upper bound can only be shown to be at most something", `write "<="`)
	}
	switch {
	case claim.Threshold.IsZero():
		c.missing(path+".threshold", "the bound is compared with it", "add threshold: NUMBER, in the units of the reward")
	case claim.Threshold.Inf() || claim.Threshold.Rat().Sign() < 0:
		c.fail(path+".threshold", "is "+claim.Threshold.String(), "a bound on a bias is finite and not negative", "write a number of at least 0, in the units of the reward")
	}
	if slices.Contains(claim.Arms, ArmsAll) {
		if len(claim.Arms) > 1 {
			c.fail(path+".arms", "names all and others", "all includes them", "write arms: all")
		}
		return
	}
	for i, label := range claim.Arms {
		c.label(index(path+".arms", i), label)
	}
	c.distinct(path+".arms", claim.Arms)
}

func (c *checker) hypothesis(path string, claim *Claim) {
	c.require(path+".finding", claim.Finding, "the claim is about what the test found", "add finding: rejected")
	c.word(path+".finding", claim.Finding, []string{DecisionRejected})
	ids := make([]string, len(c.p.Analysis.Tests))
	whole := "" // the declared test of which the claim names one arm's
	for i := range ids {
		ids[i] = c.p.Analysis.Tests[i].ID
		if ids[i] != "" && strings.HasPrefix(claim.Test, ids[i]+"/") {
			whole = ids[i]
		}
	}
	switch {
	case claim.Test == "":
		c.require(path+".test", "", "the claim is about a declared test", "add test: ID")
	case slices.Contains(ids, claim.Test) || !c.sound("analysis.tests"):
	case len(ids) == 0:
		c.fail(path+".test", "is "+shown(claim.Test), "no test is declared", "declare it under analysis.tests")
	case whole != "":
		c.fail(path+".test", "is "+shown(claim.Test), "a claim names a test by its declared id, and holds only if the test is rejected for every arm that it covers",
			"write "+shown(whole)+", or declare a test of that arm alone, with an id of its own")
	default:
		c.fail(path+".test", "is "+shown(claim.Test), "no test has that id"+among(claim.Test, ids, shown), "write the id of a declared test")
	}
}
