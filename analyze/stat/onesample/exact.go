package onesample

import (
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// exactTest is the binomial test of one arm, and Fisher's of two. It is the default
// where rewards are 0 or 1 by type and rows independent.
func exactTest() Test {
	return Test{
		Name: "exact", Binary: true, OneMean: true, Usual: ofMeansAndDifferences(), Interval: schemas.IntervalExact,
		Mean: func(x Rewards, h Null) hypothesis.Result {
			return hypothesis.Binomial(x.Ones, x.N, h.Value, h.Alternative, h.LogAlpha)
		},
		Difference: func(p Pair, h Null) hypothesis.Result {
			return hypothesis.Fisher(p.A.successes(), p.B.successes(), h.Value, h.Alternative, h.LogAlpha)
		},
	}
}

func (x Rewards) successes() hypothesis.Successes { return hypothesis.Successes{X: x.Ones, N: x.N} }
