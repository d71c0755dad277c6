package regress

import (
	"fmt"

	"banditaudit/analyze/stat/moments"
)

// MaxPooled bounds the columns of a pooled design: its factor has their square.
const MaxPooled = 1024

// Pooling says how the rows of several arms make one regression.
type Pooling struct {
	Names        []string // of the covariates
	Labels       []string // of the arms
	Control      int      // the arm that the others are compared with
	Intercept    bool
	Interactions bool // of every other arm with every covariate
}

// FitPooled fits one model to the rows of all arms,
//
//	y = b₀ + Σ_{a≠control} δ_a·1{arm a} + Σ_j β_j·x_j [+ Σ_j Σ_{a≠control} γ_aj·1{arm a}·x_j] + e
//
// from the cross-products of each arm, with columns named
//
//	(intercept), arm[green], age, arm[green]:age
//
// in this order (interactions covariate by covariate), as R's lm(y ~ arm*age)
// has them. Without an intercept the control has an indicator too, as in R's
// lm(y ~ 0 + arm*age). An entry of byArm that is nil has no part in the model.
// byArm is as long as p.Labels and every entry has len(p.Names) covariates,
// otherwise FitPooled panics. It returns an error for a control that is no arm
// and for more than 1,024 columns. Special cases are the same as in [Fit], and
//
//	an arm without rows: its columns are dropped
//	a control without rows: the last arm with rows takes its place, a warning
func FitPooled(byArm []*moments.Cross, p Pooling) (*Model, error) {
	if len(byArm) != len(p.Labels) {
		panic(badLength)
	}
	layout, err := newLayout(byArm, p)
	if err != nil {
		return nil, err
	}
	total, all := moments.NewCross(len(layout.columns)), make([]*means, len(byArm))
	for a, c := range byArm {
		if c != nil {
			total.Merge(c.Derive(layout.arm(a)))
			all[a] = meansOf(c)
		}
	}
	m := newModel(newDesign(total, p.Intercept, layout.expected), total.N(), layout.names(), p.Intercept)
	m.layout, m.means = layout, all
	shears := layout.shears(m.design.kept)
	m.solve(shears)
	m.pool(shears)
	m.warnScale(total, layout.names())
	return m, nil
}

// pool completes a pooled model.
func (m *Model) pool(shears []shear) {
	m.complete(shears)
	m.frames = make([]*frame, len(m.means))
	for a, c := range m.means {
		if c != nil {
			m.frames[a] = m.armFrame(a, c)
		}
	}
	if l := m.layout; l.replaced >= 0 {
		m.Warnings = append(m.Warnings, `regression: the control arm "`+l.Labels[l.Control]+`" has no rows, so the others are compared with "`+l.Labels[l.replaced]+`"`)
	}
}

// Baseline returns the label of the arm that the others were asked to be compared
// with, and of the one that they are: another one where the first has no rows.
// Both are empty for a model that is not pooled.
func (m *Model) Baseline() (asked, used string) {
	if m.layout == nil {
		return "", ""
	}
	l := m.layout
	asked = l.Labels[l.Control]
	if l.replaced >= 0 {
		return asked, l.Labels[l.replaced]
	}
	return asked, asked
}

// layout lists the columns of a pooled design.
type layout struct {
	Pooling
	columns  []column
	center   [][]float64 // by arm and covariate: what is taken from it in interactions
	replaced int         // see replaced
	rows     []int64     // by arm
}

// column is an indicator of an arm (covariate < 0), a covariate (arm < 0), or
// their product.
type column struct{ arm, covariate int }

