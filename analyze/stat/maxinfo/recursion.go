package maxinfo

import (
	"fmt"
	"math"

	"banditaudit/replay/policy/bitexact"
)

// RecursionRows is the largest number of rows that [Recursion] takes.
const RecursionRows = 1000

// Recursion returns the correction by an outer bound of the largest hockey-
// stick divergence that rows of the given costs can add up to,
//
//	W_0(x) = (1 − e^x)₊
//	W_m(x) = max_{u∈[0,c_m]} q_u·W_{m−1}(x−u) + (1−q_u)·W_{m−1}(x−u+c_m)
//	q_u    = (1 − e^{u−c_m})/(1 − e^{−c_m})
//	p_corr = min( min_x e^x·p + W_n(x), e^{Σ c_t}·p )
//
// on a grid of step h. Each cost is rounded up to a multiple of h, then raised
// by h, so that a row's law between two points of the grid is inside the law of the wider
// row with u on the grid; left of the grid W is taken as 1, right of it as its last value,
// and n·2^−50 is added for rounding. What comes out is never below the exact W. Cheap rows
// are taken first: any order holds, and in the cases compared this one gave less than its
// reverse.
//
// The step is the largest cost divided by the largest M ≤ 400 for which the
// work stays near 4·10⁸ steps, a third of a second. σ is inflated by about 1/M
// where costs are equal (M is about 36 for 1,000 rows, 60 for 500, 220 for
// 100), by more where many rows cost far less than the largest. Nothing below
// about n·10⁻¹⁵ can come out of the grid: for p below 1e-10 take the [Least] of
// it and [Moments]. Source: own derivation, internally reviewed.
//
// It returns an error where more than [RecursionRows] rows have a cost above
// 0, or a cost is below 0 or NaN. Special cases are the same as in [Renyi].
func Recursion(levels []Level) (Conditional, error) {
	rows := merged(levels)
	if len(rows) > 0 && !(rows[0].Cost >= 0) {
		return nil, fmt.Errorf("the recursion takes costs of 0 or more, got %g: give each row its cost in the ledger", rows[0].Cost)
	}
	if len(rows) > 0 && rows[0].Cost == 0 {
		rows = rows[1:]
	}
	if n := rowsOf(rows); n > RecursionRows {
		return nil, fmt.Errorf("the recursion takes at most %d rows that cost anything, got %d: use the form by moments", RecursionRows, n)
	}
	total := Total(rows)
	if total == 0 || math.IsInf(total, 1) {
		return recursion{total: total}, nil
	}
	return recurse(rows, recursionParts(rows)), nil
}

// recursion holds W on the grid.
type recursion struct {
	step  float64
	below int       // the index of x = 0
	w     []float64 // W, rounded up
	total float64   // Σ c_t, beyond which W is 0
}

// Name returns what it is, in words.
func (recursion) Name() string { return "outer grid of the recursion over the rows given the actions" }

// Apply returns ln p_corr, rounded up.
func (r recursion) Apply(logP float64) float64 {
	if q, done := plain(logP, r.total); done {
		return q
	}
	best := math.Inf(1)
	for i, w := range r.w {
		x := r.x(i)
		// e^x beyond the range of numbers is no candidate.
		if v := bitexact.Exp(x+float64(slack*math.Abs(x))+logP) + w; v < best {
			best = v
		}
	}
	q := min(math.Log(best)+0x1p-46, upward(logP+float64(r.total*(1+slack))))
	return max(logP, min(0, q))
}

// Level returns the ln of the largest raw level that Apply takes to α, rounded
// down.
func (r recursion) Level(logAlpha float64) float64 {
	if g, done := plainLevel(logAlpha, r.total); done {
		return g
	}
	alpha, best := bitexact.Exp(logAlpha), logAlpha-r.total
	for i, w := range r.w {
		if w < alpha {
			best = max(best, math.Log(alpha-w)-r.x(i))
		}
	}
	return settled(downward(best), logAlpha, r.Apply)
}

func (recursion) givenActions() {}

func (r recursion) x(i int) float64 { return float64(float64(i-r.below) * r.step) }

