package noise

import "math"

// noNoise is the hypothesis that nothing was added; it is not tried where no draw
// is 0.
func noNoise(s *drawn, r *Result) tried {
	t := tried{bic: math.NaN(), ratio: span{0, 0, r.Hi}, cost: func() (float64, bool) { return math.Inf(1), false }}
	t.Name, t.Words = "no-noise", "nothing was added to the sums"
	t.Value, t.Lo, t.Hi, t.P = 0, 0, r.Hi, math.NaN()
	t.Rows = int64(len(s.vars))
	for i := range s.vars {
		if v := &s.vars[i]; v.lattice > 0 && v.k == 0 && v.err == 0 || v.size <= float64(dust*v.scale)+v.err && (v.lattice == 0 || v.err > 0) {
			t.Explained++
		}
	}
	t.Largest = math.NaN() // but for 0 the largest would belong to a single draw
	if t.Explained == 0 {
		t.Rows = 0
		return t
	}
	t.Fits = t.Explained == t.Rows
	return t
}

// dust is what rounding may leave of a sum without noise, in scales.
const dust = 1e-9

func scaleRejected(r *Result) bool { return r.Tests[0].Rejected }
