package hypothesis

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

const waldAssumes = "Wald test: estimates that are jointly normal about the parameters with the estimated covariance; " +
	"exact for classical least squares with normal errors, else asymptotic, and then it holds poorly where the coefficients asked about are not few beside the rows or clusters; " + fixedActions + "."

// Linear is the joint hypothesis R·β = Value on k coefficients.
type Linear struct {
	R     [][]float64 // q rows of k numbers
	Value []float64   // q numbers
}

// Equal is the hypothesis that the coefficients at the given places of k have
// the given values. It panics if there are not as many places as values, or a
// place is outside 0…k−1.
func Equal(k int, places []int, values []float64) Linear {
	if len(places) != len(values) {
		panic(badLength)
	}
	h := Linear{R: make([][]float64, len(places)), Value: values}
	for i, j := range places {
		h.R[i] = make([]float64, k)
		h.R[i][j] = 1
	}
	return h
}

// badLength is the message of the panic for a caller's slices of unequal length.
const badLength = "hypothesis: slice length mismatch"

// dependent is the share of a constraint's variance that must be its own, not
// shared with those before it.
const dependent = 1e-13

// Wald tests a joint hypothesis on k coefficients with covariance C (k×k, row
// by row),
//
//	F = (Rβ − r)'·(R·C·R')⁻¹·(Rβ − r)/q
//
// against the F law with q and df degrees of freedom, or q·F against the χ² law
// with q if df is +Inf. With q = 1 it is the square of the two-sided t test. The
// F test of all slopes is it, too. There is no interval.
//
// Assumes: estimates jointly normal about the parameters with covariance C.
// Valid exactly for least squares with the classical covariance and normal
// errors; otherwise approximately, as the rows (clusters) grow in number, and
// poorly where q is not small beside them; for arms fixed in advance, or with
// the action sequence held fixed. A correction magnifies the error of the
// approximation in the tail. N is left 0. Slices of other lengths make it
// panic. Special cases are:
//
//	no constraint, or constraints that depend on each other, or a covariance that is singular on them: statistic and p are NaN, with a warning
//	df ≤ 0, or NaN anywhere: statistic and p are NaN, with a warning
func Wald(estimates, cov []float64, h Linear, df float64) Result {
	k, q := len(estimates), len(h.Value)
	if len(cov) != k*k || len(h.R) != q {
		panic(badLength)
	}
	r := undefined(0)
	r.Assumes, r.DF, r.DF1 = waldAssumes, df, float64(q)
	d, v := h.apply(estimates, cov)
	w, ok := mahalanobis(d, v)
	switch {
	case q == 0:
		r.Warnings = []string{"Wald test: there is no constraint"}
	case !(df > 0):
		r.Warnings = []string{"Wald test: there are no degrees of freedom for the covariance"}
	case !ok:
		r.Warnings = []string{"Wald test: the covariance of the constraints is singular: they depend on each other, a coefficient has no standard error, or there are too few clusters"}
	case math.IsInf(df, 1):
		r.Statistic, r.LogP = w/float64(q), tail.LogChiSquare(w, float64(q))
	default:
		r.Statistic = w / float64(q)
		r.LogP = tail.LogFisher(r.Statistic, float64(q), df)
	}
	return r
}

// apply returns Rβ − r and R·C·R' (q×q, row by row).
func (h Linear) apply(estimates, cov []float64) (d, v []float64) {
	k, q := len(estimates), len(h.Value)
	d, v = make([]float64, q), make([]float64, q*q)
	half := make([]float64, q*k) // R·C
	for i, row := range h.R {
		if len(row) != k {
			panic(badLength)
		}
		d[i] = -h.Value[i]
		for j, x := range row {
			if x == 0 {
				continue
			}
			d[i] += float64(x * estimates[j])
			for m := range k {
				half[i*k+m] += float64(x * cov[j*k+m])
			}
		}
	}
	for i := range q {
		for j, row := range h.R {
			for m, x := range row {
				v[i*q+j] += float64(x * half[i*k+m])
			}
		}
	}
	return d, v
}

// mahalanobis returns d'·V⁻¹·d by Cholesky's method on V scaled to a unit
// diagonal. ok is false where V is not positive definite; d and V are
// overwritten.
func mahalanobis(d, v []float64) (w float64, ok bool) {
	q := len(d)
	scale := make([]float64, q)
	for i := range q {
		scale[i] = 1 / math.Sqrt(v[i*q+i])
		if !(scale[i] > 0) || math.IsInf(scale[i], 1) {
			return math.NaN(), false
		}
		d[i] *= scale[i]
	}
	for i := range q {
		for j := range i + 1 {
			s := v[i*q+j] * scale[i] * scale[j]
			for m := range j {
				s -= float64(v[i*q+m] * v[j*q+m])
			}
			if i == j {
				if !(s > dependent) {
					return math.NaN(), false
				}
				v[i*q+i] = math.Sqrt(s)
				continue
			}
			v[i*q+j] = s / v[j*q+j]
		}
		for m := range i {
			d[i] -= float64(v[i*q+m] * d[m])
		}
		d[i] /= v[i*q+i]
		w += float64(d[i] * d[i])
	}
	return w, !math.IsNaN(w)
}
