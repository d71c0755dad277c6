package schemas

import (
	"slices"
	"strings"
)

// lacking judges what this version has not.
type lacking struct{ *checker }

// all reports what the format has and this version has not. It is the
// only file of this package that knows the difference: whoever adds a policy, a
// counter or a test deletes a line here, and the rules of the format stay as
// they are. Package replay refuses once more what it cannot replay.
func (c *lacking) all() {
	c.supportedPolicy()
	c.supportedAnalysis()
	c.supportedClaims()
}

// lacking reports one thing that this version does not do.
func (c *lacking) report(path, what, not, has, mend string) {
	c.fail(path, what, "this version does not "+not+"; it has: "+has, mend)
}

// has reports a word of the format that this version has not. A word that is
// not of the format is left to the rules.
func (c *lacking) has(path, value, not string, format, here []string) {
	if value == "" || slices.Contains(here, value) || !slices.Contains(format, value) {
		return
	}
	list := strings.Join(here, ", ")
	c.report(path, "is "+shown(value), not, list, "write one of those")
}

func (c *lacking) supportedPolicy() {
	if c.d.Given("policy.draws") {
		c.report("policy.draws", "is declared", "draw propensities by Monte Carlo", "closed forms and quadratures for every policy, which need no draws", "delete the key")
	}
	if c.d.Given("policy.draw.hash") {
		c.report("policy.draw.hash", "is declared", "recompute arms from a hash of the unit", "{by: round} and {by: unit}", "write policy.draw: {by: unit} and the column of units in log.unit: a unit that is assigned by its hash keeps its arm")
	}
	if c.d.Given("policy.seed.column") {
		c.report("policy.seed.column", "is declared", "read a seed from the log", "{file: seed.hex}", "write the seed to a file and name that")
	}
}

func (c *lacking) supportedAnalysis() {
	if c.d.Given("analysis.evaluate") {
		c.report("analysis.evaluate", "is declared", "evaluate other policies on the log", "the mean of each arm", "delete the key")
	}
	if c.d.Given("analysis.clip_weights") {
		c.report("analysis.clip_weights", "is declared", "clip weights", "unclipped inverse-propensity means", "delete the key")
	}
}

func (c *lacking) supportedClaims() {
	here := slices.DeleteFunc(c.ClaimKinds(), func(kind string) bool { return c.Claim(kind).Lacking })
	for i, claim := range c.p.Claims {
		c.has(index("claims", i)+".kind", claim.Kind, "check that claim", c.ClaimKinds(), here)
	}
}
