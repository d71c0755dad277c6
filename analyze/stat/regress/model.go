package regress

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/tail"
)

// InterceptName is the name of the intercept among the columns.
const InterceptName = "(intercept)"

// badLength is the message of the panic for a caller's slices of unequal length.
const badLength = "regress: slice length mismatch"

// Model is a fitted linear model of a response on p named columns. A number
// that does not exist for the data is NaN, and Warnings says why. R² and its
// kin are about the mean with an intercept and about 0 without, as in R.
type Model struct {
	N               int64
	Intercept       bool
	Columns         []string  // as asked for, the intercept first
	Kept            []string  // columns that have a coefficient, in the same order
	Dropped         []string  // columns that depend linearly on earlier ones
	Estimates       []float64 // coefficients of Kept
	Rank            int       // len(Kept)
	ConditionNumber float64   // of the kept design with columns scaled to length 1
	DFResidual      int64     // N − Rank
	TSS, RSS        float64   // total and residual sum of squares
	Sigma2          float64   // RSS/DFResidual
	RSquared        float64   // 1 − RSS/TSS
	AdjRSquared     float64
	F               float64 // of all slopes being 0
	FDF1, FDF2      float64
	LogFP           float64 // ln p of F
	Warnings        []string

	exact  bool // the residuals are rounding errors
	refit  bool // by a Refit
	design *design
	basis  []float64 // Rank×Rank, see coefficientBasis
	frames []*frame  // one, or by arm; nil for an arm without a part in the model
	means  []*means  // likewise
	layout *layout   // nil but for a pooled model
}

// Fit fits
//
//	y = b₀ + b₁·x₁ + … + b_p·x_p + e
//
// by least squares from cross-products; without intercept b₀ = 0. names has
// length c.P(), otherwise Fit panics. Columns are scaled to length 1 and
// eliminated in order; one is dropped when what is left of its squared length
// after regression on the kept ones is at most
//
//	10⁻¹²·(1 + Σ|w|)²   (without an intercept 10⁻²⁴·(1 + Σ|w|)²)
//
// with w the weights of that regression, i.e. when rounding errors could have
// made it. Special cases are:
//
//	N = 0: rank 0, no coefficients, a warning
//	a constant column beside an intercept, and a column of zeros, is dropped
//	more columns than rows: the later ones are dropped
//	N = Rank: Sigma2, AdjRSquared, F are NaN, a warning
//	all responses equal: RSquared and F are NaN, a warning
//	a perfect fit: RSS and Sigma2 are 0, F is NaN, a warning
func Fit(c *moments.Cross, names []string, intercept bool) *Model {
	if len(names) != c.P() {
		panic(badLength)
	}
	m := newModel(newDesign(c, intercept, nil), c.N(), names, intercept)
	m.solve(nil)
	m.complete(nil)
	m.warnScale(c, names)
	m.means = []*means{meansOf(c)}
	m.frames = []*frame{m.plainFrame()}
	return m
}

func newModel(d *design, n int64, names []string, intercept bool) *Model {
	m := &Model{N: n, Intercept: intercept, design: d, Rank: d.rank()}
	m.nameColumns(names)
	m.DFResidual = m.N - int64(m.Rank)
	return m
}

// solve finds the coefficients and what maps rows to them. The shears lead from
// the columns of the design to those that were asked for.
func (m *Model) solve(shears []shear) {
	d := m.design
	m.Estimates = d.coefficients()
	m.basis = d.coefficientBasis()
	for _, s := range shears {
		from, to := d.first()+s.from, d.first()+s.to
		m.Estimates[to] -= float64(s.by * m.Estimates[from])
		for q := range m.Rank {
			m.basis[to*m.Rank+q] -= float64(s.by * m.basis[from*m.Rank+q])
		}
	}
}

// complete fills what follows from the design.
func (m *Model) complete(shears []shear) {
	m.ConditionNumber = m.design.conditionNumber(shears)
	m.sums()
	m.warn()
}

func (m *Model) nameColumns(names []string) {
	if m.Intercept {
		m.Columns = []string{InterceptName}
		if m.N > 0 {
			m.Kept = []string{InterceptName}
		} else {
			m.Dropped = []string{InterceptName}
		}
	}
	m.Columns = append(m.Columns, names...)
	next := 0
	for j, name := range names {
		if next < len(m.design.kept) && m.design.kept[next] == j {
			m.Kept = append(m.Kept, name)
			next++
		} else {
			m.Dropped = append(m.Dropped, name)
		}
	}
}

// sums fills everything that follows from the explained share of the response.
func (m *Model) sums() {
	explained, rss, tss := m.design.explained()
	m.exact = rss == 0
	m.TSS, m.RSS = tss, rss
	df, slopes := float64(m.DFResidual), float64(len(m.design.kept))
	m.Sigma2 = quotient(rss, df)
	m.RSquared = quotient(explained, tss)
	total := float64(m.N)
	if m.Intercept {
		total--
	}
	m.AdjRSquared = 1 - float64(quotient(rss, tss)*quotient(total, df))
	m.FDF1, m.FDF2 = slopes, df
	m.F, m.LogFP = math.NaN(), math.NaN()
	if !m.exact && df > 0 {
		m.F = quotient(explained, slopes) / m.Sigma2
		m.LogFP = tail.LogFisher(m.F, slopes, df)
	}
}

// quotient is a/b, NaN where b is not positive.
func quotient(a, b float64) float64 {
	if !(b > 0) {
		return math.NaN()
	}
	return a / b
}

// manyDigitsLost is the condition number from which a warning stands beside
// the estimates.
const manyDigitsLost = 1e8

func (m *Model) warn() {
	add := func(format string, a ...any) { m.Warnings = append(m.Warnings, fmt.Sprintf(format, a...)) }
	if m.N == 0 {
		add("regression: there are no rows")
		return
	}
	if m.DFResidual == 0 {
		rows := fmt.Sprintf("%d rows", m.N)
		if m.N == 1 {
			rows = "1 row"
		}
		add("regression: %s and rank %d leave no residual degrees of freedom, so there are no standard errors; more rows are needed", rows, m.Rank)
	}
	switch {
	case m.TSS == 0:
		add("regression: all responses are equal, so R² and the tests do not exist")
	case m.exact && m.DFResidual > 0:
		add("regression: the fit is perfect up to rounding, so the tests do not exist")
	}
	switch {
	case m.refit && m.ConditionNumber > manyDigitsLost:
		add("regression: the condition number is %.3g, so the columns, rounded to 16 digits, fix about %.0f of the estimates' (center or drop columns)",
			m.ConditionNumber, math.Floor(-math.Log10(epsilon*m.ConditionNumber)))
	case m.ConditionNumber > manyDigitsLost:
		add("regression: the condition number is %.3g; the estimates keep few digits (center or drop columns)", m.ConditionNumber)
	}
}
