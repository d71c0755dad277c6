package replay

import (
	"errors"
	"sync"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildLinUCB returns the maker of LinUCB policies. With a counter with noise
// the index always allows for the noise, at a level that depends on the horizon,
// so that must be declared.
func buildLinUCB(p *schemas.Protocol, k int, sums counter.Counter) (func(policy.Draws) policy.Policy, error) {
	faults := foreign(p.Policy, "width", "ties", "lambda", "theta_bound", "noise_sd", "context_l1")
	spec := policy.LinUCBSpec{Delta: defaultDelta}
	for _, v := range []struct {
		name  string
		given *float64
		value *float64
	}{{"lambda", p.Policy.Lambda, &spec.Lambda}, {"noise_sd", p.Policy.NoiseSD, &spec.NoiseSD}, {"theta_bound", p.Policy.ThetaBound, &spec.ThetaBound}} {
		faults = append(faults, needed(p, v.name, v.given, v.value)...)
	}
	if w := p.Policy.Width; w != nil {
		if w.C != nil {
			faults = append(faults, &Fault{"policy.width.c", "given", "the width of linucb holds at a level δ", "write width: {delta: 0.05}"})
		}
		if w.Delta != nil {
			spec.Delta = *w.Delta
		}
	}
	faults = append(faults, faultsOf(spec.Validate())...)
	faults = append(faults, needsCounter(p)...)
	noisy := p.Counter != nil && !exact(p)
	if noisy && p.Counter.Horizon < 1 {
		faults = append(faults, &Fault{"counter.horizon", "not given", "the index allows for the counter's noise at the level δ/(2·K·horizon·d)", "write the planned number of rounds"})
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	var allowance func(d int) policy.Bonus
	if noisy {
		level := spec.Delta / float64(2*float64(float64(k)*float64(p.Counter.Horizon)))
		allowance = (&byLength{level: level, sums: sums}).bonus
	}
	return func(d policy.Draws) policy.Policy { return policy.NewLinUCB(k, spec, allowance, d.Ties) }, nil
}

// needed reads a parameter that the policy cannot do without, and reports that
// it is missing; 1 then stands for it.
func needed(p *schemas.Protocol, name string, given, value *float64) []error {
	if given == nil {
		*value = 1
		return []error{&Fault{"policy." + name, "not given", p.Policy.Name + " needs it", "write the value that the policy had"}}
	}
	*value = *given
	return nil
}

// byLength makes the quantiles of a coordinate's noise once the length of
// contexts is known, and shares them among runs, which all have the same.
type byLength struct {
	level float64 // for all coordinates
	sums  counter.Counter

	mu    sync.Mutex
	d     int
	table policy.Bonus
}

func (b *byLength) bonus(d int) policy.Bonus {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.d != d {
		b.d, b.table = d, quantileOf(b.sums, b.level/float64(d))
	}
	return b.table
}