// recurse runs over the rows, all of cost above 0 and finite, with the largest
// cost divided into the given number of parts.
func recurse(rows []Level, parts int) recursion {
	r := recursion{step: gridStep(rows, parts), total: Total(rows)}
	below, above := gridReach(rows, r.step)
	r.below = below
	r.w = make([]float64, below+above+1)
	for i := range r.w[:below] {
		r.w[i] = -math.Expm1(r.x(i))
	}
	widest := gridWidth(rows[len(rows)-1].Cost, r.step)
	from := make([]float64, len(r.w)+2*widest)
	for _, l := range rows {
		width := gridWidth(l.Cost, r.step)
		q := topShares(width, r.step)
		for range l.Rows {
			addRow(r.w, from[:len(r.w)+2*width], q)
		}
	}
	lost := float64(float64(rowsOf(rows)) * 0x1p-50)
	for i := range r.w {
		r.w[i] = min(1, r.w[i]+lost)
	}
	return r
}

// addRow takes W one row further. from is room for W with len(q)−1 = width more
// points on either side.
func addRow(w, from, q []float64) {
	width := len(q) - 1
	for i := range width {
		from[i] = 1
		from[width+len(w)+i] = w[len(w)-1]
	}
	copy(from[width:], w)
	// A stretch of W stays in the cache for every u. u = 0 and u = width both
	// leave W where it is.
	for start := 0; start < len(w); start += stretch {
		out := w[start:min(start+stretch, len(w))]
		for j := 1; j < width; j += 2 { // the second may be u = width
			twoShares(out, from[start+width-j-1:], from[start+2*width-j-1:], q[j:j+2])
		}
	}
}

// stretch is how many points of W are worked on at a time.
const stretch = 1024

// twoShares raises w to what u = j and u = j + 1 give. low starts one point
// before W(x−u) at u = j, high one before W(x−u+c).
func twoShares(w, low, high, q []float64) {
	a, b := q[0], q[1]
	c, d := 1-a, 1-b
	low, high = low[:len(w)+1], high[:len(w)+1]
	before, after := low[0], high[0]
	for i, v := range w {
		s := float64(b*before) + float64(d*after)
		before, after = low[i+1], high[i+1]
		if t := float64(a*before) + float64(c*after); t > s {
			s = t
		}
		if s > v {
			w[i] = s
		}
	}
}

// topShares returns q_u for u = 0, …, width steps.
func topShares(width int, step float64) []float64 {
	q := make([]float64, width+1)
	all := math.Expm1(-float64(float64(width) * step))
	for j := range q {
		q[j] = math.Expm1(float64(float64(j-width)*step)) / all
	}
	return q
}

// gridStep returns the step for which the largest cost is a little less than
// parts of it, so that rounding cannot make it more.
func gridStep(rows []Level, parts int) float64 {
	return rows[len(rows)-1].Cost / float64(parts) * (1 + 0x1p-40)
}

// gridWidth returns the steps of a row's range: its cost rounded up, and one.
func gridWidth(cost, step float64) int { return int(math.Ceil(cost/step)) + 1 }

// gridReach returns how many points of the grid lie on either side of x = 0.
// Above these points W is below 1e-14; below them W is within 1e-14 of 1 − e^x.
func gridReach(rows []Level, step float64) (below, above int) {
	wide := make([]Level, len(rows))
	steps := 0
	for i, l := range rows {
		width := gridWidth(l.Cost, step)
		wide[i] = Level{Cost: float64(width) * step, Rows: l.Rows}
		steps += width * int(l.Rows)
	}
	sigma := Sigma(wide)
	reach := int(math.Ceil(min((float64(8*sigma)+float64(sigma*sigma/2))/step, float64(2*steps))))
	return reach, min(reach, steps)
}

// recursionParts returns the largest M ≤ 400 with bounded work; beyond that the
// time buys no digit that matters.
func recursionParts(rows []Level) int {
	const work, most = 4e8, 400
	lo, hi := 1, most+1
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if gridWork(rows, mid) <= work {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// gridWork returns the number of products that recurse takes, halved.
func gridWork(rows []Level, parts int) float64 {
	step := gridStep(rows, parts)
	below, above := gridReach(rows, step)
	sum := 0.0
	for _, l := range rows {
		sum += float64(float64(l.Rows) * float64(gridWidth(l.Cost, step)))
	}
	return sum * float64(below+above+1)
}
