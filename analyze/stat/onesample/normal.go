package onesample

import (
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
)

// studentTest is Student's t, of two arms with one variance; by unit the clustered
// t.
func studentTest() Test {
	return Test{
		Name: "t", Approximate: true, ByUnit: true,
		Mean: func(x Rewards, h Null) hypothesis.Result {
			if x.Units != nil {
				return hypothesis.Clustered(*x.Units, h.Value, h.Alternative, h.LogAlpha)
			}
			return hypothesis.Student(x.Scalar, h.Value, h.Alternative, h.LogAlpha)
		},
		Difference: byUnitOr(hypothesis.Student2),
	}
}

// welchTest is Welch's t of two arms; by unit the clustered t.
func welchTest() Test {
	return Test{Name: "welch", Approximate: true, ByUnit: true, Difference: byUnitOr(hypothesis.Welch)}
}

// normalTest is the z test, with a declared standard deviation.
func normalTest() Test {
	return Test{
		Name: "z", Sigma: true, Approximate: true,
		Mean: func(x Rewards, h Null) hypothesis.Result {
			return hypothesis.Normal(x.Scalar, h.Value, *h.Sigma, h.Alternative, h.LogAlpha)
		},
		Difference: func(p Pair, h Null) hypothesis.Result {
			return hypothesis.NormalDifference(p.A.Scalar, p.B.Scalar, h.Value, *h.Sigma, h.Alternative, h.LogAlpha)
		},
	}
}

// byUnitOr is the clustered t of two arms where units own several rows, else the
// test of rows.
func byUnitOr(rows func(a, b moments.Scalar, value float64, alt hypothesis.Alternative, logAlpha float64) hypothesis.Result) func(Pair, Null) hypothesis.Result {
	return func(p Pair, h Null) hypothesis.Result {
		if p.Units != nil {
			return hypothesis.ClusteredDifference(*p.Units, h.Value, h.Alternative, h.LogAlpha)
		}
		return rows(p.A.Scalar, p.B.Scalar, h.Value, h.Alternative, h.LogAlpha)
	}
}
