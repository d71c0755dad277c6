package noise

import "math"

// Result is what Fit found. Numbers that do not exist are NaN.
type Result struct {
	Recovered int64  // draws, sums of several counted once
	Tested    int64  // of these: those on which the numbers rest; the law of the others is not computed
	Blurred   bool   // rounding leaves the test of the scale alone
	Tests     []Test // always the six, in the order of their names in doc.go
	Rejected  bool   // one of them is
	// Ratio is the scale found over the one declared; NaN without draws. Lo and
	// Hi invert the test of the scale: 1 lies outside exactly where it rejects.
	Ratio, Lo, Hi float64
	// Detectable is the factor f > 1 such that noise of f times the declared
	// scale, and of 1/f times it, is rejected by the test of the scale with
	// probability 0.8 at least, of this many draws; +Inf where no factor is, or a draw
	// lies on a lattice wider than a tenth of its scale.
	Detectable float64
	Groups     []Group // by arm, then scale; see Group
	Ranked     *Ranked // nil for fewer than 100 draws, or Blurred
	// Hypotheses are empty unless Rejected or Input.Redrawn; what fits comes first.
	Hypotheses []Hypothesis
	// Spent is the ε that the releases cost the row that paid most under the
	// first hypothesis that fits, if that is the law; nil where none does, it cannot
	// be computed, or the intervals of those that fit have no number in common.
	Spent *Spent
}

// Test is one test of recovered noise.
type Test struct {
	Name      string  // scale | shape | sign | independence | growth | arms
	Statistic float64 // NaN where there are too few draws
	P         float64 // NaN likewise
	Level     float64 // Share
	Rejected  bool    // P ≤ Level
	Detail    string  // one sentence: the law under which P was computed
	// Finds is the number of what was compared with the least deviation that it lets the test
	// find: with probability 0.8 (scale, sign, growth), or wherever the log shows it.
	Finds string
}

// Group is recovered noise of one arm and one declared scale, or, in an arm of
// more than 64 scales, of those within a factor of two.
type Group struct {
	Arm   int
	Scale float64 // the smallest of the group
	Draws int64
	// Ratio is as in Result; 1 lies outside of Lo and Hi where the bound of Ville
	// rejects at Share, whatever made the policy play the arm as often.
	Ratio, Lo, Hi float64
}

// Hypothesis is an explanation of noise that contradicts the declared law.
type Hypothesis struct {
	// Name is scale | no-noise | fresh-prefixes | noise-on-mean |
	// noise-over-n-twice | shared-noise.
	Name  string
	Words string // one sentence
	Bare  string // that without numbers; "" where there are none in it
	// Settles is the key of a protocol that would declare such noise; "" where none would.
	Settles string
	// Value is the ratio of scales for scale and no-noise, the exponent κ of
	// b(n)·n^κ for noise-on-mean, noise-over-n-twice and fresh-prefixes, the
	// share of equal draws for shared-noise.
	Value, Lo, Hi float64
	Rows          int64   // draws or releases on which it was tried
	Explained     int64   // of these: all where Fits, as they are tested together
	Largest       float64 // NaN: the largest deviation would belong to a single draw, and show a sum
	P             float64 // of a test of it; NaN where it is compared and not tested
	Fits          bool    // then it explains more than the declared law: its BIC is smaller, where both have one
	// Releases says that it was tried on releases, and not on draws: on those that were
	// examined alone.
	Releases bool
}

// Spent is an ε with its interval.
type Spent struct {
	Hypothesis string // name
	Epsilon    float64
	Lo, Hi     float64
	AtLeast    bool // not all rows or releases were tried: some row may have paid more
}

func newTest(name string) Test {
	return Test{Name: name, Statistic: math.NaN(), P: math.NaN(), Level: Share}
}

// tooFew returns the test not done, and why.
func (t Test) tooFew(why string) Test {
	t.Detail = "not done: " + why
	return t
}

// of returns the test done.
func (t Test) of(statistic, p float64, detail string) Test {
	t.Statistic, t.P, t.Detail = statistic, p, detail
	t.Rejected = p <= t.Level
	return t
}

// smallest returns the smallest P, times the number of tests that could be
// done: a P of all of them together; NaN when none could.
func smallest(tests []Test) float64 {
	p, done := math.NaN(), 0
	for _, t := range tests {
		if math.IsNaN(t.P) {
			continue
		}
		if done++; done == 1 || t.P < p {
			p = t.P
		}
	}
	return min(1, p*float64(done))
}
