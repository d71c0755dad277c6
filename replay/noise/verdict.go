package noise

import "math"

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
