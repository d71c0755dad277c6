package analyze

import "banditaudit/analyze/hypothesis"

// hoeffdingTest holds for bounded rewards at every number of rows.
func hoeffdingTest() Test {
	return Test{Name: "hoeffding", ByUnit: true, Mean: ofMean(Rewards.bounded, hypothesis.Hoeffding), Difference: ofMean(Pair.bounded, hypothesis.HoeffdingDifference)}
}

// bernsteinTest is the empirical Bernstein test, which is sharper than Hoeffding's
// where the variance is small.
func bernsteinTest() Test {
	return Test{Name: "bernstein", ByUnit: true, Mean: ofMean(Rewards.bounded, hypothesis.Bernstein), Difference: ofMean(Pair.bounded, hypothesis.BernsteinDifference)}
}

// ofMean is a test of what it reads of the rewards.
func ofMean[R, D any](reads func(R) D, test func(D, float64, hypothesis.Alternative, float64) hypothesis.Result) func(R, Null) hypothesis.Result {
	return func(x R, h Null) hypothesis.Result { return test(reads(x), h.Value, h.Alternative, h.LogAlpha) }
}

func (x Rewards) bounded() hypothesis.Bounded {
	if x.Units != nil {
		return hypothesis.BoundedUnits(*x.Units, x.Lo, x.Hi)
	}
	return hypothesis.BoundedRows(x.Scalar, x.Lo, x.Hi)
}

func (p Pair) bounded() hypothesis.BoundedPair {
	if p.Units != nil {
		return hypothesis.BoundedPairUnits(*p.Units, p.A.Lo, p.A.Hi)
	}
	return hypothesis.BoundedPairRows(p.A.Scalar, p.B.Scalar, p.A.Lo, p.A.Hi)
}
