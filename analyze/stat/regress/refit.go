package regress

import (
	"errors"
	"fmt"
	"math"
)

// Refit is a pass over all rows that repeats a fit with sums of about 32 digits,
// for designs that are so nearly dependent that cross-products in float64 lose
// the digits; [Model.LosesDigits] says for which. A row costs some d²/2 products
// of ten operations each. It must see the rows that the fit saw. Fixed chunks
// with a Refit each, merged in chunk order, give the same bytes for every number
// of workers.
type Refit struct {
	model *Model
	parts []*precise // by frame
}

// NewRefit returns an empty pass over the rows of m.
func NewRefit(m *Model) *Refit {
	r := &Refit{model: m, parts: make([]*precise, len(m.means))}
	for i, c := range m.means {
		if c != nil {
			r.parts[i] = newPrecise(c)
		}
	}
	return r
}

// AddBlock adds rows as [Sandwich.AddBlock] does.
func (r *Refit) AddBlock(x [][]float64, y []float64, pick []int32) {
	if r.model.layout != nil {
		panic(badModel)
	}
	r.check(x)
	r.parts[0].add(x, y, picked(x, y, pick))
}

// RefitByArm scatters the rows of a chunk as [AddByArm] does.
func RefitByArm(dst []*Refit, arm []int32, x [][]float64, y []float64) error {
	for _, r := range dst {
		if r == nil {
			continue
		}
		if r.model.layout != nil {
			panic(badModel)
		}
		r.check(x)
	}
	if err := checkArms(arm, len(dst), x, len(y)); err != nil {
		return err
	}
	eachArm(arm, len(dst), func(a int, rows []int32) {
		if dst[a] != nil {
			dst[a].parts[0].add(x, y, rows)
		}
	})
	return nil
}

// AddPooled adds the rows of a chunk as [Sandwich.AddPooled] does.
func (r *Refit) AddPooled(arm []int32, x [][]float64, y []float64) error {
	if r.model.layout == nil {
		panic(badModel)
	}
	r.check(x)
	if err := checkArms(arm, len(r.parts), x, len(y)); err != nil {
		return err
	}
	eachArm(arm, len(r.parts), func(a int, rows []int32) {
		if r.parts[a] != nil {
			r.parts[a].add(x, y, rows)
		}
	})
	return nil
}

func (r *Refit) check(x [][]float64) {
	for _, p := range r.parts {
		if p != nil && len(x) != len(p.center)-1 {
			panic(badLength)
		}
	}
}

// Merge joins another pass over the same model; o stays as it is.
func (r *Refit) Merge(o *Refit) {
	if r.model != o.model {
		panic(badMerge)
	}
	for i, p := range o.parts {
		if p != nil {
			r.parts[i].merge(p)
		}
	}
}

// Model returns the new fit, for the same columns. It equals the model of [Fit] or
// [FitPooled] but for which columns are dropped. A column is dropped where no more is left
// of it than the rounding of the values to float64 can have made,
//
//	‖rest‖² ≤ (4ε)²·(‖x_j‖² + Σ_q w_q²·‖x_q‖²)
//
// with w the weights of the kept columns; a perfect fit is recognised likewise.
// What is left to lose is what that rounding costs: a design of condition κ,
// columns scaled, fixes some 16 − log₁₀ κ digits. It returns an error if the
// pass saw other rows than the fit.
func (r *Refit) Model() (*Model, error) {
	old := r.model
	var rows int64
	for _, p := range r.parts {
		if p != nil {
			rows += p.n
		}
	}
	if rows != old.N {
		return nil, fmt.Errorf("regress: the pass that refits saw %d rows, the fit %d; both must see the same rows", rows, old.N)
	}
	if rows == 0 {
		return nil, errors.New("regress: there are no rows to refit; keep the fit as it is")
	}
	g := r.gram()
	g.settle(old.Intercept)
	e := &elimination{gram: g}
	room := int(min(rows, math.MaxInt32))
	if old.Intercept {
		room--
	}
	for j := range len(g.sum) - 1 {
		e.try(j, len(e.kept) < room)
	}
	return old.refitted(e), nil
}

