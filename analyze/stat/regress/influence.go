package regress

import (
	"context"
	"fmt"
	"math"
)

// WorstForm says how the bound on the bias of the worst prediction was made.
type WorstForm string

// The forms; h_kt is what the response of row t adds to the prediction at the
// context of row k, so h_kk is the row's leverage.
const (
	// WorstExact is the largest Σ_t |h_kt|·τ_t over the distinct contexts.
	WorstExact WorstForm = "exact over the distinct contexts"
	// WorstLeverage is √(h·Σ_t τ_t²), at most √(N·h)·max τ, h the largest leverage.
	WorstLeverage WorstForm = "√(N·h) form: √(h·Σ τ²), h the largest leverage"
)

// Influence is a pass over the rows of one model that bounds how far its
// coefficients and predictions can be pulled away from the truth by the
// policy's choice of rows. τ_t in [0, 1] bounds the shift of row t's expected
// response, for responses in [0, 1]; see package bias. It must see the rows that
// the fit saw. Fixed chunks with a Part each, merged in chunk order, give the
// same bytes for every number of workers.
type Influence struct {
	model    *Model
	n        int64
	weights  []float64 // Σ_t |w_jt|·τ_t
	squares  float64   // Σ_t τ_t²
	leverage float64   // the largest
	trace    trace
	outside  int64 // rows whose τ is not in [0, 1]
	contexts *contexts
}

// Bounds are bounds on biases, conditional on the actions and contexts, in
// units of the response, which is in [0, 1]: multiply by the width of its range.
type Bounds struct {
	Coefficients []float64 // of each kept column
	RMS          float64   // on the root mean square over the rows of the bias of their predictions
	Worst        float64   // on the bias of the prediction at the context of any row
	Form         WorstForm
	Contexts     int64 // distinct rows of the kept columns; −1 where they were too many to count
	MaxLeverage  float64
	Warnings     []string
}

const (
	// mostContexts is how many distinct contexts are held for exact predictions.
	mostContexts = 10_000
	// mostProducts bounds the work of all models' exact predictions, contexts
	// against contexts, and mostNumbers their memory.
	mostProducts = 4e10
	mostNumbers  = 1 << 22 // 32 MiB
)

// ContextLimit returns how many distinct contexts an [Influence] should hold for
// exact predictions, for a number of models and of columns in each: 10,000, or fewer where
// the work, models·contexts²·(columns + 8), would exceed 4·10¹⁰ or the numbers held,
// models·contexts·columns, 2²².
func ContextLimit(models, columns int) int {
	m, c := float64(max(1, models)), float64(max(1, columns))
	limit := math.Min(math.Sqrt(mostProducts/(m*(c+8))), mostNumbers/(m*c))
	return int(math.Min(mostContexts, limit))
}

// NewInfluence returns an empty pass over the rows of m that computes exact
// bounds on predictions as long as there are at most limit distinct contexts; see
// [ContextLimit], which is not exceeded for this model alone either.
func NewInfluence(m *Model, limit int) *Influence {
	limit = min(limit, ContextLimit(1, m.Rank))
	return &Influence{model: m, weights: make([]float64, m.Rank), contexts: newContexts(limit)}
}

// Part returns an empty pass to be merged into s later. Where s has given up
// holding contexts, so has the part.
func (s *Influence) Part() *Influence {
	p := NewInfluence(s.model, s.contexts.limit)
	if s.contexts.full {
		p.contexts.giveUp()
	}
	return p
}

// Merge joins another pass over the same model; o stays as it is.
func (s *Influence) Merge(o *Influence) {
	if s.model != o.model {
		panic(badMerge)
	}
	s.n += o.n
	s.squares += o.squares
	s.outside += o.outside
	s.leverage = max(s.leverage, o.leverage)
	s.trace += o.trace
	add(s.weights, o.weights)
	s.contexts.merge(o.contexts)
}

// Bounds returns the bounds, with x_t the kept row t, w_t = (X'X)⁻¹·x_t and
// h_kt = x_k'·w_t,
//
//	|E[b_j − β_j | actions]| ≤ Σ_t |w_jt|·τ_t
//	|E[x_k'·(b − β) | actions]| ≤ Σ_t |h_kt|·τ_t ≤ √(h_kk·Σ_t τ_t²)
//	root mean square of these over the rows k ≤ √(Σ_t τ_t²/N)
//
// β is the linear model's coefficients where E[y | x] = x'·β; where it is not
// linear, β is what least squares would give on the expected responses of these
// very rows. The root mean square holds because H is a projection; the largest
// bias may be far above it, and above e^ε − 1, for contexts of high leverage.
// Source: own derivation, internally reviewed; it corrects the contextual bound
// of Neel & Roth 2018 (arXiv 1806.02329), which does not hold for the largest
// bias. Special cases are:
//
//	no rows: RMS and Worst are NaN
//	no columns: RMS and Worst are 0
//	other rows than in the fit, or a τ outside [0, 1]: all bounds are NaN, a warning
//	more distinct contexts than the limit: Worst is by leverage, Contexts is −1
func (s *Influence) Bounds() Bounds {
	b, _ := s.BoundsContext(context.Background()) // which is never cancelled
	return b
}

// BoundsContext is Bounds, which can take seconds where many contexts of many
// columns are held, with a context that can be cancelled: then it returns its
// error.
func (s *Influence) BoundsContext(ctx context.Context) (Bounds, error) {
	b := Bounds{
		Coefficients: append([]float64{}, s.weights...), RMS: math.Sqrt(s.squares / float64(s.n)),
		Form: WorstExact, Contexts: int64(s.contexts.count()), MaxLeverage: s.leverage,
	}
	switch {
	case s.contexts.full:
		b.Form, b.Contexts = WorstLeverage, -1
		b.Worst = math.Sqrt(s.leverage * s.squares)
	default:
		var err error
		if b.Worst, err = s.contexts.worst(ctx, s.model); err != nil {
			return b, err
		}
	}
	switch {
	case s.n == 0:
		b.Worst = math.NaN()
	case s.model.Rank == 0:
		b.RMS, b.Worst = 0, 0
	}
	if s.n != s.model.N {
		b.MaxLeverage = math.NaN()
		b.void(fmt.Sprintf("bias of coefficients: the pass saw %d rows, the fit %d; both must see the same rows", s.n, s.model.N))
	}
	if s.trace.lost(s.n, s.model) {
		b.MaxLeverage = math.NaN()
		b.void("bias of coefficients: " + lostWords(s.model))
	}
	if s.outside > 0 {
		b.void(fmt.Sprintf("bias of coefficients: the bound of %d rows is not between 0 and 1", s.outside))
	}
	return b, nil
}

// void takes all bounds back.
func (b *Bounds) void(why string) {
	for i := range b.Coefficients {
		b.Coefficients[i] = math.NaN()
	}
	b.RMS, b.Worst = math.NaN(), math.NaN()
	b.Warnings = append(b.Warnings, why)
}
