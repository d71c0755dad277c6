package noise

import "math"

// noNoise is the hypothesis that nothing was added.
func noNoise(s *sample, r *Result) tried {
	t := tried{ratio: span{0, 0, r.Hi}, cost: func() float64 { return math.Inf(1) }}
	t.Name, t.Words = "no-noise", "nothing was added to the sums"
	t.Value, t.Lo, t.Hi, t.P = 0, 0, r.Hi, math.NaN()
	t.Rows = int64(len(s.vars))
	for i := range s.vars {
		v := &s.vars[i]
		if v.lattice > 0 && v.k == 0 || v.lattice == 0 && v.size <= dust*v.scale {
			t.Explained++
		}
		if v.k > 0 || v.lattice == 0 {
			t.Largest = max(t.Largest, v.size/v.scale)
		}
	}
	t.Fits = t.Explained == t.Rows && scaleRejected(r)
	return t
}

// dust is what rounding may leave of a sum without noise, in scales.
const dust = 1e-9

func scaleRejected(r *Result) bool { return r.Tests[0].Rejected }
