package subgroups

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/analyze/stat/tail"
)

// pull is what a round that played an arm changes in every account on it.
type pull struct {
	high              float64
	factor            [allocationtest.WagerSteps]float64 // 1 + λ(1/p⁺ − 1)
	inverse, variance float64                            // 1/p⁺, 1/p⁺² − 1/p⁺
	again             bool                               // the arm's pull before was as this one
}

func pullAt(high float64) pull {
	x := 1 / high
	p := pull{high: high, inverse: x, variance: float64(x*x) - x}
	bet := x - 1
	for j := range p.factor {
		bet = float64(bet / 2)
		p.factor[j] = 1 + bet
	}
	return p
}

// pulls keeps the pull that came last of each arm: many rounds have the same one.
type pulls []pull

// newPulls makes the places of the pulls of arms; above 64 arms share them.
func newPulls(arms int) pulls { return make(pulls, min(64, arms)) }

func (p pulls) at(arm int32, high float64) *pull {
	of := &p[int(arm)%len(p)]
	if of.again = of.high == high; !of.again {
		*of = pullAt(high)
	}
	return of
}

// rates are ln(1 + λ(1/p⁺ − 1)) of pulls that came last, by a hash of p⁺.
type rates [64]struct {
	high float64
	ln   [allocationtest.WagerSteps]float64
}

func (r *rates) at(high float64) *[allocationtest.WagerSteps]float64 {
	of := &r[scattered(math.Float64bits(high))%uint64(len(r))]
	if of.high != high {
		of.high = high
		bet := 1/high - 1
		for j := range of.ln {
			bet /= 2
			of.ln[j] = math.Log1p(bet)
		}
	}
	return &of.ln
}

// stake is of the rounds that played an arm. Many have the same p⁺: of one of those that
// came again they are only counted.
type stake struct {
	rows              int64
	inverse, variance float64 // Σ1/p⁺, Σ(1/p⁺² − 1/p⁺)
	high              float64 // p⁺ of the rounds that are counted; 0: there are none
	alike             int64   // how many
	others            bool    // there are some: products say something
	*products                 // nil: there have been none
}

// products are of the factors of rounds that are not counted, over 2^shift.
type products struct {
	product [allocationtest.WagerSteps]float64
	shift   *[allocationtest.WagerSteps]float64 // nil: 0
}

func (p *products) reset() {
	*p = products{product: [allocationtest.WagerSteps]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}
}

// begin has products of no rounds where there have been none.
func (a *stake) begin() {
	if a.others = true; a.products == nil {
		a.products = &products{}
		a.reset()
	}
}

func (a *stake) clear() {
	a.rows, a.inverse, a.variance, a.high, a.alike = 0, 0, 0, 0, 0
	if a.others {
		a.others = false
		a.reset()
	}
}

// take takes up a round.
func (a *stake) take(p *pull) {
	a.rows++
	a.inverse += p.inverse
	a.variance += p.variance
	switch {
	case a.high == p.high:
		a.alike++
	case p.again:
		a.count(p.high, 1)
	default:
		a.multiply(&p.factor)
	}
}

// count counts n rounds, in place of those that were counted so far: these are multiplied.
func (a *stake) count(high float64, n int64) {
	if a.alike > 0 {
		a.power(a.high, a.alike)
	}
	a.high, a.alike = high, n
}

// power multiplies with the factors of n rounds.
func (a *stake) power(high float64, n int64) {
	const few = 8
	p := pullAt(high)
	if n <= few {
		for range n {
			a.multiply(&p.factor)
		}
		return
	}
	a.begin()
	if a.shift == nil {
		a.shift = &[allocationtest.WagerSteps]float64{}
	}
	bet := p.inverse - 1
	for j := range a.shift {
		bet /= 2
		a.shift[j] += float64(float64(n) * math.Log1p(bet) / math.Ln2)
	}
}

// multiply settles the products where they are large. The first, of the largest
// λ, is the largest, since no factor is below 1.
func (a *stake) multiply(factor *[allocationtest.WagerSteps]float64) {
	const large = 1e150 // times a factor of at most 1e100, or a product of as much
	a.begin()
	p := &a.product
	p[0] *= factor[0]
	p[1] *= factor[1]
	p[2] *= factor[2]
	p[3] *= factor[3]
	p[4] *= factor[4]
	p[5] *= factor[5]
	p[6] *= factor[6]
	p[7] *= factor[7]
	p[8] *= factor[8]
	p[9] *= factor[9]
	p[10] *= factor[10]
	p[11] *= factor[11]
	p[12] *= factor[12]
	p[13] *= factor[13]
	p[14] *= factor[14]
	p[15] *= factor[15]
	if p[0] > large {
		a.settle()
	}
}

// settle takes the powers of two out of the products.
func (a *stake) settle() {
	if a.shift == nil {
		a.shift = &[allocationtest.WagerSteps]float64{}
	}
	for j, p := range a.product {
		fraction, exponent := math.Frexp(p)
		a.product[j] = fraction
		a.shift[j] += float64(exponent)
	}
}

// join takes up the rounds of another.
func (a *stake) join(o *stake) {
	if o.rows == 0 {
		return
	}
	a.rows += o.rows
	a.inverse += o.inverse
	a.variance += o.variance
	switch {
	case o.alike == 0:
	case a.high == o.high:
		a.alike += o.alike
	case a.alike <= o.alike:
		a.count(o.high, o.alike)
	default:
		a.power(o.high, o.alike)
	}
	if !o.others {
		return
	}
	if o.shift != nil {
		a.begin()
		if a.shift == nil {
			a.shift = &[allocationtest.WagerSteps]float64{}
		}
		for j, v := range o.shift {
			a.shift[j] += v
		}
	}
	a.multiply(&o.product)
}

