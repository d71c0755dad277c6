package replay

import (
	"errors"
	"strconv"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// defaultDelta is the δ of a bonus when the width has none.
const defaultDelta = schemas.DefaultDelta

// buildIndex returns the width and the bonus of a policy that has both, and
// whose ties may be seeded.
func buildIndex(p *schemas.Protocol, k int, sums counter.Counter) (policy.Width, policy.Bonus, error) {
	faults := foreign(p.Policy, "width", "bonus", "ties")
	width, err := buildWidth(p)
	faults = append(append(faults, faultsOf(err)...), needsCounter(p)...)
	bonus, err := buildBonus(p, k, sums, width)
	return width, bonus, errors.Join(append(faults, err)...)
}

// buildWidth returns the declared width. Where it has a fault, so has the
// error.
func buildWidth(p *schemas.Protocol) (policy.Width, error) {
	w := p.Policy.Width
	if w == nil {
		w = &schemas.Width{}
	}
	var faults []error
	if w.Delta != nil && *w.Delta == 0 {
		faults = append(faults, &Fault{"policy.width.delta", "0", "it must lie strictly between 0 and 1", "write 0.05"})
	}
	if w.C != nil && *w.C == 0 {
		faults = append(faults, &Fault{"policy.width.c", "0", "it must be finite and above 0", "write 2 for UCB1"})
	}
	width := policy.Width{Delta: value(w.Delta), C: value(w.C)}
	if len(faults) == 0 {
		faults = faultsOf(width.Validate())
	}
	return width.Shared(), errors.Join(faults...)
}

// needsCounter returns a fault when a policy that reads sums of rewards has no
// counter to read.
func needsCounter(p *schemas.Protocol) []error {
	if p.Counter != nil {
		return nil
	}
	return []error{&Fault{"counter", "not declared", p.Policy.Name + " reads sums of rewards from a counter", "declare counter: {name: exact} if the policy saw the rewards as they are"}}
}

// buildBonus returns the declared bonus; nil for none.
func buildBonus(p *schemas.Protocol, k int, sums counter.Counter, w policy.Width) (policy.Bonus, error) {
	b := p.Policy.Bonus
	switch {
	case b == "" || b == "none":
		return nil, nil //nolint:nilnil // no bonus is a bonus of the protocol
	case b != "quantile" && b != "paper":
		return nil, &Fault{"policy.bonus", strconv.Quote(b), "the bonuses are none, quantile and paper", "declare one of them"}
	case exact(p):
		return nil, &Fault{"policy.bonus", b, "it allows for the counter's noise, and the exact counter has none", "declare bonus: none"}
	case sums == nil:
		return nil, nil //nolint:nilnil // the missing or faulty counter is reported where it is built
	case p.Counter.Horizon < 1 || k < 1:
		return nil, &Fault{"counter.horizon", "not given", "the bonus " + b + " spreads its error over K·horizon events", "write the planned number of rounds"}
	case b == "paper" && p.Counter.Horizon == 1:
		return nil, &Fault{"counter.horizon", "1", "the bonus paper takes the logarithm of ln(horizon), and 1 has none", "write the planned number of rounds"}
	}
	delta := w.Delta
	if !(delta > 0 && delta < 1) {
		delta = defaultDelta // none is declared, or its fault is reported already
	}
	if b == "paper" {
		epsilon, _ := rational(p.Counter.Epsilon).Float64()
		return policy.NewPaper(k, p.Counter.Horizon, delta, epsilon)
	}
	return quantileOf(sums, delta/float64(float64(k)*float64(p.Counter.Horizon))), nil
}

// quantileOf returns the quantile bonus of a counter's noise at a level.
func quantileOf(sums counter.Counter, level float64) policy.Bonus {
	noise := func(n int64) []policy.Noise {
		var terms []policy.Noise
		for _, v := range sums.Noise(n) {
			terms = append(terms, policy.Noise(v))
		}
		return terms
	}
	return policy.NewQuantile(level, sums.Shapes(), sums.Shape, noise)
}
