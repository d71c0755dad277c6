package noise

import (
	"cmp"
	"math"
	"slices"
)

// fewest is the number of draws below which no law is said to fit.
const fewest = 20

// most is the number of releases on which a law is tried that takes each release
// for itself: evenly spread over the log where there are more.
const most = 2048

// fitLevel is the level at which a law is no longer said to fit, above Level: what
// fits is named, and a law that the draws speak against is not.
const fitLevel = 0.01

// tried is a hypothesis with what ranks it and what its ε is computed from.
type tried struct {
	Hypothesis
	free  bool // the scale was fitted
	once  bool // the noise of a value is drawn once, which explains no value that is shown with other noise
	ratio span
	bic   float64                                // NaN: none
	cost  func() (epsilon float64, atLeast bool) // at the declared scale; nil: not known
}

// explain tries the hypotheses and returns them, what fits first, with the ε of
// the first if it fits and those that fit beside it give no other.
func explain(in *Input, s *drawn, r *Result) ([]Hypothesis, *Spent) {
	all := []tried{noNoise(s, r), sharedNoise(in, s, r), otherScale(in, s, r)}
	anew := false
	if !all[0].Fits && in.Residues != nil {
		releases := otherReleases(in)
		anew = in.Redrawn && releases[0].Fits
		all = append(all, releases...)
	}
	all = slices.DeleteFunc(all, func(t tried) bool { return t.Rows == 0 || anew && t.once })
	declared := s.bic(1, 0, len(in.Residues), false)
	for i := range all {
		all[i].beats(declared)
	}
	slices.SortStableFunc(all, rank)
	fitting := all[:fitted(all)]
	if ranked := func(t tried) bool { return !math.IsNaN(t.bic) }; !slices.ContainsFunc(fitting, func(t tried) bool { return !ranked(t) }) {
		slices.SortStableFunc(fitting, func(a, b tried) int { return cmp.Compare(a.bic, b.bic) })
	}
	spent, agree := in.spentBy(fitting)
	out := make([]Hypothesis, len(all))
	for i := range all {
		if all[i].Fits && !agree {
			all[i].Words += ", if that is the law: another explanation that fits gives another ε"
		}
		out[i] = all[i].Hypothesis
	}
	return out, spent
}

// fitted counts the hypotheses that fit, which come first.
func fitted(all []tried) int {
	n := slices.IndexFunc(all, func(t tried) bool { return !t.Fits })
	if n < 0 {
		return len(all)
	}
	return n
}

// spentBy returns the ε by the first of the hypotheses that fit, and whether the
// intervals of all of them have a number in common; nil where they do not, or one
// gives none. Intervals are compared as they are for the releases that were
// examined: beyond these, any two would agree.
func (in *Input) spentBy(fitting []tried) (first *Spent, agree bool) {
	if len(fitting) == 0 {
		return nil, true
	}
	lo, hi, known, releases := 0.0, math.Inf(1), true, false
	for i := range fitting {
		spent := fitting[i].spent()
		if spent == nil {
			known = false
			continue
		}
		if first == nil {
			first, releases = spent, fitting[i].Releases
		}
		lo, hi = max(lo, spent.Lo), min(hi, spent.Hi)
	}
	// Two that fit without noise give ∞ both.
	if agree = lo <= hi; !agree || !known {
		return nil, agree
	}
	if in.More > 0 && releases {
		first.Hi = math.Inf(1) // of the releases that were examined
	}
	return first, true
}

// spent is the ε by one hypothesis; nil where it is not known.
func (t *tried) spent() *Spent {
	if t.cost == nil {
		return nil
	}
	cost, atLeast := t.cost()
	out := Spent{Hypothesis: t.Name, Epsilon: cost, Lo: cost / t.ratio.hi, Hi: cost / t.ratio.lo, AtLeast: atLeast}
	if t.free {
		out.Epsilon = cost / t.ratio.at
	}
	out.Lo, out.Hi = min(out.Lo, out.Epsilon), max(out.Hi, out.Epsilon)
	if math.IsInf(cost, 1) {
		out.Lo, out.Hi = cost, cost
	}
	if !(cost > 0) {
		return nil
	}
	return &out
}

// beats leaves a hypothesis that fits only where it explains the draws better than the
// declared law: by a smaller BIC, where both have one.
func (t *tried) beats(declared float64) {
	if t.Fits && t.bic >= declared {
		t.Fits, t.Explained = false, 0
	}
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
func held(s *drawn) (p, ratio float64) {
	w := s.weights(1)
	if p = smallest(append(strict(s, w, 1), scaleTest(s, w))); p > fitLevel || len(w) == 0 {
		return p, 1
	}
	ratio = ratioWith(s.total(nil), float64(len(w)))
	if !(ratio > 0) || math.IsInf(ratio, 1) {
		return p, 1
	}
	return smallest(strict(s, s.weights(ratio), ratio)), ratio
}

// strict are the tests that a law must pass to fit, the scale aside: one more for
// the shape, which of few draws the others hardly tell.
func strict(s *drawn, w []float64, ratio float64) []Test {
	out := others(s, w, ratio)
	if !s.blurred {
		out = append(out, exponentTest(w))
	}
	return out
}

// fits decides on a test of a hypothesis: not rejected at fitLevel, on fewest
// draws at least.
func (t *tried) fits(p float64, rows int) {
	t.P, t.Rows, t.Largest = p, int64(rows), math.NaN()
	if t.Fits = p > fitLevel && rows >= fewest; t.Fits {
		t.Explained = t.Rows
	}
}

// grows says that the draws have another power of n than was taken: 0 lies outside
// the interval of κ at fitLevel.
func grows(k span) bool {
	half := (k.hi - k.at) * math.Erfcinv(fitLevel) / math.Erfcinv(Share)
	return math.Abs(k.at) > half
}
