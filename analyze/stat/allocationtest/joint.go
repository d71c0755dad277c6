package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/dense"
	"banditaudit/ingest/precision"
)

// largestCut is the most that eigenvalues of a correlation matrix are left out at.
const largestCut = 0.5

// joint returns the quadratic form of S − T over the testable arms and its
// degrees of freedom.
func (a *Allocation) joint(testable []int, o *Opportunity, basis Basis) (form float64, df int) {
	k := len(testable)
	switch {
	case k == 0:
		return 0, 0
	case basis == Binomial:
		return a.pearson(testable)
	}
	z := make([]float64, k)
	corr := make([]float64, k*k)
	noise := 0.0
	for i, arm := range testable {
		s := a.arms[arm]
		t := float64(a.expected(arm, o))
		sd := math.Sqrt(s.guarded(t))
		z[i] = (s.inverse - t) / sd
		corr[i*k+i] = 1
		for j, other := range testable[:i] {
			both := float64(a.rounds)
			if o != nil {
				both = float64(o.both(arm, other))
			}
			corr[i*k+j] = -both / sd / math.Sqrt(a.arms[other].guarded(float64(a.expected(other, o))))
			corr[j*k+i] = corr[i*k+j]
		}
		noise = max(noise, math.Sqrt(s.squares)/s.variance)
	}
	return generalizedForm(z, corr, min(largestCut, max(1e-9, 3*noise)))
}

// pearson is Pearson's statistic where every propensity is the same: of the arms
// that were played, and of what is left for others, which were not.
func (a *Allocation) pearson(played []int) (form float64, df int) {
	t, rest := float64(a.rounds), 1-float64(float64(len(played))*a.Ends.Upper(a.most))
	for _, arm := range played {
		form += pearsonCell(float64(a.arms[arm].rows), t, a.most, a.Ends)
	}
	if rest > evenRoom*a.most {
		return form + float64(t*rest), len(played)
	}
	return form, len(played) - 1
}

// pearsonCell is (N − T·p)²/(T·p) at the p between the ends of the logged one at
// which it is smallest. Summed over arms it is Pearson's statistic, D'Σ⁻D for the
// covariance Σ of multinomial pulls, or less.
func pearsonCell(pulls, rounds, p float64, e precision.Ends) float64 {
	p = min(max(pulls/rounds, e.Lower(p)), e.Upper(p))
	d := pulls - float64(rounds*p)
	if d == 0 {
		return 0 // p may be 0
	}
	return d * d / float64(rounds*p)
}

// generalizedForm returns z'·R⁻·z, where R⁻ inverts the correlation matrix R on
// its eigenvectors with eigenvalue above the cut and is 0 on the others, and
// the number of eigenvectors used.
//
// With constant propensities p the true R is singular: Σ_a p_a·(S_a − T) = 0
// always, so K arms have K − 1 degrees of freedom. The estimated R then has an
// eigenvalue near 0 of either sign, within the relative error of its variances,
// and dividing by it would turn rounding into a finding. The caller's cut is
// three times that error, at most ½.
// z and R, row by row, are overwritten.
func generalizedForm(z, r []float64, cut float64) (form float64, df int) {
	values, ok := dense.Eigen(r, z, len(z))
	if !ok {
		return 0, 0
	}
	for k, value := range values {
		if value <= cut {
			continue
		}
		form += float64(z[k]*z[k]) / value
		df++
	}
	return form, df
}
