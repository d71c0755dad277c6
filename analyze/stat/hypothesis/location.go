package hypothesis

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// Location is an estimate whose error, divided by StdErr, has Student's t law
// with DF degrees of freedom, or the normal law if DF is +Inf.
type Location struct {
	Estimate float64
	StdErr   float64 // > 0
	DF       float64 // > 0, +Inf for the normal law
}

// Test tests the parameter behind the estimate against a value,
//
//	statistic = (estimate − value)/stdErr
//
// and gives the interval of all values that the same test at level α =
// e^logAlpha does not reject; a one-sided test has a one-sided interval.
// N is left 0. Special cases are:
//
//	StdErr = 0 or NaN, or DF ≤ 0 or NaN: statistic, p and interval are NaN
//	Estimate or value NaN: statistic and p are NaN
//	a quantile beyond the largest float64: infinite ends
func (l Location) Test(value float64, alt Alternative, logAlpha float64) Result {
	r := Result{
		Estimate: l.Estimate, StdErr: l.StdErr, DF: l.DF,
		Statistic: math.NaN(), LogP: math.NaN(), Lo: math.NaN(), Hi: math.NaN(),
	}
	if !(l.StdErr > 0) || !(l.DF > 0) {
		return r
	}
	r.Statistic = (l.Estimate - value) / l.StdErr
	r.LogP = l.logP(r.Statistic, alt)
	r.Lo, r.Hi = l.Interval(alt, logAlpha)
	return r
}

func (l Location) logP(statistic float64, alt Alternative) float64 {
	switch alt {
	case Greater:
		return tail.LogStudent(statistic, l.DF)
	case Less:
		return tail.LogStudent(-statistic, l.DF)
	default:
		return tail.LogStudentTwoSided(statistic, l.DF)
	}
}

// Interval returns the confidence interval at level 1 − α, α = e^logAlpha,
//
//	estimate ± q·stdErr,  P(T > q) = α/2 (two-sided) or α (one-sided)
//
// Special cases are the same as in [Location.Test].
func (l Location) Interval(alt Alternative, logAlpha float64) (lo, hi float64) {
	if !(l.StdErr > 0) || !(l.DF > 0) || math.IsNaN(l.Estimate) {
		return math.NaN(), math.NaN()
	}
	switch alt {
	case Greater:
		return l.Estimate - float64(l.StdErr*tail.StudentQuantile(logAlpha, l.DF)), math.Inf(1)
	case Less:
		return math.Inf(-1), l.Estimate + float64(l.StdErr*tail.StudentQuantile(logAlpha, l.DF))
	default:
		d := float64(l.StdErr * tail.StudentQuantile(logAlpha-math.Ln2, l.DF))
		return l.Estimate - d, l.Estimate + d
	}
}
