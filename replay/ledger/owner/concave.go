package owner

import (
	"math"
	"math/big"
	"math/bits"

	"banditaudit/replay/ledger"
	"banditaudit/replay/policy/bitexact"
)

// Long runs take the concave majorant Ĥ of H in the place of the maximum over splits:
//
//	max over splits of Σ_{i≤K} H(n_i) ≤ K·Ĥ(T/K).

// point says that H is at most y up to x rows.
type point struct{ x, y int64 }

// majorant returns the corners of the least concave function that is not below points,
// which ascend in x and do not fall in y, and 0 at 0.
func majorant(points []point) []point {
	hull := []point{{}}
	for _, p := range points {
		for len(hull) > 1 && !above(hull[len(hull)-2], hull[len(hull)-1], p) {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	return hull
}

// above reports whether b lies above the line from a to c.
func above(a, b, c point) bool {
	hi, lo := bits.Mul64(uint64(b.y-a.y), uint64(c.x-a.x))   //nolint:gosec // neither falls
	hi2, lo2 := bits.Mul64(uint64(c.y-a.y), uint64(b.x-a.x)) //nolint:gosec // neither falls
	return hi > hi2 || hi == hi2 && lo > lo2
}

// spread returns K·Ĥ(T/K), rounded up; T·Ĥ(1) for K = 0 and for K above T.
func spread(hull []point, arms int, size int64) int64 {
	k := int64(arms)
	if k == 0 || k > size {
		k = size
	}
	out := big.NewInt(math.MaxInt64 / 4)
	for i := 1; i < len(hull); i++ { // a concave function is the least of its lines
		if v := line(hull[i-1], hull[i], k, size); v.Cmp(out) < 0 {
			out = v
		}
	}
	return out.Int64()
}

// line returns k times what the line through a and b is at size/k, rounded up.
func line(a, b point, k, size int64) *big.Int {
	rise := new(big.Int).Mul(big.NewInt(b.y-a.y), new(big.Int).Sub(big.NewInt(size), new(big.Int).Mul(big.NewInt(k), big.NewInt(a.x))))
	run := big.NewInt(b.x - a.x)
	rise.Add(rise, run).Sub(rise, big.NewInt(1))
	rise.Div(rise, run) // towards −∞, so that the sum is rounded up
	return rise.Add(rise, new(big.Int).Mul(big.NewInt(k), big.NewInt(a.y)))
}

// concave is the allocation over the majorant.
func concave(theta []int64, points func(theta int64) []point, arms int, sizes []int64) *allocation[int64] {
	return newAllocation(theta, func(theta int64) int64 {
		hull := majorant(points(theta))
		var sum int64
		for _, t := range sizes {
			sum += spread(hull, arms, t)
		}
		return sum
	})
}

// everySize are the points of a profile.
func everySize(p *profile[int64]) func(theta int64) []point {
	return func(theta int64) []point {
		h := p.excess(theta)
		out := make([]point, len(h)-1)
		for s := range out {
			out[s] = point{int64(s + 1), h[s+1]}
		}
		return out
	}
}

// grid are the costs of streams of some lengths by a law's levels, in units of ε/2^30
// and rounded up.
type grid struct {
	unit   ledger.Loss
	sizes  []int64
	levels [][]weight // by size
}

type weight struct{ cost, rows int64 }

// Bounds of a grid.
const (
	gridSizes  = 500
	gridLevels = 200_000 // of all sizes together
	gridUnits  = int64(1) << 30
	gridRows   = int64(1) << 30 // the longest run, so that a sum of costs fits a number
)

// newGrid looks at streams of up to size rows; false where they are too long.
func newGrid(law ledger.Law, size int64) (*grid, bool) {
	if size > gridRows || law.Epsilon().IsInf() {
		return nil, false
	}
	g := &grid{unit: law.Epsilon().Over(gridUnits)}
	count := max(16, min(gridSizes, gridLevels/max(1, len(law.Levels(size)))))
	step := bitexact.Exp(math.Log(float64(size)) / float64(count))
	for s, x := int64(1), 1.0; ; x *= step {
		s = min(max(s, int64(x)), size)
		g.sizes, g.levels = append(g.sizes, s), append(g.levels, g.weights(law, s))
		if s == size {
			return g, true
		}
		s++
	}
}

func (g *grid) weights(law ledger.Law, size int64) []weight {
	var out []weight
	for _, l := range law.Levels(size) {
		q := new(big.Rat).Quo(l.Cost.Rat(), g.unit.Rat())
		up := new(big.Int).Add(q.Num(), new(big.Int).Sub(q.Denom(), big.NewInt(1)))
		out = append(out, weight{up.Quo(up, q.Denom()).Int64(), l.Rows})
	}
	return out
}

// thetas are 0 and the costs of the longest stream, ascending.
func (g *grid) thetas() []int64 {
	out := []int64{0}
	for _, w := range g.levels[len(g.levels)-1] {
		if w.cost > 0 {
			out = append(out, w.cost)
		}
	}
	return out
}

// points bound H_θ between two sizes by what it is at the upper one.
func (g *grid) points(theta int64) []point {
	var out []point
	before := int64(0)
	for i, s := range g.sizes {
		var h int64
		for _, w := range g.levels[i] {
			h += max(0, w.cost-theta) * w.rows
		}
		if before+1 < s {
			out = append(out, point{before + 1, h})
		}
		out, before = append(out, point{s, h}), s
	}
	return out
}
