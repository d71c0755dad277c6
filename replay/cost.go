package replay

import (
	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// pairLaw decides what a pair of policy and counter costs. It is the only
// place that does.
//
//	a policy that reads no rewards        0, whatever the counter
//	a policy that reads a counter's sums  the counter's own Cost(n, size): the
//	                                      policy only post-processes releases,
//	                                      and arms compose in parallel; for the
//	                                      exact counter that is ∞
//
// sums is nil when the policy reads no rewards.
func pairLaw(p *schemas.Protocol, sums counter.Counter) ledger.Law {
	name := p.Policy.Name
	if p.Counter != nil {
		name += " × " + p.Counter.Name
	}
	switch sums {
	case nil:
		return free{name}
	default:
		return named{sums, name}
	}
}

// named is a law under the name of its pair.
type named struct {
	ledger.Law
	name string
}

// Name returns the policy's and the counter's name.
func (n named) Name() string { return n.name }

// free is the law of a policy that reads no rewards: nothing is released to it.
type free struct{ name string }

var _ ledger.Law = free{}

// Name returns the policy's and the counter's name.
func (f free) Name() string { return f.name }

// Epsilon returns 0.
func (free) Epsilon() ledger.Loss { return ledger.Loss{} }

// Rho returns 0.
func (free) Rho() float64 { return 0 }

// Cost returns 0.
func (free) Cost(int64, int64) ledger.Loss { return ledger.Loss{} }

// Levels returns the single level 0.
func (free) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	return []ledger.Level{{Rows: size}}
}

// Releases returns nil.
func (free) Releases(int64) []ledger.Release { return nil }
