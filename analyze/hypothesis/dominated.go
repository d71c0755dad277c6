package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/moments"
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
