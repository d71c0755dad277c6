package noise

import "fmt"

// otherScale is the hypothesis that all noise is the declared one times a
// number. Every test but that of the scale is one of it.
func otherScale(in *Input, s *sample, r *Result) tried {
	t := tried{free: true, ratio: span{r.Ratio, r.Lo, r.Hi}}
	t.Name = "scale"
	t.Words = fmt.Sprintf("the noise has %.4g times the declared scale, and is otherwise as declared", r.Ratio)
	t.Value, t.Lo, t.Hi = r.Ratio, r.Lo, r.Hi
	t.fits(smallest(r.Tests[1:]), len(s.vars))
	t.Fits = t.Fits && scaleRejected(r) && r.Ratio > 0
	if !t.Fits {
		t.Explained = 0
	}
	if in.Epsilon > 0 {
		t.cost = func() (float64, bool) { return in.Epsilon, false }
	}
	return t
}
