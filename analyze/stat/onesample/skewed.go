package onesample

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
)

// rowsPerSkewness is the number of rows, as a multiple of the squared skewness of
// their rewards, from which the law of their mean is near enough to the normal one:
// each tail of nominal 2.5 % then is between 2 and 3 %. Kohavi, Deng, Longbotham and
// Xu (2014), rule 7, doi 10.1145/2623330.2623341, after Boos and Hughes-Oliver (2000),
// doi 10.1080/00031305.2000.10474524. In terms of the skewness g of the mean itself,
// 355·g² is at most 1.
const rowsPerSkewness = 355

// Skewed says that the rewards of one or two arms are too skewed for an approximate test,
// which takes their means as normal, and to write another test instead; "" where they are
// not. Units that own rows of both arms are taken as two.
func (t *Test) Skewed(instead string, of ...Rewards) string {
	if !t.Approximate {
		return ""
	}
	g := skewness(of)
	short := rowsPerSkewness * float64(g*g)
	if !(short > 1) {
		return ""
	}
	return fmt.Sprintf("the rewards are skewed, and so is the estimate (skewness %.2g): the p-value can be much too small, and more so at the small levels that a correction asks for; for two tails of 5 %% some %.2g times as many rows are needed (%d times the squared skewness of the rewards; Kohavi et al. 2014); write test: %s",
		g, short, rowsPerSkewness, instead)
}

// skewness returns the skewness of an arm's mean, or of the difference of two arms' means; NaN
// where there is none.
func skewness(of []Rewards) float64 {
	switch {
	case of[0].Third == nil:
		return math.NaN()
	case len(of) == 1:
		return of[0].Third.Skewness()
	}
	return moments.SkewnessOfDifference(*of[0].Third, *of[1].Third)
}
