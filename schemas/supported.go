package schemas

import (
	"regexp"
	"slices"
	"strings"

	"banditaudit/schemas/tree"
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
	if c.d.Given("policy.seed.column") {
		c.report("policy.seed.column", "is declared", "read a seed from the log", "{file: seed.hex}", "write the seed to a file and name that")
	}
}

func (c *lacking) supportedAnalysis() {
	if c.d.Given("analysis.clip_weights") {
		c.report("analysis.clip_weights", "is declared", "clip the weights of arms", "clip_weights beside an entry of analysis.evaluate, and unclipped inverse-propensity means of arms", "move it there, or delete the key")
	}
}

func (c *lacking) supportedClaims() {
	here := slices.DeleteFunc(c.catalogue.ClaimKinds(), func(kind string) bool { return c.catalogue.Claim(kind).Unsupported })
	for i, claim := range c.p.Claims {
		c.has(index("claims", i)+".kind", claim.Kind, "check that claim", c.catalogue.ClaimKinds(), here)
	}
}

// laterKey is a key of the format that this version does not read yet.
type laterKey struct {
	in, key string // the mapping, without indices, and the key in it
	means   string // what the key says of the log, or asks
	mend    string
	instead string // the required key that it stands instead of; "" for none
}

// laterKeys lists the keys that this version does not read yet. Whoever adds one deletes its
// line here. Nothing is lost by what stands in the mend.
func laterKeys() []laterKey {
	const (
		unlike  = "; a policy that is declared without the key is another one, whose replay can contradict an honest log"
		without = "delete the key only where the policy chose so without it; else declare a program that plays so and is shown the column (policy.exec, log.context), or delete policy"
	)
	return []laterKey{
		{"policy.by", "per", "leaves are grown again with every version, so that the rows of a leaf are those that fall into it now" + unlike, without, ""},
		{"policy.by", "leaf_rules", "which rows fall into a leaf is in a file" + unlike, without, ""},
		{"policy.by", "fallback", "one value of the column stands for rounds that no state decides" + unlike, without, ""},
		{"policy", "rewards", "in what the policy measures rewards is its own" + unlike, without, ""},
	}
}

// later reports a key that is among laterKeys, and whether it is.
func (r *reader) later(f tree.Field, path string) bool {
	in := regexp.MustCompile(`\[\d+\]`).ReplaceAllString(path, "[]")
	for _, k := range laterKeys() {
		if k.in != in || k.key != f.Key {
			continue
		}
		at := join(path, f.Key)
		if r.faults.mark(at); k.instead != "" {
			r.faults.mark(join(path, k.instead))
		}
		r.report(at, f.At, at+" is declared", "this version does not have it yet: "+k.means, k.mend)
		return true
	}
	return false
}
