package schemas

import (
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas/near"
	"banditaudit/schemas/param"
)

// claimRules judges the declared claims.
type claimRules struct{ *checker }

func (c *claimRules) claims() {
	list := c.p.Claims
	ids, paths := make([]string, len(list)), make([]string, len(list))
	standing := map[string]string{}
	for i := range list {
		path := index("claims", i)
		claim := &list[i]
		ids[i], paths[i] = claim.ID, path+".id"
		c.require(path+".id", claim.ID, "the verdict is filed under it", "add id: C"+strconv.Itoa(i+1))
		c.require(path+".kind", claim.Kind, "it says what is claimed", "add kind: bias.bound, say")
		c.word(path+".kind", claim.Kind, c.catalogue.ClaimKinds())
		c.closed(path+".severity", claim.Severity)
		if c.sound(path + ".kind") {
			kind := c.catalogue.Claim(claim.Kind)
			c.claim(path, claim, kind)
			if !kind.Many {
				c.once(path+".kind", claim.Kind, standing)
			}
		}
	}
	c.unique(ids, paths, "ids of claims")
}

// once reports a second claim of a kind that can be claimed in one way only.
func (c *claimRules) once(path, kind string, standing map[string]string) {
	if first, ok := standing[kind]; ok {
		c.fail(path, "is "+shown(kind)+" again", "it is claimed in "+first+", and two verdicts on it would be the same", "keep one of them")
		return
	}
	standing[kind] = path
}

// claim judges the keys of a claim, and whether what it is about is declared.
func (c *claimRules) claim(path string, claim *Claim, kind *param.Claim) {
	has := func(key string) bool { return slices.Contains(kind.Keys, key) }
	for _, key := range []string{"comparator", "threshold", "arms", "test", "finding"} {
		if !has(key) {
			c.surplus(path+"."+key, "a claim of kind "+claim.Kind+" has no "+key, "delete the key")
		}
	}
	if has("threshold") {
		c.bound(path, claim)
	}
	if has("finding") {
		c.hypothesis(path, claim)
	}
	for _, need := range kind.Needs {
		c.need(path, need)
	}
}

// need judges whether a part that a claim is about is declared.
func (c *claimRules) need(path string, need param.Need) {
	p := c.p
	switch need {
	case param.NeedPrivacy:
		c.needs(path, p.Privacy != nil || c.d.Given("privacy"), "no privacy is declared", "declare privacy: {epsilon: NUMBER}")
	case param.NeedReleased:
		c.needs(path, p.Log.ReleasedByArm != "" || !c.sound("log"), "no released values are logged, and noise is found in nothing else", "name the column in log.released_by_arm")
	case param.NeedNoise:
		c.needs(path, p.Counter != nil && c.catalogue.noisy(p.Counter.Name) || !c.sound("counter"), "no counter that adds noise is declared", "declare the counter that released the values")
	case param.NeedPolicy:
		c.needs(path, p.Policy != nil || p.Program != nil || c.d.Given("policy") && p.Draw == nil, "no policy is declared", "declare policy")
	case param.NeedPropensity:
		c.needs(path, p.Log.Propensity != "" || p.Log.PropensityByArm != "" || p.Hashed() != nil || !c.sound("log"), "no propensity is logged", "name the column in log.propensity")
	}
}

// needs reports a claim about something that is not declared.
func (c *claimRules) needs(path string, met bool, why, mend string) {
	if !met {
		c.fail(path+".kind", "claims something that is not declared", why, mend+", or delete the claim")
	}
}

// bound judges a claim that a number is at most a threshold.
func (c *claimRules) bound(path string, claim *Claim) {
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

func (c *claimRules) hypothesis(path string, claim *Claim) {
	c.require(path+".finding", claim.Finding, "the claim is about what the test found", "add finding: rejected")
	c.closed(path+".finding", claim.Finding)
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
		c.fail(path+".test", "is "+shown(claim.Test), "no test has that id"+near.Among(claim.Test, ids, shown), "write the id of a declared test")
	}
}
