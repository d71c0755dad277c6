package regress

import (
	"math"

	"banditaudit/analyze/stat/hypothesis"
)

// Coefficient is an estimated coefficient with its standard error; Test and
// Interval of [hypothesis.Location] apply. StdErr is NaN where it does not
// exist and 0 for a perfect fit; both make the test NaN.
type Coefficient struct {
	Name string
	hypothesis.Location
	Warnings []string // of its error; the table has them too
}

// Table holds the coefficients of a model under one covariance estimator.
type Table struct {
	Kind         Kind
	Coefficients []Coefficient
	Cov          []float64 // covariance of the coefficients, Rank×Rank, row by row
	MaxLeverage  float64   // NaN if no second pass was made
	Clusters     int64     // of CR0 and CR1, otherwise 0
	Warnings     []string  // warnings of the model are not repeated
}

// Classical returns the coefficients with the standard errors that hold when
// all rows have one error variance,
//
//	Cov = Sigma2·(X'X)⁻¹
//
// tested on DFResidual degrees of freedom. Special cases are:
//
//	DFResidual = 0: standard errors are NaN
//	a perfect fit: standard errors are 0
func (m *Model) Classical() Table { return m.table(Classical, m.classical()) }

// classical is Sigma2·basis·basis'.
func (m *Model) classical() []float64 {
	cov := make([]float64, m.Rank*m.Rank)
	for i := range m.Rank {
		for j := range i + 1 {
			s := 0.0
			for q := range m.Rank {
				s += float64(m.basis[i*m.Rank+q] * m.basis[j*m.Rank+q])
			}
			s *= m.Sigma2
			cov[i*m.Rank+j], cov[j*m.Rank+i] = s, s
		}
	}
	return cov
}

// table names the coefficients of a covariance.
func (m *Model) table(kind Kind, cov []float64) Table {
	t := Table{Kind: kind, Cov: cov, MaxLeverage: math.NaN()}
	for i, name := range m.Kept {
		t.Coefficients = append(t.Coefficients, Coefficient{Name: name, Location: hypothesis.Location{
			Estimate: m.Estimates[i],
			StdErr:   standardError(cov[i*m.Rank+i]),
			DF:       float64(m.DFResidual),
		}})
	}
	return t
}

// standardError is √v, 0 for what rounding took below 0 and NaN beyond the
// largest number.
func standardError(v float64) float64 {
	if math.IsInf(v, 1) {
		return math.NaN()
	}
	return math.Sqrt(max(0, v))
}

// addProduct adds basis·meat·basis' to cov, n×n: basis is n×r, meat symmetric
// r×r, both row by row.
func addProduct(cov, basis, meat []float64, r int) {
	if r == 0 {
		return
	}
	n := len(basis) / r
	half := make([]float64, r)
	for i := range n {
		clear(half)
		for q, v := range basis[i*r:][:r] {
			for j, u := range meat[q*r:][:r] {
				half[j] += float64(v * u)
			}
		}
		for j := range i + 1 {
			s := cov[i*n+j]
			for q, u := range basis[j*r:][:r] {
				s += float64(half[q] * u)
			}
			cov[i*n+j], cov[j*n+i] = s, s
		}
	}
}
