package analyze

import (
	"fmt"
	"math"

	"banditaudit/analyze/facts"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/means"
	"banditaudit/analyze/moments"
	"banditaudit/schemas"
)

// rowsPerSkewness is the number of rows, as a multiple of the squared skewness of
// their rewards, from which the law of their mean is near enough to the normal one:
// each tail of nominal 2.5 % then is between 2 and 3 %. Kohavi, Deng, Longbotham and
// Xu (2014), rule 7, doi 10.1145/2623330.2623341, after Boos and Hughes-Oliver (2000),
// doi 10.1080/00031305.2000.10474524. In terms of the skewness g of the mean itself,
// 355·g² is at most 1.
const rowsPerSkewness = 355

// judged is a raw test that was carried out. Where it takes means of independent
// rewards as normal, it says where they are too skewed for that.
func (s *sample) judged(t *means.Test, r hypothesis.Result, arms ...int) rawTest {
	out := existing(r)
	if out.against.Stands() || !t.Approximate {
		return out
	}
	g := s.skewness(arms)
	if short := rowsPerSkewness * float64(g*g); short > 1 {
		out.Warnings = append(out.Warnings, skewedWords(s.Log, g, short))
	}
	return out
}

// skewness is that of an arm's mean, or of the difference of two; NaN where there is
// none. Units that own rows of both arms are taken as two.
func (s *sample) skewness(arms []int) float64 {
	if s.sums.thirds == nil {
		return math.NaN()
	}
	var of [2]moments.Third
	for i, arm := range arms {
		of[i] = s.sums.thirds[arm]
		if s.byUnits != nil {
			of[i] = s.byUnits.arms[arm].Third()
		}
	}
	if len(arms) == 1 {
		return of[0].Skewness()
	}
	return moments.SkewnessOfDifference(of[0], of[1])
}

// skewedWords are the words about an estimate of skewness g that has a short-th of the
// rows that it needs.
func skewedWords(in *facts.Log, g, short float64) string {
	instead := "bets or bernstein"
	if binaryRows(in) {
		instead = "exact"
	} else if facts.Repeated(in.Slice) {
		instead = "bernstein"
	}
	return fmt.Sprintf("the rewards are skewed, and so is the estimate (skewness %.2g): the p-value can be much too small, and more so at the small levels that a correction asks for; for two tails of 5 %% some %.2g times as many rows are needed (%d times the squared skewness of the rewards; Kohavi et al. 2014); write test: %s",
		g, short, rowsPerSkewness, instead)
}

// normal reports whether a declared test takes means as normal.
func (q *questions) normal() bool {
	for i := range q.Protocol.Analysis.Tests {
		spec := &q.Protocol.Analysis.Tests[i]
		kind := schemas.TestMean
		if len(spec.Difference) > 0 {
			kind = schemas.TestDifference
		}
		if t := q.base(spec.Test, kind); spec.Regression == "" && t != nil && t.Approximate {
			return true
		}
	}
	return false
}
