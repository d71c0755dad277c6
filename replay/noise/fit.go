package noise

import (
	"fmt"
	"math"
)

// Fit holds recovered noise against its declared law: six tests that share
// Level, the ratio of the scale found to the one declared, and where a test
// rejects, or values were redrawn, the explanations that were tried. Equal inputs give equal results.
//
// Special cases are:
//
//	no draws: no test is done, nothing is rejected, numbers are NaN
//	draws of more than 256 variables on a lattice wider than a thousandth of
//	their scale, or that are no numbers, enter no test
//	draws with an Error: the test of the scale allows for it, and where it is
//	not far below the scale no other is done (Blurred)
func Fit(in Input) Result {
	s := in.sample(in.Draws, nil)
	r := Result{Recovered: int64(len(in.Draws)), Tested: int64(len(s.vars)), Blurred: s.blurred, Detectable: s.detectable()}
	found := s.ratios()
	r.Ratio, r.Lo, r.Hi = found.at, found.lo, found.hi
	s.both(func() { r.Groups, r.Ranked = groups(s), s.ranked() }, func() { r.Tests = tests(s, found.at) })
	if growth := &r.Tests[4]; growth.Rejected && len(s.vars) >= fewest { // of a few draws κ would say them
		k := exponent(s.vars, s.weights(1))
		growth.Detail += fmt.Sprintf("; the scale grows as n^%.3g (%.3g, %.3g)", k.at, k.lo, k.hi)
	}
	for _, t := range r.Tests {
		r.Rejected = r.Rejected || t.Rejected
	}
	if r.Rejected || in.Redrawn {
		r.Hypotheses, r.Spent = explain(&in, s, &r)
	}
	return r
}

// tests does the six. Where the test of the scale rejects, the others take the scale that
// was found: they ask whether anything else is wrong. All of them together reject a
// declared law with probability Level at most all the same, since one has rejected then.
func tests(s *drawn, found float64) []Test {
	w, ratio := s.weights(1), 1.0
	scale := s.scale(w)
	if scale.Rejected && found > 0 && !math.IsInf(found, 1) {
		w, ratio = s.weights(found), found
	}
	return append([]Test{scale}, others(s, w, ratio)...)
}

// others does the tests that do not ask for the scale, on w with scales of ratio
// times the declared ones.
func others(s *drawn, w []float64, ratio float64) []Test {
	if s.blurred {
		out := []Test{newTest("shape"), newTest("sign"), newTest("independence"), newTest("growth"), newTest("arms")}
		for i := range out {
			out[i] = out[i].tooFew("the released values are rounded too coarsely for it")
		}
		return out
	}
	out := make([]Test, 5)
	s.both(func() {
		out[0], out[1], out[3] = s.shape(w, ratio), s.sign(), s.growth(w)
	}, func() { // these two number the values of the draws
		out[2], out[4] = independenceTest(s, w, ratio), armsTest(s, w, ratio)
	})
	return out
}
