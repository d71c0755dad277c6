package replay

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// declaration is a protocol's policy and counter with what the catalogue says of
// them.
type declaration struct {
	*schemas.Protocol

	catalogue *Catalogue
	kind      *policy.Descriptor
	arms      int
	labels    []string
	sums      counter.Counter // nil where none is declared, or it has a fault
	noise     bool            // the declared counter adds noise
	forgets   bool            // it begins anew
}

// declare finds the policy and builds the counter that a protocol declares over
// k arms, and judges both as a reader of protocols does. What is wrong is
// reported to j; the policy is nil where there is none of that name.
func (c *Catalogue) declare(p *schemas.Protocol, arms []string, j *judge) *declaration {
	d := &declaration{Protocol: p, catalogue: c, kind: c.Policy(p.Policy.Name), arms: j.arms, labels: arms}
	if d.kind == nil {
		j.Fail("policy.name", "is "+strconv.Quote(p.Policy.Name), "no policy has that name", "declare one that the protocol's format lists, or leave policy out")
	} else {
		d.unsupported(j)
		d.kind.Check(j, p.Policy.Own)
		d.kind.CheckTies(j, p.Policy.Ties)
		d.kind.CheckOrder(j, p.Policy.Order, arms, p.Hashed() != nil)
		d.kind.CheckNearTies(j, p.Policy.NearTies)
	}
	if p.Policy.Draws != 0 {
		j.Fail("policy.draws", "is "+strconv.FormatInt(p.Policy.Draws, 10), "propensities have closed forms and quadratures, which need no draws", "leave it out")
	}
	if p.Counter != nil {
		d.buildCounter(j)
	}
	if d.kind != nil {
		d.kind.CheckBeside(j, p.Policy.Own, d.beside())
	}
	return d
}

// unsupported reports everything in the protocol that changes what a policy does
// and that this version cannot replay. Replaying without it would convict an
// honest log.
func (d *declaration) unsupported(j *judge) {
	missing := d.Log.MissingReward
	if d.kind.Learns() && missing != "" && missing != schemas.MissingError {
		j.Fail("log.missing_reward", "is "+missing, "this version replays a policy that learns from rewards only where every reward is known", "leave policy out and have the log audited without replay")
	}
	s := d.Policy.Seed
	if s == nil {
		return
	}
	if s.Column != "" {
		j.Fail("policy.seed.column", "is "+s.Column, "this version takes the seed from a file", "write the 64 hex digits into a file and name it in policy.seed.file")
	}
	if s.Bytes != nil && len(s.Bytes) != 32 {
		j.Fail("policy.seed", "is "+strconv.Itoa(len(s.Bytes))+" bytes", "a master seed has 32 bytes", "write 64 hex digits")
	}
}

// beside is the declared counter as a policy sees it; nil where none is.
func (d *declaration) beside() *param.Beside {
	if d.Counter == nil {
		return nil
	}
	return &param.Beside{Name: d.Counter.Name, Noise: d.noise, Horizon: d.Counter.Horizon}
}

// buildCounter builds the declared counter.
func (d *declaration) buildCounter(j *judge) {
	spec := d.counterSpec(j)
	built, err := counter.NewOf(d.catalogue.Counters, spec)
	j.take(err, d.Counter)
	if err == nil {
		d.sums = built
	}
}

// counterSpec reads the counter that a protocol declares. With faults it is one
// of which New has nothing more to say.
func (d *declaration) counterSpec(j *judge) counter.Spec {
	c := d.Counter
	if kind := d.catalogue.Counter(c.Name); kind != nil {
		d.noise, d.forgets = kind.Noise, kind.Forgets
	}
	spec := counter.Spec{Name: c.Name, Epsilon: c.Epsilon.Rat(), Grid: c.Grid.Rat(), Horizon: c.Horizon, Exponent: c.Exponent.Rat()}
	if c.Epsilon.Inf() {
		j.Fail("counter.epsilon", "is inf", "a noise of scale 0 is the exact counter", "declare name: exact and leave epsilon out")
		spec.Epsilon = big.NewRat(1, 1) // the fault speaks for it
	}
	if c.Horizon < 0 {
		j.Fail("counter.horizon", "is "+strconv.FormatInt(c.Horizon, 10), "it counts rounds", "write the planned number of rounds")
		spec.Horizon = 1
	}
	if c.Exponent.Inf() {
		j.Fail("counter.exponent", "is inf", "it must be more than 1 and at most 3/2", "write 1.1")
	}
	d.moves(&spec, j)
	return spec
}

