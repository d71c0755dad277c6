package hypothesis

import (
	"fmt"
	"math"
)

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
