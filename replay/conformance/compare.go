package conformance

import (
	"math"

	"banditaudit/schemas"
)

// A logged propensity p counts as the recomputed q where
//
//	|p − q| ≤ 10⁻⁶·max(p, q) + 10⁻⁸ + h
//
// The first two terms are room for columns of float32 and for another order of
// roundings. h is half a unit of the last decimal where every logged propensity
// of the column is written with k ≤ 7 decimals, 10^−k/2, and 0 otherwise: a log
// that rounds its propensities is not one that altered them.
const (
	relative = 1e-6
	absolute = 1e-8
	// mostDecimals is the largest k: with more of them half a unit is below
	// absolute.
	mostDecimals = 7
)

// comparison holds the logged propensities of a log against recomputed ones.
type comparison struct {
	out           schemas.PropensityReplay
	action, byArm float64 // half a unit of the last decimal of either column, or 0
}

// compare finds the decimals of the logged propensities, of which there must be
// some, in one pass over the public columns.
func (j *job) compare() (*comparison, error) {
	if j.s.Arms() > j.Mechanism.Arms() {
		return nil, errArm
	}
	var action, byArm decimals
	for i := range j.s.Chunks() {
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		c := j.s.Chunk(i)
		action.take(c.Propensity)
		byArm.take(c.PropensityByArm)
		if action.many() && (byArm.many() || c.PropensityByArm == nil) {
			break
		}
	}
	c := &comparison{action: action.half(), byArm: byArm.half()}
	c.out.Decimals, c.out.DecimalsByArm = action.number(), byArm.number()
	return c, nil
}

// round compares the logged propensities of a round with want, those of all
// arms.
func (c *comparison) round(j *job, l *logged, want []float64) {
	c.out.Rounds++
	arm, got := c.differs(l, want)
	if arm < 0 {
		c.out.Matched++
		return
	}
	if c.out.FirstMismatch == nil {
		c.out.FirstMismatch = &schemas.PropensityMismatch{Round: l.round(), Arm: j.label(arm), Logged: got, Replayed: want[arm]}
	}
}

// differs returns the first arm whose logged propensity is not the one wanted,
// the logged arm before all others, and what is logged of it; -1 for none.
func (c *comparison) differs(l *logged, want []float64) (arm int, got float64) {
	if p := l.propensity(); !near(p, want[l.arm()], c.action) {
		return l.arm(), p
	}
	for a, p := range l.propensities() {
		if !near(p, want[a], c.byArm) {
			return a, p
		}
	}
	return -1, 0
}

// near reports whether p counts as q where half a unit of the last decimal is
// half.
func near(p, q, half float64) bool {
	return math.Abs(p-q) <= float64(relative*max(p, q))+absolute+half
}

// decimals counts those that write every value of a column: none yet where it
// is 0, and more than mostDecimals where it is above.
type decimals int

// take looks at more of the column.
func (d *decimals) take(values []float64) {
	last := math.NaN()
	for _, p := range values {
		if p == last {
			continue
		}
		last = p
		*d = max(*d, 1)
		for !d.many() && !writes(p, int(*d)) {
			*d++
		}
		if d.many() {
			return
		}
	}
}

// writes reports whether p is the float64 or the float32 nearest to a multiple
// of 10^−k.
func writes(p float64, k int) bool {
	unit := math.Pow10(k)
	n := math.Round(p*unit) / unit
	return p == n || p == float64(float32(n))
}

func (d *decimals) many() bool { return *d > mostDecimals }

// number is nil where there are too many, or no values.
func (d *decimals) number() *int64 {
	if *d == 0 || d.many() {
		return nil
	}
	return new(int64(*d))
}

// half is half a unit of the last decimal, and 0 where number is nil.
func (d *decimals) half() float64 {
	if d.number() == nil {
		return 0
	}
	return 0.5 / math.Pow10(int(*d))
}
