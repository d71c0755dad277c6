package regress

import (
	"fmt"
	"math"
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
// It must see the rows that the fit saw. Fixed chunks with a Sandwich each,
// merged in chunk order, give the same bytes for every number of workers.
type Sandwich struct {
	model    *Model
	kind     Kind
	n        int64
	meats    [][]float64 // by frame: lower triangle, row by row; nil for classical errors
	leverage float64     // the largest
	trace    trace
	support  *support
}

// NewSandwich returns an empty second pass over the rows of m for HC0…HC3. For
// classical errors it finds the largest leverage only, at less cost. It returns
// an error for any other kind.
func NewSandwich(m *Model, kind Kind) (*Sandwich, error) {
	switch kind {
	case Classical, HC0, HC1, HC2, HC3:
	default:
		return nil, fmt.Errorf("regress: covariance %q is not made row by row; write classical, HC0, HC1, HC2 or HC3", kind)
	}
	s := &Sandwich{model: m, kind: kind, support: newSupport(m), meats: make([][]float64, len(m.frames))}
	for i, f := range m.frames {
		if f != nil && kind != Classical {
			s.meats[i] = make([]float64, f.size()*(f.size()+1)/2)
		}
	}
	return s, nil
}

// Merge joins another second pass over the same model and kind; o stays as it
// is.
func (s *Sandwich) Merge(o *Sandwich) {
	if s.model != o.model || s.kind != o.kind {
		panic(badMerge)
	}
	s.n += o.n
	s.support.merge(o.support)
	s.leverage = max(s.leverage, o.leverage)
	s.trace += o.trace
	for i, meat := range o.meats {
		add(s.meats[i], meat)
	}
}

const badMerge = "regress: merge of second passes over different models"

// Table returns the coefficients with robust standard errors,
//
//	Cov = (X'X)⁻¹·X'·diag(f(h)·e²)·X·(X'X)⁻¹, times n/(n−k) for HC1
//
// or with the standard errors of [Model.Classical], and the largest leverage, tested on
// DFResidual degrees of freedom. Special cases are:
//
//	other rows than in the fit: standard errors and leverage are NaN, a warning
//	a row of leverage 1, HC0…HC3: the standard errors of the coefficients it touches are NaN, a warning
//	rows whose residuals are 0 carry a quarter of a coefficient, HC0…HC3: its standard error is NaN, a warning
//	a coefficient rests on fewer than 5 rows, HC0…HC3: its standard error is NaN, a warning
//	a coefficient rests on fewer than 30 rows: a warning
//	DFResidual = 0: standard errors are NaN
//	a perfect fit: standard errors are 0
//
// A coefficient with weights w_t rests on (Σ w_t²)²/Σ w_t⁴ rows. Warnings of
// single coefficients stand beside them, too.
func (s *Sandwich) Table() Table {
	t := s.formula()
	if s.n == s.model.N {
		s.support.apply(&t, "rows")
	}
	s.trace.check(s.n, s.model, &t)
	return t
}

// formula is the table of the formula, whatever the coefficients rest on.
func (s *Sandwich) formula() Table {
	t := s.model.table(s.kind, s.covariance())
	t.MaxLeverage = s.leverage
	if s.n != s.model.N {
		t.MaxLeverage = math.NaN()
		t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the second pass saw %d rows, the fit %d; both must see the same rows", s.kind, s.n, s.model.N))
	}
	return t
}

// covariance is the factor times Σ basis·meat·basis' over the frames.
func (s *Sandwich) covariance() []float64 {
	factor := s.factor()
	if s.kind == Classical {
		cov := s.model.classical()
		for i := range cov {
			cov[i] *= factor
		}
		return cov
	}
	cov := make([]float64, s.model.Rank*s.model.Rank)
	for i, f := range s.model.frames {
		if f != nil {
			addProduct(cov, f.basis, square(s.meats[i], f.size(), factor), f.size())
		}
	}
	return cov
}

// square writes the triangle of a symmetric r×r matrix out, times a factor.
func square(lower []float64, r int, factor float64) []float64 {
	out := make([]float64, r*r)
	k := 0
	for i := range r {
		for j := range i + 1 {
			v := factor * lower[k]
			out[i*r+j], out[j*r+i] = v, v
			k++
		}
	}
	return out
}

func (s *Sandwich) factor() float64 {
	switch {
	case s.n != s.model.N || s.model.DFResidual == 0:
		return math.NaN()
	case s.kind == Classical:
		return 1
	case s.model.exact:
		return 0
	case s.kind == HC1:
		return float64(s.n) / float64(s.model.DFResidual)
	}
	return 1
}
