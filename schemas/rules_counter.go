package schemas

import (
	"fmt"
	"math/big"

	"banditaudit/schemas/param"
)

// counterRules judges the declared counter by its kind.
type counterRules struct {
	*checker

	kind *param.Counter
}

func (c *counterRules) counter() {
	k := c.p.Counter
	if k == nil {
		return
	}
	if c.p.Program != nil {
		c.fail("counter", "stands beside policy.exec", "what a program makes of rewards is its own", "delete counter")
		return
	}
	if c.p.Policy == nil && (!c.d.Given("policy") || c.p.Draw != nil) {
		c.fail("counter", "stands without a policy", "a counter releases the sums that a policy reads", "add policy: {name: ucb, ...}, or delete counter")
	}
	c.require("counter.name", k.Name, "it says how sums of rewards were released", "add name: hybrid, or name: exact where they were not private")
	c.word("counter.name", k.Name, c.catalogue.CounterNames())
	if !c.sound("counter.name") {
		return
	}
	c.kind = c.catalogue.Counter(k.Name)
	if c.kind.Noise {
		c.noise(k)
		return
	}
	for _, key := range counterParameters() {
		c.surplus("counter."+key, "the counter "+k.Name+" has no parameters: it adds no noise", "delete the key, or declare a counter with noise such as hybrid")
	}
}

// counterParameters are the keys of a counter that adds noise.
func counterParameters() []string {
	return []string{"epsilon", "horizon", "grid", "exponent", "sensitivity"}
}

// maxGrid bounds the lattice from below: sums of 2^32 rewards on a lattice of
// step 2^-30 still fit an int64.
const maxGrid = 30

// noise judges the parameters of a counter that adds noise.
func (c *counterRules) noise(k *Counter) {
	switch {
	case k.Epsilon.IsZero():
		c.missing("counter.epsilon", "the noise of "+k.Name+" is scaled by it", "add epsilon: NUMBER, that of each arm's counter")
	case k.Epsilon.Inf():
		c.fail("counter.epsilon", "is inf", "that is a counter without noise", "write name: exact and delete epsilon")
	case k.Epsilon.Rat().Sign() <= 0:
		c.fail("counter.epsilon", "is "+k.Epsilon.String(), "the noise would be infinite", "write a number above 0")
	}
	if c.kind.Paced {
		c.cadence(k)
	}
	c.horizon(k)
	c.exponent(k)
	switch p := c.p.Policy; {
	case p == nil || !c.catalogue.linear(p):
		c.surplus("counter.sensitivity", "one reward moves a sum by 1, and only that of a linear policy, which sums contexts, by another amount", "delete the key")
	case c.d.Given("counter.sensitivity"): // else it is policy.context_l1, and judged there
		param.Exact{Most: param.MaxNorm}.Check(judge{c.checker}, "counter.sensitivity", k.Sensitivity)
	}
	if !PowerOfHalf(k.Grid) {
		c.fail("counter.grid", "is "+k.Grid.String(), fmt.Sprintf("rewards and noise lie on a lattice whose step is a power of two from 2^-%d to 1", maxGrid), "write 2^-20")
	}
}

// cadence judges how often a counter releases: after every ⌈1/ε⌉ rows, which is
// more than maxRows where 1/ε is.
func (c *counterRules) cadence(k *Counter) {
	if k.Epsilon.Rat() == nil || k.Epsilon.Rat().Sign() <= 0 {
		return
	}
	if k.Epsilon.Rat().Cmp(big.NewRat(1, 1<<maxRows)) < 0 {
		c.fail("counter.epsilon", "is "+k.Epsilon.String(), fmt.Sprintf(k.Name+" releases a sum after every ⌈1/ε⌉ rows, and no stream has more than 2^%d", maxRows), "write a larger number")
	}
}

// horizon judges the number of rounds: some counters are built for it, a bonus
// spreads its error over it, and it means nothing elsewhere.
func (c *counterRules) horizon(k *Counter) {
	needed := c.kind.Horizon == param.HorizonNeeded
	given := c.d.Given("counter.horizon")
	switch {
	case given && k.Horizon < 1:
		c.fail("counter.horizon", fmt.Sprintf("is %d", k.Horizon), "it counts rounds", "write a whole number of at least 1")
	case !given && needed:
		c.missing("counter.horizon", k.Name+" is built for a number of rounds", "add horizon: ROUNDS, the most that the experiment may have")
	case c.kind.Horizon == param.HorizonRefused && !c.widened():
		c.surplus("counter.horizon", k.Name+" releases a reward once, however many follow", "delete the key")
	case needed && PowerOfHalf(k.Grid):
		if most := c.mostRows(k.Grid); k.Horizon > most {
			c.fail("counter.horizon", fmt.Sprintf("is %d", k.Horizon), fmt.Sprintf("sums of so many rows leave the integers: at grid %s %s holds %d", k.Grid, k.Name, most),
				"write the most rounds that the experiment may have, or a coarser grid")
		}
	}
}