// moves writes to spec what one row moves a sum by: 1, or for a policy that
// reads vectors ‖context‖₁, whose declared bound is policy.context_l1. The noise
// is scaled for that, unless counter.sensitivity says that it was scaled for
// something else; the law then charges what the bound costs.
func (d *declaration) moves(spec *counter.Spec, j *judge) {
	scaled := d.Counter.Sensitivity
	linear := d.kind != nil && d.kind.Linear()
	switch {
	case !linear && !scaled.IsZero():
		j.Fail("counter.sensitivity", "is "+scaled.String(), "one reward moves a sum by 1; only linear policies sum contexts", "leave it out")
	case linear && !d.noise && !scaled.IsZero():
		j.Fail("counter.sensitivity", "is "+scaled.String(), "the exact counter adds no noise that could be scaled", "leave it out")
	case linear && scaled.Inf():
		j.Fail("counter.sensitivity", "is inf", "it must be finite", "write a bound known before the experiment")
	}
	if !linear || !d.noise {
		return
	}
	bound := d.Policy.Own.Exact(param.ContextBound)
	if scaled.IsZero() {
		scaled = bound
	}
	spec.Sensitivity, spec.Bound = scaled.Rat(), bound.Rat()
}

// buildPolicy returns a function that makes the declared policy for one run. The
// declaration has no fault. unbounded says that rewards may lie outside the range.
func (d *declaration) buildPolicy(unbounded bool) func(policy.Draws) policy.Policy {
	b := policy.Bandit{Arms: d.arms, Noise: d.noise, Unbounded: unbounded}
	b.Order, b.Places = d.places()
	if d.Counter != nil {
		b.Horizon, b.Epsilon = d.Counter.Horizon, d.Counter.Epsilon.Float()
		b.Quantile = func(level float64) policy.Bonus { return quantileOf(d.sums, level) }
	}
	return d.kind.New(d.Policy.Own, b)
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

// checkFloor reports a floor that K arms cannot each have.
func (d *declaration) checkFloor(j *judge) {
	f := d.floor().Value
	if f >= 0 && float64(f*float64(d.arms)) <= 1 {
		return
	}
	j.Fail("policy.floor", "is "+strconv.FormatFloat(f, 'g', -1, 64), fmt.Sprintf("each of %d arms is played at least that often, so it lies between 0 and 1/%d", d.arms, d.arms), "write a smaller floor")
}

// nearTies is the declared window of equal indices, or what stands for it; 0 where
// the policy compares none.
func (d *declaration) nearTies() float64 {
	switch {
	case !d.kind.Indexed:
		return 0
	case d.Policy.NearTies.IsZero():
		return param.MustRational(param.NearTies).Float()
	}
	return d.Policy.NearTies.Float()
}

// places returns where each arm stands in the policy's own order, and where among arms
// that are equal; nil: in index order. A policy that compares nothing has none of its own.
func (d *declaration) places() (order, equals []int) {
	if len(d.Policy.Order) > 0 && d.kind.Compares {
		order = placesIn(d.Policy.Order, d.labels)
	}
	switch d.Policy.Ties {
	case param.TiesName:
		return order, placesIn(slices.Sorted(slices.Values(d.labels)), d.labels)
	case param.TiesLast:
		equals = make([]int, d.arms)
		for i := range equals {
			equals[i] = -i
			if order != nil {
				equals[i] = -order[i]
			}
		}
		return order, equals
	}
	return order, order
}

// placesIn returns where each of labels stands in order.
func placesIn(order, labels []string) []int {
	out := make([]int, len(labels))
	for i, label := range labels {
		out[i] = slices.Index(order, label)
	}
	return out
}