// expectation is what is known of an arm before one is played.
type expectation struct {
	could        int64   // rounds in which it could be played
	low, squares float64 // Σp⁻, Σ(p⁻)²
	plays        float64 // Σp, where p is not p⁻ and is known
}

func (x *expectation) join(o *expectation) {
	x.could += o.could
	x.low += o.low
	x.squares += o.squares
	x.plays += o.plays
}

// chances are what is known of all arms before one is played.
type chances struct {
	could []bool    // nil: every arm could be played
	low   []float64 // nil: not known
	p     []float64 // nil: low are these, or they are not known
}

func (c *chances) same(o *chances) bool {
	return slices.Equal(c.could, o.could) && slices.Equal(c.low, o.low) && slices.Equal(c.p, o.p)
}

// take copies others.
func (c *chances) take(o *chances) {
	c.could, c.low, c.p = append(c.could[:0], o.could...), append(c.low[:0], o.low...), append(c.p[:0], o.p...)
}

// waiting counts rounds of the same chances by cell.
type waiting struct {
	arms   int
	now    chances // of these rounds
	rounds []int64
	cells  []int // of which there are some
	pulls  pulls
}

func newWaiting(arms, cells int) waiting {
	return waiting{arms: arms, rounds: make([]int64, cells), pulls: newPulls(arms)}
}

// begin begins a round: where its arms have other chances than those before, these are
// spread. It returns what the round changes; nil where it leaves all accounts.
func (a *waiting) begin(r *SplitRows, t int, to []expectation) *pull {
	if t >= len(r.Again) || !r.Again[t] {
		if of := r.chances(t, a.arms); !a.now.same(&of) {
			a.spread(to)
			a.now.take(&of)
		}
	}
	if r.Arm[t] < 0 {
		return nil
	}
	return a.pulls.at(r.Arm[t], r.High[t])
}

func (a *waiting) add(cell int) {
	if a.rounds[cell]++; a.rounds[cell] == 1 {
		a.cells = append(a.cells, cell)
	}
}

// spread gives every arm the rounds of its cell, in to by cell and arm, and counts anew.
func (a *waiting) spread(to []expectation) {
	for _, cell := range a.cells {
		n := a.rounds[cell]
		a.rounds[cell] = 0
		expect(to[cell*a.arms:cell*a.arms+a.arms], &a.now, n)
	}
	a.cells = a.cells[:0]
}

// expect joins n rounds to what is known of every arm.
func expect(to []expectation, of *chances, n int64) {
	for arm := range to {
		if len(of.could) == 0 || of.could[arm] {
			to[arm].could += n
		}
	}
	for arm, p := range of.low {
		np := float64(float64(n) * p)
		to[arm].low += np
		to[arm].squares += float64(np * p)
	}
	for arm, p := range of.p {
		to[arm].plays += float64(float64(n) * p)
	}
}

// standing is of an arm in some rounds, as of a look.
type standing struct {
	expectation

	logs              [allocationtest.WagerSteps]float64 // of the products
	rows              int64
	inverse, variance float64
}

// of joins rounds.
func (e *standing) of(a *stake, x *expectation, known *rates) {
	e.expectation.join(x)
	if a.rows == 0 {
		return
	}
	e.rows += a.rows
	e.inverse += a.inverse
	e.variance += a.variance
	if a.alike > 0 {
		for j, ln := range known.at(a.high) {
			e.logs[j] += float64(float64(a.alike) * ln)
		}
	}
	if !a.others {
		return
	}
	for j, p := range a.product {
		e.logs[j] += math.Log(p)
		if a.shift != nil {
			e.logs[j] += float64(a.shift[j] * math.Ln2)
		}
	}
}

// join adds another standing to this one.
func (e *standing) join(o *standing) {
	e.expectation.join(&o.expectation)
	if o.rows == 0 {
		return
	}
	e.rows += o.rows
	e.inverse += o.inverse
	e.variance += o.variance
	for j, v := range o.logs {
		e.logs[j] += v
	}
}

// lambdas are the sizes of a wager, with ln(1 − λ).
type lambdas struct {
	size, idle [allocationtest.WagerSteps]float64
}

func newLambdas() lambdas {
	var l lambdas
	size := 1.0
	for j := range l.size {
		size /= 2
		l.size[j], l.idle[j] = size, math.Log1p(-size)
	}
	return l
}

// surplus is ln M of the account on an arm that was played too often.
func (e *standing) surplus(l *lambdas) float64 {
	if e.could == 0 && e.rows == 0 {
		return 0
	}
	idle := float64(max(0, e.could-e.rows))
	var terms [allocationtest.WagerSteps]float64
	for j := range terms {
		terms[j] = e.logs[j] + float64(idle*l.idle[j])
	}
	return tail.LogMeanExp(terms[:])
}

// deficit is ln M of the account on an arm that was played too seldom.
func (e *standing) deficit(l *lambdas) float64 {
	var terms [allocationtest.WagerSteps]float64
	rows := float64(e.rows)
	for j, lambda := range l.size {
		terms[j] = float64(rows*l.idle[j]) + float64(lambda*e.low) + float64(lambda*lambda*e.squares/2)
	}
	return tail.LogMeanExp(terms[:])
}
