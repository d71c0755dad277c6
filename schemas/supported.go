package schemas

import (
	"slices"
	"strings"
)

// supported reports what the format has and this version has not. It is the
// only file of this package that knows the difference: whoever adds a policy, a
// counter or a test deletes a line here, and the rules of the format stay as
// they are. Package replay refuses once more what it cannot replay.
func (c *checker) supported() {
	c.supportedPolicy()
	c.supportedAnalysis()
	c.supportedTests()
	c.supportedClaims()
}

// lacking reports one thing that this version does not do.
func (c *checker) lacking(path, what, not, has, mend string) {
	c.fail(path, what, "this version does not "+not+"; it has: "+has, mend)
}

// has reports a word of the format that this version has not. A word that is
// not of the format is left to the rules.
func (c *checker) has(path, value, not string, format, here []string) {
	if value == "" || slices.Contains(here, value) || !slices.Contains(format, value) {
		return
	}
	list := strings.Join(here, ", ")
	c.lacking(path, "is "+shown(value), not, list, "write one of those")
}

func (c *checker) supportedPolicy() {
	p := c.p.Policy
	if p == nil {
		return
	}
	if c.d.Given("policy.draws") {
		c.lacking("policy.draws", "is declared", "draw propensities by Monte Carlo", "closed forms and quadratures for every policy, which need no draws", "delete the key")
	}
	if c.d.Given("policy.seed.column") {
		c.lacking("policy.seed.column", "is declared", "read a seed from the log", "{file: seed.hex}", "write the seed to a file and name that")
	}
}

func (c *checker) supportedAnalysis() {
	a := c.p.Analysis
	c.has("analysis.multiplicity", a.Multiplicity, "adjust p-values that way", multiplicityWords(), []string{"none", "bonferroni", "holm", "by"})
	c.has("analysis.correction.method", a.Correction.Method, "correct p-values that way", correctionWords(), []string{"conditional"})
	if a.Correction.Beta != betaBest && numberText.MatchString(a.Correction.Beta) {
		c.lacking("analysis.correction.beta", "is "+shown(a.Correction.Beta), "take a β of your own", "best", "write beta: best, or delete the key")
	}
	if c.d.Given("analysis.evaluate") {
		c.lacking("analysis.evaluate", "is declared", "evaluate other policies on the log", "the mean of each arm", "delete the key")
	}
	if c.d.Given("analysis.clip_weights") {
		c.lacking("analysis.clip_weights", "is declared", "clip weights", "unclipped inverse-propensity means", "delete the key")
	}
	for i, r := range a.Regressions {
		if r.Covariance.Cluster != "" {
			c.lacking(index("analysis.regressions", i)+".covariance", "is {cluster: ...}", "cluster rows", strings.Join(covarianceWords(), ", "), "write HC3")
		}
	}
}

func (c *checker) supportedTests() {
	for i, t := range c.p.Analysis.Tests {
		path := index("analysis.tests", i)
		kind := ""
		switch {
		case t.Coefficient != "":
			kind = "coefficient"
		case len(t.Joint) > 0:
			kind = "joint"
		case len(t.Difference) > 0:
			kind = "difference"
		}
		if kind != "" {
			c.lacking(path+"."+kind, "is declared", "test that", "mean, of an arm", "ask for mean: NUMBER, or delete the test")
			continue
		}
		c.has(path+".test", t.Test, "run that test", testWords(), []string{testExact, "t", testZ})
	}
}

func (c *checker) supportedClaims() {
	here := slices.DeleteFunc(claimWords(), func(kind string) bool {
		return kind == KindPrivacyNoise || kind == KindPrivacyLower
	})
	for i, claim := range c.p.Claims {
		c.has(index("claims", i)+".kind", claim.Kind, "check that claim", claimWords(), here)
	}
}
