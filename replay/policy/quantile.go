package policy

import (
	"math"
	"sync/atomic"

	"banditaudit/replay/policy/bitexact"
)

// Noise says that Count independent Laplace variables of scale Scale are in a
// released sum.
type Noise struct {
	Scale float64
	Count int
}

// Chernoff returns the λ for which a sum Y of independent centred Laplace
// variables of scales b_i has P(|Y| > λ) ≤ δ by the exponential Markov
// inequality on both sides:
//
//	λ = min over 0 < h < 1/max b_i of (ln(2/δ) − Σ_i ln(1 − h²b_i²)) / h
//
// The numerator is convex in h and positive at 0, so the quotient has one
// minimum, where
//
//	Σ_i [ 2h²b_i²/(1 − h²b_i²) + ln(1 − h²b_i²) ] = ln(2/δ);
//
// the left side grows with h, and h is found by bisection down to neighbouring
// float64s. λ is in the units of the scales, which must be above 0; δ is in
// (0,1).
//
// The bound also holds for discrete Laplace noise on any lattice. With spacing
// g, a = g/b and c = hg < a, the discrete moment generating function is
//
//	(cosh a − 1)/(cosh a − cosh c) = 1/(1 − (sinh(c/2)/sinh(a/2))²),
//
// and sinh(x)/x grows with x > 0, so sinh(c/2)/sinh(a/2) ≤ c/a and the value
// is at most 1/(1 − (c/a)²) = 1/(1 − h²b²), the continuous one (own
// derivation, internally reviewed).
//
// Special cases are:
//
//	no noise gives 0
func Chernoff(noise []Noise, delta float64) float64 {
	var widest float64
	for _, v := range noise {
		widest = math.Max(widest, v.Scale)
	}
	if widest == 0 {
		return 0
	}
	target := bitexact.Ln(2 / delta)
	below, above := bracket(noise, widest, target)
	lo, hi := 0.0, 1.0 // of h·widest
	for {
		mid := lo + float64((hi-lo)/2)
		if mid <= lo || mid >= hi {
			break
		}
		if mid <= below || mid < above && slope(noise, mid/widest) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return math.Inf(1)
	}
	return exponent(noise, lo/widest, target) * widest / lo
}

// bracket returns numbers around the root of slope − target in h·widest, so far
// from it that rounding errors of slope do not reach them: bisection need not
// look outside, and ends where it would without. The root is found by Newton's
// method from the right, where the convex slope keeps it: slope is at least
// m·z/(1−z) for the m variables of the widest scale and z = (h·widest)².
//
// The distance is 2⁻⁴² of the root, and 64 times the error of Σ count terms that
// are each wrong by 2⁻⁵².
func bracket(noise []Noise, widest, target float64) (below, above float64) {
	var all, most float64
	for _, v := range noise {
		all += float64(v.Count)
		if v.Scale == widest {
			most += float64(v.Count)
		}
	}
	x := math.Sqrt(target / (target + most))
	for range 12 {
		var rise float64
		for _, v := range noise {
			z := float64(float64(float64(x*v.Scale)/widest) * float64(float64(x*v.Scale)/widest))
			rise += float64(float64(float64(v.Count)*float64(2*z)) * float64((1+z)/float64((1-z)*(1-z))))
		}
		step := (slope(noise, x/widest) - target) / rise
		if x -= float64(x * step); math.Abs(step) < 0x1p-24 {
			break
		}
	}
	away := 0x1p-42 + float64(0x1p-46*all)/target
	below, above = x-float64(x*away), x+float64(x*away)
	if below > 0 && above < 1 && slope(noise, below/widest) < target && slope(noise, above/widest) >= target {
		return below, above
	}
	return 0, 1
}

// slope returns Σ [2h²b²/(1−h²b²) + ln(1−h²b²)].
func slope(noise []Noise, h float64) float64 {
	var sum float64
	for _, v := range noise {
		z := float64(float64(h*v.Scale) * float64(h*v.Scale))
		sum += float64(float64(v.Count) * (float64(2*z)/(1-z) + bitexact.Ln(1-z)))
	}
	return sum
}

// exponent returns ln(2/δ) − Σ ln(1−h²b²).
func exponent(noise []Noise, h, target float64) float64 {
	sum := target
	for _, v := range noise {
		z := float64(float64(h*v.Scale) * float64(h*v.Scale))
		sum -= float64(float64(v.Count) * bitexact.Ln(1-z))
	}
	return sum
}

var _ Bonus = (*Quantile)(nil)

// Quantile is the bonus Γ_n = Chernoff(noise in a sum of n rows, level): with
// probability at least 1 − level one released sum lies within Γ_n of the exact
// one. For all arms and rounds together the level is δ/(K·horizon).
//
// Values are tabulated when first needed, by the shape of the noise. Where
// every n has a noise of its own they are tabulated by n below 2²⁰, in blocks
// made when first needed, 8 MiB at most, and computed anew from there on. The
// table may be shared by runs and goroutines, because every entry is a pure
// function of its place.
type Quantile struct {
	level  float64
	shape  func(n int64) int
	noise  func(n int64) []Noise
	cells  []atomic.Uint64         // by shape: bits of Γ; 0 means not yet computed, or Γ = 0
	blocks []atomic.Pointer[block] // by n, when there are no shapes
}

const (
	blockBits = 12
	maxBlocks = 256
)

// block is a part of the table by n.
type block [1 << blockBits]atomic.Uint64

// NewQuantile returns the bonus at a level in (0,1). Sums of n rows with equal
// shape(n) in [0, shapes) must have equal noise(n). With shapes = 0 every n has
// a noise of its own and shape is not called.
func NewQuantile(level float64, shapes int, shape func(n int64) int, noise func(n int64) []Noise) *Quantile {
	q := &Quantile{level: level, shape: shape, noise: noise, cells: make([]atomic.Uint64, shapes)}
	if shapes == 0 {
		q.blocks = make([]atomic.Pointer[block], maxBlocks)
	}
	return q
}

// Gamma returns Γ_n for n ≥ 1.
func (q *Quantile) Gamma(n int64) float64 {
	cell := q.cell(n)
	if cell == nil {
		return Chernoff(q.noise(n), q.level)
	}
	if b := cell.Load(); b != 0 {
		return math.Float64frombits(b)
	}
	gamma := Chernoff(q.noise(n), q.level)
	cell.Store(math.Float64bits(gamma))
	return gamma
}

// cell returns the place of Γ_n in the table; nil when it has none.
func (q *Quantile) cell(n int64) *atomic.Uint64 {
	if q.blocks == nil {
		return &q.cells[q.shape(n)]
	}
	i := n >> blockBits
	if i >= maxBlocks {
		return nil
	}
	b := q.blocks[i].Load()
	if b == nil {
		q.blocks[i].CompareAndSwap(nil, new(block))
		b = q.blocks[i].Load()
	}
	return &b[n&(1<<blockBits-1)]
}
