package schemas

import "banditaudit/schemas/param"

// parameters judges the keys that not every policy has, by what the named policy
// says of them, and what follows from the counter that stands beside it.
func (c *checker) parameters(p *Policy, kind *param.Policy) {
	kind.Check(judge{c}, p.Own)
	if kind.Linear() {
		c.contexts(kind)
	}
	var beside *param.Beside
	if k := c.p.Counter; k != nil {
		beside = &param.Beside{Name: k.Name, Noise: c.noisy(k.Name), Horizon: k.Horizon}
	}
	kind.CheckBeside(judge{c}, p.Own, beside)
}

// widened reports whether the policy allows for the counter's noise.
func (c *checker) widened() bool {
	p := c.p.Policy
	if p == nil {
		return false
	}
	kind := c.Policy(p.Name)
	if kind == nil {
		kind = &param.Policy{}
	}
	return kind.Widened(p.Own) && (kind.Allowing(p.Own) || c.sound("policy."+param.BonusKey))
}

// contexts judges whether the log has what a policy reads that chooses by the
// context of a round.
func (c *checker) contexts(kind *param.Policy) {
	if l := c.p.Log; l.Context.IsZero() && l.ContextByArm == "" && c.sound("log") {
		c.missing("log.context", kind.Name+" chooses by the context of a round", "add context: [COLUMN, ...] under log, or context_by_arm: COLUMN")
	}
}
