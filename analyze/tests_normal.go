package analyze

import (
	"fmt"

	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/moments"
	"banditaudit/schemas"
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

// rare is the number of successes, and of failures, below which a mean of 0 and
// 1 is too skewed for a test that takes it as normal.
const rare = 15

// judged is a raw test that was carried out. Where it takes means of independent
// rewards of 0 and 1 as normal, it says where they are not.
func (s *sample) judged(t *Test, r hypothesis.Result, arms ...int) rawTest {
	out := existing(r)
	if out.against.stands() || !t.Approximate || !s.binaryRows() {
		return out
	}
	for _, arm := range arms {
		ones, n := s.sums.ones[arm], s.sums.scalar[arm].N
		if fewest := min(ones, n-ones); fewest < rare {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the rewards of arm %s are 0 and 1, and %s of one of them is below %d, so that the mean is far from normal and the p-value can be much too small; write test: exact",
				s.name(arm), schemas.Grouped(fewest), rare))
		}
	}
	return out
}
