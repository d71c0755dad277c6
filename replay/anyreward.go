package replay

import (
	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
)

// wide is what a mechanism is made of that takes rewards outside the range.
type wide struct {
	policy  func(policy.Draws) policy.Policy
	counter counter.Counter // nil where the policy reads no rewards
}

// wide returns it, and nil where the policy or the counter takes no such rewards. The
// declaration has no fault.
func (d *declaration) wide() *wide {
	if d.kind.Unbounded == nil || !d.kind.Unbounded(d.Policy.Own) {
		return nil
	}
	out := &wide{policy: d.buildPolicy(true)}
	if !d.kind.Learns() {
		return out
	}
	c, ok := d.sums.(counter.Unbounded)
	if !ok || d.kind.Linear() {
		return nil
	}
	out.counter = c.Unbounded()
	return out
}

// Unbounded returns the mechanism for rewards that may lie outside the declared range:
// they are rescaled as the others, and neither clipped nor refused. On rewards within
// the range it is the mechanism itself, draw by draw. It is nil where the policy is not
// defined for such rewards (Thompson sampling with a Beta prior, what reads vectors), or
// where the counter adds noise that is scaled for the range. It is meant for runs on
// rewards that a hypothesis makes up; it costs the same as the mechanism.
func (m *Mechanism) Unbounded() *Mechanism {
	if m.wide == nil {
		return nil
	}
	out := *m
	out.policy, out.counter = m.wide.policy, m.wide.counter
	out.rewards.wide, out.rewards.clip = true, false
	return &out
}