// gram joins the arms.
func (r *Refit) gram() *gram {
	if l := r.model.layout; l != nil {
		g := newGram(len(l.columns))
		for a, p := range r.parts {
			if p != nil {
				from, value := l.arm(a)
				g.add(p, from, value)
			}
		}
		return g
	}
	columns := len(r.parts[0].center) - 1
	from := make([]int, columns)
	for j := range from {
		from[j] = j
	}
	g := newGram(columns)
	g.add(r.parts[0], from, make([]float64, columns))
	return g
}

// refitted is the model of an elimination.
func (m *Model) refitted(e *elimination) *Model {
	names := m.Columns
	if m.Intercept {
		names = names[1:]
	}
	d, response := e.design(m.Intercept)
	out := newModel(d, m.N, names, m.Intercept)
	out.layout, out.means, out.refit = m.layout, m.means, true
	var shears []shear
	if m.layout != nil {
		shears = m.layout.shears(d.kept)
	}
	out.Estimates, out.basis = e.coefficients(m.Intercept, response, shears)
	if m.layout != nil {
		out.pool(shears)
		return out
	}
	out.complete(nil)
	out.frames = []*frame{out.plainFrame()}
	return out
}

// design rounds an elimination for the passes to come, and returns the
// coordinates of the response, scaled to length 1.
func (e *elimination) design(intercept bool) (d *design, response []double) {
	g, y := e.gram, len(e.gram.sum)-1
	d = &design{n: g.n, intercept: intercept, kept: e.kept, response: make([]float64, len(e.kept))}
	for i, j := range e.kept {
		row := make([]float64, len(e.lower[i]))
		for q, l := range e.lower[i] {
			row[q] = l.value()
		}
		d.lower, d.scale = append(d.lower, row), append(d.scale, e.scale[i].value())
		shift, offset := g.center(j, intercept)
		d.shift, d.offset = append(d.shift, shift), append(d.offset, offset)
	}
	d.yScale = g.prod[place(y, y)].root().value()
	d.yShift, d.yOffset = g.center(y, intercept)
	response, left, beyond := e.project(y)
	if beyond {
		d.share = left.value()
	}
	if float64(d.yScale*d.yScale) <= float64(rounded*rounded*g.size[y]) {
		response, d.yScale, d.share = make([]double, len(e.kept)), 0, 0 // all responses equal
	}
	for i, z := range response {
		d.response[i] = z.value()
	}
	return d, response
}

// center is the mean of column i in two parts, 0 without an intercept.
func (g *gram) center(i int, intercept bool) (shift, offset float64) {
	if !intercept {
		return 0, 0
	}
	return g.ref[i], g.mean(i).value()
}

// coefficients returns the estimates and what [design.coefficientBasis] does,
// the shears applied, rounded at the end.
func (e *elimination) coefficients(intercept bool, response []double, shears []shear) (estimates, basis []float64) {
	first, k := 0, len(e.kept)
	if intercept {
		first = 1
	}
	r := first + k
	columns := make([][]double, r+1) // of the basis, and the estimates last
	for c := range columns {
		columns[c] = make([]double, r)
	}
	g, y := e.gram, len(e.gram.sum)-1
	if intercept {
		columns[0][0] = double{hi: 1}.over(double{hi: g.n}.root())
		columns[r][0] = double{hi: g.ref[y]}.plus(g.mean(y))
	}
	for c := first; c <= r; c++ {
		z, by := response, g.prod[place(y, y)].root()
		if c < r {
			z, by = make([]double, k), double{hi: 1}
			z[c-first] = double{hi: 1}
		}
		for i, w := range e.back(z) {
			w = w.times(by).over(e.scale[i])
			columns[c][first+i] = w
			if intercept {
				j := e.kept[i]
				columns[c][0] = columns[c][0].minus(w.times(double{hi: g.ref[j]}.plus(g.mean(j))))
			}
		}
	}
	basis, estimates = make([]float64, r*r), make([]float64, r)
	for c, column := range columns {
		for _, s := range shears {
			to := first + s.to
			column[to] = column[to].minus(double{hi: s.by}.times(column[first+s.from]))
		}
		for i, v := range column {
			if c == r {
				estimates[i] = v.value()
			} else {
				basis[i*r+c] = v.value()
			}
		}
	}
	return estimates, basis
}
