package analyze

import "banditaudit/analyze/hypothesis"

// hoeffdingTest holds for bounded rewards at every number of rows.
func hoeffdingTest() Test {
	return Test{
		Name: "hoeffding", ByUnit: true,
		Mean: func(x Rewards, h Null) hypothesis.Result {
			return hypothesis.Hoeffding(x.bounded(), h.Value, h.Alternative, h.LogAlpha)
		},
		Difference: func(p Pair, h Null) hypothesis.Result {
			return hypothesis.HoeffdingDifference(p.bounded(), h.Value, h.Alternative, h.LogAlpha)
		},
	}
}

// bernsteinTest is the empirical Bernstein test, which is sharper than Hoeffding's
// where the variance is small.
func bernsteinTest() Test {
	return Test{
		Name: "bernstein", ByUnit: true,
		Mean: func(x Rewards, h Null) hypothesis.Result {
			return hypothesis.Bernstein(x.bounded(), h.Value, h.Alternative, h.LogAlpha)
		},
		Difference: func(p Pair, h Null) hypothesis.Result {
			return hypothesis.BernsteinDifference(p.bounded(), h.Value, h.Alternative, h.LogAlpha)
		},
	}
}

func (x *Rewards) bounded() hypothesis.Bounded {
	if x.Units != nil {
		return hypothesis.BoundedUnits(*x.Units, x.Lo, x.Hi)
	}
	return hypothesis.BoundedRows(x.Scalar, x.Lo, x.Hi)
}

func (p *Pair) bounded() hypothesis.BoundedPair {
	if p.Units != nil {
		return hypothesis.BoundedPairUnits(*p.Units, p.A.Lo, p.A.Hi)
	}
	return hypothesis.BoundedPairRows(p.A.Scalar, p.B.Scalar, p.A.Lo, p.A.Hi)
}
