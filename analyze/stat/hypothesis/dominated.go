package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
)

// FewEffective is the number of units of like size below which units that
// dominate leave no clustered test.
const FewEffective = 10

// effective is the number of units of like size that a mean over rows rests on,
// N²/Σn_u²: the number of units where all have the same rows, about 1 where one
// owns nearly all.
func effective(u moments.Units) float64 {
	n := float64(u.N)
	return n / u.Squares * n
}

// leaning judges whether one of an arm's units dominates: the clustered t rests
// on a sum of many units none of which does. It is not asked where there is no
// p, or where the number of units was warned of.
func leaning(r Result, arms ...moments.Units) Result {
	if math.IsNaN(r.LogP) {
		return r
	}
	least, units := math.Inf(1), int64(0)
	for _, u := range arms {
		if e := effective(u); e < least {
			least, units = e, u.Count
		}
	}
	rests := fmt.Sprintf("clustered t test: of the %d units in an arm a few own most rows, so that its mean rests on about %.3g units of like size", units, least)
	switch {
	case least < FewEffective && least < float64(units)/2:
		r = untested(r)
		r.Warnings = []string{rests + ", and t does not have its law"}
	case least < FewClusters && units >= FewClusters:
		r.Warnings = append(r.Warnings, rests+", and the p-value leans on normal sums of units")
	}
	return r
}

// Crowded judges whether the constraints of a [Wald] test are few enough beside
// the degrees of freedom of a covariance that holds for many rows or clusters,
// which is any but the classical one:
//
//	q > df/10: a warning
//	q > df/3, by cluster: statistic and p are NaN, with a warning
//
// A covariance of G clusters has rank G − 1 at most, so near q = G the quadratic
// form explodes whatever the hypothesis. The bounds are a rule of thumb: by
// simulation with 40 clusters the level 0.05 is 0.08 at q = 4, 0.3 at q = 13 and 0.6 at q = 20.
// A result without p is returned as it is.
func Crowded(r Result, clusters bool) Result {
	if math.IsNaN(r.LogP) || math.IsInf(r.DF, 1) {
		return r
	}
	noun := "rows"
	if clusters {
		noun = "clusters"
	}
	many := fmt.Sprintf("Wald test: %g coefficients are not few beside the %g degrees of freedom of the %s", r.DF1, r.DF, noun)
	switch {
	case clusters && r.DF1 > r.DF/3:
		r.Statistic, r.LogP = math.NaN(), math.NaN()
		r.Warnings = append(r.Warnings, many+", so F does not have its law; ask about fewer")
	case r.DF1 > r.DF/10:
		r.Warnings = append(r.Warnings, many+", so the p-value can be much too small")
	}
	return r
}
