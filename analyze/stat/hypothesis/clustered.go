package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
)

const clusteredAssumes = "Clustered t test: units independent of each other, their rows in any dependence, and none of them dominates; " +
	"asymptotic in the number of units, for the mean of the rows' expectations, " + fixedActions + "."

// Clustered is the t test of the mean over rows against a value where rows come
// in units that are independent of each other,
//
//	t = (mean − value)/√Var,  Var = G/(G−1)·Σ_u (S_u − n_u·mean)²/N²,  df = G − 1
//
// for G units with n_u rows that sum to S_u (the covariance CR1 with the factor
// G/(G−1) alone, of a regression on a constant; Cameron & Miller 2015, doi
// 10.3368/jhr.50.2.317). The interval is at level 1 − α, α = e^logAlpha.
//
// Assumes: independent units; rows of one unit may depend in any way. Valid
// approximately, as the number of units grows and none of them dominates, for
// the mean of the rows' expectations, for arms fixed in advance, or with the
// action sequence held fixed. A correction magnifies the error of the
// approximation in the tail. Special cases are:
//
//	no rows: everything is NaN, with a warning
//	one unit, or no variance between units: statistic, p and interval are NaN, with a warning
//	units that dominate, n_eff = N²/Σn_u² below 10 and below G/2: likewise
//	fewer than 50 units, or n_eff below 50: a warning
//
// n_eff is the number of units of like size that the mean rests on; where it
// does not grow with N the statistic has no normal limit (max n_u²/N → 0:
// Hansen & Lee 2019, doi 10.1016/j.jeconom.2019.02.001).
func Clustered(u moments.Units, value float64, alt Alternative, logAlpha float64) Result {
	g, n := float64(u.Count), float64(u.N)
	l := Location{Estimate: u.Mean(), StdErr: math.Sqrt(g/(g-1)*u.M2()) / n, DF: g - 1}
	return leaning(clustered(l.Test(value, alt, logAlpha), u.N, u.Count, u.Count), u)
}

// ClusteredDifference is the t test of the difference of two arms' means over
// rows, A − B, against a value where rows come in units that are independent of
// each other and may own rows of both arms,
//
//	t = (mean_a − mean_b − value)/√Var,  Var = G/(G−1)·Σ_u ψ_u²,  df = G − 1
//	ψ_u = (S_ua − n_ua·mean_a)/N_a − (S_ub − n_ub·mean_b)/N_b
//
// for G units in both arms together (the same covariance, of a regression on
// the arm). Assumes what [Clustered] does, in both arms. Special cases are those
// of Clustered, which hold if one arm meets them; the standard error and its
// degrees of freedom then are NaN, too.
func ClusteredDifference(p moments.UnitPair, value float64, alt Alternative, logAlpha float64) Result {
	g, fewest := float64(p.Count), min(p.A.Count, p.B.Count)
	l := Location{Estimate: p.Difference(), StdErr: math.NaN(), DF: g - 1}
	if fewest > 1 {
		l.StdErr = math.Sqrt(g / (g - 1) * p.Influence())
	}
	r := clustered(l.Test(value, alt, logAlpha), p.A.N+p.B.N, p.Count, fewest)
	if fewest > 1 && (p.A.M2() == 0 || p.B.M2() == 0) {
		r = untested(r)
		r.Warnings = []string{"clustered t test: the units of an arm do not differ, which tells nothing of their variance, so there is no p-value; use hoeffding or bernstein"}
	}
	return leaning(r, p.A, p.B)
}

// clustered completes a result; fewest is the number of units of the arm that
// has the fewest.
func clustered(r Result, n, units, fewest int64) Result {
	r.N, r.Units, r.Assumes = n, units, clusteredAssumes
	switch {
	case fewest < 2:
		r.DF = math.NaN()
		r.Warnings = []string{fmt.Sprintf("clustered t test: in an arm %s no variance; at least 2 are needed", has(fewest, "unit"))}
	case r.StdErr == 0:
		r.Warnings = []string{"clustered t test: the units do not differ, so their variance is 0 and t does not exist"}
	case fewest < FewClusters:
		r.Warnings = []string{fmt.Sprintf("clustered t test: %d units in an arm are fewer than %d, so the p-value leans on normal sums of units of like size", fewest, FewClusters)}
	}
	return r
}
