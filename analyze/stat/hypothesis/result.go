package hypothesis

import (
	"fmt"
	"math"
)

// Result is the outcome of one test. A field that does not exist for a test or
// for the data is NaN, with a warning where the data are the reason.
type Result struct {
	N         int64   // rows used, of both arms for a difference
	Units     int64   // independent units that own them; 0 where a row is one
	Estimate  float64 // of the parameter tested
	StdErr    float64 // of Estimate
	Statistic float64
	DF        float64 // degrees of freedom of Statistic, of an F statistic's denominator; +Inf for the normal and the χ² law
	DF1       float64 // degrees of freedom of an F statistic's numerator; 0 for other tests
	LogP      float64 // ln p, at most 0
	Lo, Hi    float64 // interval at the level asked; ±Inf, or the end of the reward range, at the open end of a one-sided one
	Exact     bool    // under Assumes, P(p ≤ α) ≤ α for every α at every N, and not only as N grows
	Assumes   string  // one sentence: what the test assumes and what it is valid for
	Warnings  []string
}

// undefined is a Result without an answer.
func undefined(n int64) Result {
	nan := math.NaN()
	return Result{N: n, Estimate: nan, StdErr: nan, Statistic: nan, DF: nan, LogP: nan, Lo: nan, Hi: nan}
}

// untested is r without what rests on a standard error.
func untested(r Result) Result {
	nan := math.NaN()
	r.StdErr, r.DF, r.Statistic, r.LogP, r.Lo, r.Hi = nan, nan, nan, nan, nan, nan
	return r
}

// fixedActions ends the sentences on what a test is valid for.
const fixedActions = "for arms fixed in advance, or with the action sequence held fixed"

// Alternative says against which side a null value is tested.
type Alternative int

// The alternatives. The zero value is two-sided.
const (
	TwoSided Alternative = iota // the parameter differs from the value
	Greater                     // the parameter is greater than the value
	Less                        // the parameter is less than the value
)

// ParseAlternative reads "two-sided", "greater" or "less"; "" is two-sided. It
// returns an error that lists these for anything else.
func ParseAlternative(s string) (Alternative, error) {
	switch s {
	case "", "two-sided":
		return TwoSided, nil
	case "greater":
		return Greater, nil
	case "less":
		return Less, nil
	}
	return TwoSided, fmt.Errorf("hypothesis: alternative %q is unknown; write two-sided, greater or less", s)
}

// String returns the name that ParseAlternative reads.
func (a Alternative) String() string {
	switch a {
	case Greater:
		return "greater"
	case Less:
		return "less"
	default:
		return "two-sided"
	}
}