// newLayout lays the columns out. Interactions are of x less its mean in the
// arm: beside the arm's indicator they span the same space, and do not lose the
// digits that a product of an indicator and a column near 10⁶ would.
func newLayout(byArm []*moments.Cross, p Pooling) (*layout, error) {
	if p.Control < 0 || p.Control >= len(byArm) || byArm[p.Control] == nil {
		return nil, fmt.Errorf("regress: control arm %d has no part in the pooled regression of %d arms; name one that has", p.Control, len(byArm))
	}
	l := &layout{Pooling: p, center: make([][]float64, len(byArm)), rows: make([]int64, len(byArm))}
	var arms []int
	l.replaced = p.replaced(byArm)
	for a, c := range byArm {
		l.center[a] = make([]float64, len(p.Names))
		if c == nil {
			continue
		}
		if c.P() != len(p.Names) {
			panic(badLength)
		}
		l.rows[a] = c.N()
		if a != p.Control || !p.Intercept {
			l.columns = append(l.columns, column{a, -1})
		}
		if a != p.Control {
			arms = append(arms, a)
		}
		for j := range p.Names {
			if c.N() > 0 && a != l.replaced {
				l.center[a][j] = c.Mean(j)
			}
		}
	}
	if n := len(l.columns) + len(p.Names)*(1+len(arms)); p.Interactions && n > MaxPooled || len(l.columns)+len(p.Names) > MaxPooled {
		return nil, fmt.Errorf("regress: a pooled regression of %d arms on %d covariates has more than %d columns; leave interactions or columns out, or fit each arm",
			len(byArm), len(p.Names), MaxPooled)
	}
	for j := range p.Names {
		l.columns = append(l.columns, column{-1, j})
	}
	for j := range p.Names {
		for _, a := range arms {
			if p.Interactions {
				l.columns = append(l.columns, column{a, j})
			}
		}
	}
	return l, nil
}

// replaced is the arm that takes the place of a control without rows beside an
// intercept: its indicator depends on the others, so its columns are dropped and
// nothing may be centred with the indicator. It is −1 where there is none.
func (p *Pooling) replaced(byArm []*moments.Cross) int {
	last := -1
	if !p.Intercept || byArm[p.Control].N() > 0 {
		return last
	}
	for a, c := range byArm {
		if c != nil && c.N() > 0 {
			last = a
		}
	}
	return last
}

// expected tells of columns that arms with fewer rows than coefficients leave
// no room for.
func (l *layout) expected(kept []int, j int) bool {
	arm := l.columns[j].arm
	if arm < 0 {
		return false
	}
	var own, most int64
	for _, k := range kept {
		if l.columns[k].arm == arm {
			own++
		}
	}
	for _, n := range l.rows {
		most += min(n, int64(len(l.Names)+1))
	}
	rank := int64(len(kept))
	if l.Intercept {
		rank++
	}
	return arm == l.replaced || own >= l.rows[arm] || rank >= most
}

// arm says how the columns follow from the covariates in one arm, as
// [moments.Cross.Derive] takes it.
func (l *layout) arm(a int) (from []int, value []float64) {
	from, value = make([]int, len(l.columns)), make([]float64, len(l.columns))
	for i, c := range l.columns {
		from[i] = -1
		switch {
		case c.arm < 0:
			from[i] = c.covariate
		case c.arm != a:
		case c.covariate < 0:
			value[i] = 1
		default:
			from[i], value[i] = c.covariate, l.center[a][c.covariate]
		}
	}
	return from, value
}

func (l *layout) names() []string {
	out := make([]string, len(l.columns))
	for i, c := range l.columns {
		switch {
		case c.arm < 0:
			out[i] = l.Names[c.covariate]
		case c.covariate < 0:
			out[i] = "arm[" + l.Labels[c.arm] + "]"
		default:
			out[i] = "arm[" + l.Labels[c.arm] + "]:" + l.Names[c.covariate]
		}
	}
	return out
}

// shear leads from the columns that were fitted to those that were asked for:
// column from was fitted less by times column to. Both are indices into kept.
type shear struct {
	from, to int
	by       float64
}

// shears lists what was taken from the kept interactions.
func (l *layout) shears(kept []int) []shear {
	var out []shear
	indicator := make(map[int]int)
	for i, j := range kept {
		c := l.columns[j]
		if c.arm < 0 {
			continue
		}
		if c.covariate < 0 {
			indicator[c.arm] = i
			continue
		}
		if by := l.center[c.arm][c.covariate]; by != 0 {
			out = append(out, shear{i, indicator[c.arm], by})
		}
	}
	return out
}
