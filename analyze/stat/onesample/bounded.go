package onesample

import (
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// kinds of question about means of which a test is the default.
func ofMeans() []string               { return []string{schemas.TestMean} }
func ofMeansAndDifferences() []string { return []string{schemas.TestMean, schemas.TestDifference} }

// betsTest holds for bounded rewards at every number of rows. It bets on rows, and
// a unit's rows are not bets on the mean of the arm.
func betsTest() Test {
	return Test{
		Name: "bets", Constant: true, GivenPast: true, Usual: ofMeans(), Interval: schemas.IntervalBets,
		Mean: ofMean(Rewards.Betted, hypothesis.Bets), Difference: ofMean(Pair.betted, hypothesis.BetsDifference),
	}
}

// Betted is what fixed bets on the rewards won.
func (x Rewards) Betted() *hypothesis.Betted {
	return &hypothesis.Betted{Bets: *x.Bets, Mean: MeanOf(x.Scalar), Lo: x.Lo, Hi: x.Hi}
}

func (p Pair) betted() *hypothesis.BettedPair {
	return &hypothesis.BettedPair{A: *p.A.Betted(), B: *p.B.Betted()}
}

// hoeffdingTest holds for bounded rewards at every number of rows.
func hoeffdingTest() Test {
	return Test{Name: "hoeffding", ByUnit: true, Mean: ofMean(Rewards.bounded, hypothesis.Hoeffding), Difference: ofMean(Pair.bounded, hypothesis.HoeffdingDifference)}
}

// bernsteinTest is the empirical Bernstein test, which is sharper than Hoeffding's
// where the variance is small.
func bernsteinTest() Test {
	return Test{
		Name: "bernstein", ByUnit: true, Usual: ofMeansAndDifferences(), Interval: schemas.IntervalBernstein,
		Mean: ofMean(Rewards.bounded, hypothesis.Bernstein), Difference: ofMean(Pair.bounded, hypothesis.BernsteinDifference),
	}
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
