package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
)

// SmallSample is the number of independent rows below which a test that holds for
// many says so. FewClusters is that number for units and clusters, whose errors are
// estimated worse: "few" ranges up to 50 of like size (Cameron & Miller 2015, doi
// 10.3368/jhr.50.2.317, section VI).
const (
	SmallSample = 30
	FewClusters = 50
)

const studentAssumes = "t test: independent rewards with one mean and one variance; " +
	"exact for normal rewards, else asymptotic, " + fixedActions + "."

// Student is the one-sample t test of a mean against a value,
//
//	t = (mean − value)/(s/√N),  df = N − 1
//
// with the interval at level 1 − α, α = e^logAlpha.
//
// Assumes: independent rewards with one mean and one variance, normal or many.
// Valid exactly for normal rewards, approximately otherwise (central limit
// theorem), for the rows of an arm fixed in advance, or with the action
// sequence held fixed. A correction magnifies the error of the approximation in
// the tail. Special cases are:
//
//	N < 2: everything but the estimate is NaN, with a warning
//	all rewards equal: statistic, p and interval are NaN, with a warning
//	2 ≤ N < 30: a warning
func Student(s moments.Scalar, value float64, alt Alternative, logAlpha float64) Result {
	l := Location{Estimate: mean(s), StdErr: s.StdErr(), DF: float64(s.N - 1)}
	r := l.Test(value, alt, logAlpha)
	r.N, r.Assumes = s.N, studentAssumes
	switch {
	case s.N < 2:
		r.DF = math.NaN()
		r.Warnings = []string{fmt.Sprintf("t test: %s no variance; at least 2 are needed", has(s.N, "row"))}
	case s.M2 == 0:
		r.Warnings = []string{"t test: all rewards are equal, so their variance is 0 and t does not exist"}
	case s.N < SmallSample:
		r.Warnings = []string{fmt.Sprintf("t test: N = %d is below %d, so the p-value leans on normal rewards", s.N, SmallSample)}
	}
	return r
}

// mean is NaN where a Scalar is empty.
func mean(s moments.Scalar) float64 {
	if s.N == 0 {
		return math.NaN()
	}
	return s.Mean
}

// has counts things of which something is said that they have.
func has(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return fmt.Sprintf("%d %ss have", n, noun)
}
