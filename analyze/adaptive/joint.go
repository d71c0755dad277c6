package adaptive

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// binomialCut separates the eigenvalues of a correlation matrix of pulls with
// constant propensities: 1/(1 − p) of the smallest p or more, but for one that
// is 0, or near it where logged propensities do not quite add up to 1.
const binomialCut = 0.5

// joint returns the quadratic form of S − T over the testable arms and its
// degrees of freedom.
func (a *Allocation) joint(testable []int, o *Opportunity, basis Basis) (form float64, df int) {
	k := len(testable)
	if k == 0 {
		return 0, 0
	}
	z := make([]float64, k)
	corr := mat.NewSymDense(k, nil)
	noise := 0.0
	for i, arm := range testable {
		s := a.arms[arm]
		t := float64(a.expected(arm, o))
		sd := math.Sqrt(s.guarded(t))
		z[i] = (s.inverse - t) / sd
		corr.SetSym(i, i, 1)
		for j, other := range testable[:i] {
			both := float64(a.rounds)
			if o != nil {
				both = float64(o.both(arm, other))
			}
			corr.SetSym(i, j, -both/sd/math.Sqrt(a.arms[other].guarded(float64(a.expected(other, o)))))
		}
		noise = max(noise, math.Sqrt(s.squares)/s.variance)
	}
	if basis == Binomial {
		return generalizedForm(z, corr, binomialCut)
	}
	return generalizedForm(z, corr, min(binomialCut, max(1e-9, 3*noise)))
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
func generalizedForm(z []float64, r *mat.SymDense, cut float64) (form float64, df int) {
	var eigen mat.EigenSym
	if !eigen.Factorize(r, true) {
		return 0, 0
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k, value := range eigen.Values(nil) {
		if value <= cut {
			continue
		}
		along := 0.0
		for i, v := range z {
			along += float64(v * vectors.At(i, k))
		}
		form += along * along / value
		df++
	}
	return form, df
}