// maxSum is the power of two that no sum on the lattice may leave, and maxRows
// that of the rows of a stream.
const (
	maxSum  = 60
	maxRows = 40
)

// mostRows is the number of rows whose sum stays on the lattice's integers: each
// moves it by 1, or for a linear policy by policy.context_l1.
func (c *counterRules) mostRows(grid Rational) int64 {
	row := big.NewRat(1, 1)
	if p := c.p.Policy; p != nil && c.catalogue.linear(p) {
		if bound := p.Own.Exact(param.ContextBound).Rat(); bound != nil && bound.Sign() > 0 {
			row = bound
		}
	}
	row.Quo(row, grid.Rat())
	units := new(big.Int).Quo(row.Num(), row.Denom())
	if units.Sign() > 0 {
		units.Sub(units, big.NewInt(1)) // 2^m units take m bits
	}
	return int64(1) << max(0, min(maxRows, maxSum-units.BitLen()))
}

// exponent judges how fast the noise of a counter grows with the sum.
func (c *counterRules) exponent(k *Counter) {
	if !c.kind.Exponent {
		c.surplus("counter.exponent", k.Name+" has no exponent: only the noise of interval grows with the sum", "delete the key")
		return
	}
	v := k.Exponent
	switch {
	case v.IsZero():
	case v.Inf() || v.Rat().Cmp(big.NewRat(1, 1)) <= 0 || v.Rat().Cmp(big.NewRat(3, 2)) > 0:
		c.fail("counter.exponent", "is "+v.String(), "it must be more than 1 and at most 3/2", "write "+DefaultExponent)
	case v.Rat().Denom().Cmp(big.NewInt(maxDenominator)) > 0:
		c.fail("counter.exponent", "is "+v.String(), fmt.Sprintf("the noise is computed from roots of whole numbers, and in lowest terms its denominator is at most %d", maxDenominator), "write "+DefaultExponent+", or another number with at most two decimals")
	}
}

// maxDenominator bounds the degree of the roots that interval computes.
const maxDenominator = 100

// PowerOfHalf reports whether x is 2^-m for a whole m from 0 to maxGrid.
func PowerOfHalf(x Rational) bool {
	r := x.Rat()
	if r == nil || r.Sign() <= 0 || !r.Num().IsInt64() || r.Num().Int64() != 1 {
		return false
	}
	m := r.Denom().BitLen() - 1
	return m <= maxGrid && int(r.Denom().TrailingZeroBits()) == m
}

func (c *checker) privacy() {
	p := c.p.Privacy
	if p == nil {
		return
	}
	c.closed("privacy.definition", p.Definition)
	c.closed("privacy.unit", p.Unit)
	if !c.sound("privacy.definition") {
		return
	}
	zcdp := p.Definition == DefinitionZCDP
	if zcdp {
		c.claimed("privacy.rho", p.Rho)
		c.surplus("privacy.epsilon", "a zcdp claim has rho", "delete the key, or write definition: pure")
	} else {
		c.claimed("privacy.epsilon", p.Epsilon)
		c.surplus("privacy.rho", "only a zcdp claim has rho", "delete the key, or write definition: zcdp")
	}
	switch {
	case p.Definition == DefinitionApproximate && p.Delta == nil:
		c.missing("privacy.delta", "an approximate claim is (ε, δ)", "add delta: NUMBER between 0 and 1")
	case p.Definition == DefinitionApproximate:
		c.below("privacy.delta", p.Delta, 1)
	case p.Delta != nil && *p.Delta != 0:
		c.fail("privacy.delta", fmt.Sprintf("is %g", *p.Delta), "a claim of definition "+p.Definition+" has δ = 0", "write delta: 0, or definition: approximate")
	}
}

// claimed judges a claimed ε or ρ.
func (c *checker) claimed(path string, x Rational) {
	switch {
	case x.IsZero():
		c.missing(path, "it is what the claim says", "add a number of at least 0, or delete privacy")
	case x.Inf():
		c.fail(path, "is inf", "that claims nothing", "write a finite number, or delete privacy")
	case x.Rat().Sign() < 0:
		c.fail(path, "is "+x.String(), "a privacy loss is not negative", "write a number of at least 0")
	}
}

// OwnGrid reports whether the grid is another than the default: then released values that
// are no multiple of it contradict the declaration.
func (k *Counter) OwnGrid() bool {
	return !k.Grid.IsZero() && k.Grid.Rat().Cmp(MustRational(DefaultGrid).Rat()) != 0
}
