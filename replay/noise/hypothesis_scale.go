package noise

import (
	"fmt"
	"math"
)

// otherScale is the hypothesis that all noise is the declared one times a
// number. Every test but the test of the scale applies to it.
func otherScale(in *Input, s *drawn, r *Result) tried {
	t := tried{free: true, once: true, ratio: span{r.Ratio, r.Lo, r.Hi}}
	t.Name, t.Settles, t.Bare = "scale", "counter.epsilon", "the noise has another scale than the declared one, and is otherwise as declared"
	t.Words = fmt.Sprintf("the noise has %.4g times the declared scale, and is otherwise as declared", r.Ratio)
	t.Value, t.Lo, t.Hi = r.Ratio, r.Lo, r.Hi
	t.bic = math.NaN()
	if !(r.Ratio > 0) || math.IsInf(r.Ratio, 1) {
		t.P, t.Largest, t.Rows = math.NaN(), math.NaN(), int64(len(s.vars))
		return t
	}
	w := s.weights(r.Ratio)
	t.fits(smallest(strict(s, w, r.Ratio)), len(s.vars))
	t.Fits = t.Fits && scaleRejected(r) && !in.redrawn() && !grows(exponent(s.vars, w))
	if t.Fits {
		t.bic = s.bic(r.Ratio, 0, len(in.Residues), true)
	}
	if !t.Fits {
		t.Explained = 0
	}
	if in.Epsilon > 0 {
		t.cost = func() (float64, bool) { return in.Epsilon, false }
	}
	return t
}
