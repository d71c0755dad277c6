package regress

import (
	"math"

	"banditaudit/analyze/hypothesis"
)

// Coefficient is an estimated coefficient with its standard error; Test and
// Interval of [hypothesis.Location] apply. StdErr is NaN where it does not
// exist and 0 for a perfect fit; both make the test NaN.
type Coefficient struct {
	Name string
	hypothesis.Location
}

// Table holds the coefficients of a model under one covariance estimator.
type Table struct {
	Kind         Kind
	Coefficients []Coefficient
	Cov          []float64 // covariance of the coefficients, Rank×Rank, row by row
	MaxLeverage  float64   // NaN if no second pass was made
	Clusters     int64     // of CR0 and CR1, otherwise 0
	Warnings     []string  // those of the model are not repeated
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
func (m *Model) Classical() Table {
	meat := make([]float64, m.Rank*m.Rank)
	for i := range m.Rank {
		meat[i*m.Rank+i] = m.Sigma2
	}
	return m.table(Classical, meat)
}

// table turns a covariance in the orthonormal basis into that of the
// coefficients, Cov = B·meat·B'.
func (m *Model) table(kind Kind, meat []float64) Table {
	r := m.Rank
	t := Table{Kind: kind, Cov: make([]float64, r*r), MaxLeverage: math.NaN()}
	half := multiply(m.basis, meat, r)
	for i := range r {
		for j := range i + 1 {
			s := 0.0
			for q := range r {
				s += float64(half[i*r+q] * m.basis[j*r+q])
			}
			t.Cov[i*r+j], t.Cov[j*r+i] = s, s
		}
	}
	for i, name := range m.Kept {
		t.Coefficients = append(t.Coefficients, Coefficient{name, hypothesis.Location{
			Estimate: m.Estimates[i],
			StdErr:   math.Sqrt(max(0, t.Cov[i*r+i])),
			DF:       float64(m.DFResidual),
		}})
	}
	return t
}

// multiply returns the product of two r×r matrices.
func multiply(a, b []float64, r int) []float64 {
	out := make([]float64, r*r)
	for i := range r {
		for q := range r {
			v := a[i*r+q]
			for j := range r {
				out[i*r+j] += float64(v * b[q*r+j])
			}
		}
	}
	return out
}
