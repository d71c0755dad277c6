package noise

import (
	"math"
	"slices"
)

// fewest is the number of draws below which no law is said to fit.
const fewest = 20

// most is the number of releases on which a law is tried that takes each release
// for itself: evenly spread over the log where there are more.
const most = 2048

// tried is a hypothesis with what ranks it and what its ε is computed from.
type tried struct {
	Hypothesis
	free  bool // the scale was fitted
	ratio span
	cost  func() (epsilon float64, atLeast bool) // at the declared scale; nil: not known
}

// explain tries the hypotheses and returns them, what fits first and of these
// what needs no fitted scale, with the ε of the first if it fits.
func explain(in *Input, s *sample, r *Result) ([]Hypothesis, *Spent) {
	all := []tried{noNoise(s, r), sharedNoise(in, s, r), otherScale(in, s, r)}
	anew := false
	if !all[0].Fits && in.Residues != nil {
		releases := otherReleases(in)
		anew = in.Redrawn && releases[0].Fits
		all = append(all, releases...)
	}
	all = slices.DeleteFunc(all, func(t tried) bool { return t.Rows == 0 || anew && t.once() })
	slices.SortStableFunc(all, rank)
	out := make([]Hypothesis, len(all))
	for i := range all {
		out[i] = all[i].Hypothesis
	}
	if len(all) == 0 || !all[0].Fits || all[0].cost == nil {
		return out, nil
	}
	first := &all[0]
	cost, atLeast := first.cost()
	spent := Spent{Hypothesis: first.Name, Epsilon: cost, Lo: cost / first.ratio.hi, Hi: cost / first.ratio.lo, AtLeast: atLeast}
	if first.free {
		spent.Epsilon = cost / first.ratio.at
	}
	spent.Lo, spent.Hi = min(spent.Lo, spent.Epsilon), max(spent.Hi, spent.Epsilon)
	if in.More > 0 && first.Name != "scale" {
		spent.Hi = math.Inf(1) // of the releases that were examined
	}
	if math.IsInf(cost, 1) {
		spent.Lo, spent.Hi = cost, cost
	}
	if !(cost > 0) {
		return out, nil
	}
	return out, &spent
}

// once reports whether by the hypothesis the noise of a value is drawn once, which
// explains no value that is shown with other noise; one that costs ∞ does by
// what it shows.
func (t *tried) once() bool {
	switch t.Name {
	case "scale", "noise-on-mean", "noise-over-n-twice":
		return true
	}
	return false
}

// rank orders by fit, then by what was fitted, then by P.
func rank(a, b tried) int {
	switch {
	case a.Fits != b.Fits:
		return first(a.Fits)
	case a.free != b.free:
		return first(b.free)
	case a.P > b.P:
		return -1
	case a.P < b.P:
		return 1
	}
	return 0
}

func first(is bool) int {
	if is {
		return -1
	}
	return 1
}

// held holds a sample against its law with the declared scale, and where that
// is rejected with the scale at which Σw is its mean. It returns P of all tests
// together and the ratio of scales.
func held(s *sample) (p, ratio float64) {
	w := s.weights(1)
	if p = smallest(append([]Test{scaleTest(s, w)}, others(s, w)...)); p > Level || len(w) == 0 {
		return p, 1
	}
	ratio = ratioWith(s.total(nil), float64(len(w)))
	if !(ratio > 0) || math.IsInf(ratio, 1) {
		return p, 1
	}
	return smallest(others(s, s.weights(ratio))), ratio
}

// fits decides on a test of a hypothesis: not rejected at Level, on fewest draws
// at least.
func (t *tried) fits(p float64, rows int) {
	t.P, t.Rows, t.Largest = p, int64(rows), math.NaN()
	if t.Fits = p > Level && rows >= fewest; t.Fits {
		t.Explained = t.Rows
	}
}
