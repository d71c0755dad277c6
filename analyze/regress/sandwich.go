package regress

import (
	"fmt"
	"math"
	"strings"
)

const (
	// fullLeverage is how close to 1 a leverage may come before 1 − h is
	// rounding error.
	fullLeverage = 1e-10
	// touched is the weight of a row in a coefficient, relative to the length
	// of all weights, from which a row of leverage 1 spoils its error.
	touched = 1e-8
)

// Sandwich is the second pass of one model: it accumulates, over all rows,
//
//	meat = Σ_t f(h_t)·e_t²·v_t·v_t'
//
// with residual e, leverage h and f = 1 (HC0, HC1), 1/(1−h) (HC2), 1/(1−h)²
// (HC3), in an orthonormal basis v of the kept design (White 1980, doi
// 10.2307/1912934; MacKinnon & White 1985, doi 10.1016/0304-4076(85)90158-7).
// It must see the rows that Fit saw. Fixed chunks with a Sandwich each, merged
// in chunk order, give the same bytes for every number of workers.
type Sandwich struct {
	model    *Model
	kind     Kind
	n        int64
	meat     []float64 // lower triangle, row by row
	leverage float64   // the largest
	full     int64     // rows of leverage 1 that HC2 and HC3 cannot use
	spoilt   []bool    // coefficients that such a row touches
}

// NewSandwich returns an empty second pass over the rows of m for HC0…HC3.
// It returns an error for any other kind.
func NewSandwich(m *Model, kind Kind) (*Sandwich, error) {
	switch kind {
	case HC0, HC1, HC2, HC3:
	default:
		return nil, fmt.Errorf("regress: covariance %q is not made row by row; write HC0, HC1, HC2 or HC3", kind)
	}
	return &Sandwich{
		model: m, kind: kind,
		meat:   make([]float64, m.Rank*(m.Rank+1)/2),
		spoilt: make([]bool, m.Rank),
	}, nil
}

// Merge joins another second pass over the same model and kind; o stays as it
// is.
func (s *Sandwich) Merge(o *Sandwich) {
	if s.model != o.model || s.kind != o.kind {
		panic(badMerge)
	}
	s.n += o.n
	s.full += o.full
	s.leverage = max(s.leverage, o.leverage)
	for i, v := range o.meat {
		s.meat[i] += v
	}
	for i, v := range o.spoilt {
		s.spoilt[i] = s.spoilt[i] || v
	}
}

const badMerge = "regress: merge of second passes over different models"

// Table returns the coefficients with robust standard errors,
//
//	Cov = (X'X)⁻¹·X'·diag(f(h)·e²)·X·(X'X)⁻¹, times n/(n−k) for HC1
//
// tested on DFResidual degrees of freedom. Special cases are:
//
//	rows other than those of the fit: standard errors are NaN, a warning
//	a row of leverage 1, HC2 and HC3: the standard errors of the coefficients it touches are NaN, a warning
//	DFResidual = 0: standard errors are NaN
//	a perfect fit: standard errors are 0
func (s *Sandwich) Table() Table {
	t := s.model.table(s.kind, square(s.meat, s.model.Rank, s.factor()))
	t.MaxLeverage = s.leverage
	if s.n != s.model.N {
		t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the second pass saw %d rows, the fit %d; both must see the same rows", s.kind, s.n, s.model.N))
	}
	s.spoil(&t)
	return t
}

// square writes a lower triangle, times factor, as an r×r matrix.
func square(lower []float64, r int, factor float64) []float64 {
	out := make([]float64, r*r)
	for i, k := 0, 0; i < r; i++ {
		for j := 0; j <= i; j, k = j+1, k+1 {
			v := factor * lower[k]
			out[i*r+j], out[j*r+i] = v, v
		}
	}
	return out
}

func (s *Sandwich) factor() float64 {
	switch {
	case s.n != s.model.N || s.model.DFResidual == 0:
		return math.NaN()
	case s.model.exact:
		return 0
	case s.kind == HC1:
		return float64(s.n) / float64(s.model.DFResidual)
	}
	return 1
}

// spoil voids the errors that rest on a row of leverage 1.
func (s *Sandwich) spoil(t *Table) {
	if s.full == 0 {
		return
	}
	var names []string
	for i, bad := range s.spoilt {
		if !bad {
			continue
		}
		names = append(names, t.Coefficients[i].Name)
		t.Coefficients[i].StdErr = math.NaN()
		for j := range s.spoilt {
			t.Cov[i*s.model.Rank+j], t.Cov[j*s.model.Rank+i] = math.NaN(), math.NaN()
		}
	}
	t.Warnings = append(t.Warnings, fmt.Sprintf("%s: %d rows have leverage 1, so the errors of %s are undefined; use HC1 or drop the column that marks the row",
		s.kind, s.full, strings.Join(names, ", ")))
}
