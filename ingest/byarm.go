package ingest

import (
	"fmt"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

// armLists is a column of lists with a value, or a list of values, for each arm.
type armLists struct {
	want   int
	column string
	shape  shape
	chance bool // they are probabilities; an arm that could not be played has 0
}

// mendNull says what to do about a null within a list.
func (a *armLists) mendNull() string {
	if a.chance {
		return mendNoChance
	}
	return mendByArmNull
}

const mendByArmNull = "complete the log, leave the row out, or leave the column out of the protocol"

// numbers converts the values of a block. Those of lists that lengths refuses
// are not used.
func (a *armLists) numbers(r *rows, dst []float64, f *fault.List) {
	b, c := r.cols[a.want], r.types[a.want]
	if b.Width != a.shape.size() {
		return // of another depth, which lengths reports
	}
	if !cell.Take(dst, b, c) {
		refuseInts(r, a.want, a.column, a.shape.size(), f)
	}
}

// broken reports whether row i has no list of the shape.
func (a *armLists) broken(r *rows, i int) bool {
	b := r.cols[a.want]
	if b.Null[i] || b.ItemNulls[i] || b.Width != a.shape.size() || int(b.Length[i]) != a.shape.outer {
		return true
	}
	return a.shape.inner == 0 || r.types[a.want].Depth > 1 && int(b.Inner[i]) != a.shape.inner
}

// lengths reports rows that do not have a list of the shape, and whether all
// have. Null lists are faults, or null is called for them.
func (a *armLists) lengths(r *rows, f *fault.List, null func(i int)) bool {
	b, whole := r.cols[a.want], true
	if b.Width != a.shape.size() {
		a.otherDepth(r, f)
		return false
	}
	for i := range r.n {
		if !a.broken(r, i) {
			continue
		}
		whole = false
		if b.Null[i] && null != nil {
			null(i)
			continue
		}
		a.refuse(r, i, f)
	}
	return whole
}

// refuse says what is wrong with the list of row i.
func (a *armLists) refuse(r *rows, i int, f *fault.List) {
	b, at := r.cols[a.want], r.place(i)
	switch {
	case b.Null[i]:
		f.Row(fault.RuleNull, a.column, at, "a null instead of a list by arm", mendByArmNull)
	case int(b.Length[i]) != a.shape.outer:
		f.Row(fault.RuleListLength, a.column, at, fmt.Sprintf("a list by arm that does not have %d entries, one for each arm", a.shape.outer),
			"bring all lists to that length, in the order of arms, or declare all arms")
	case b.ItemNulls[i]:
		f.Row(fault.RuleNull, a.column, at, "a null within a list by arm", a.mendNull())
	case a.shape.inner == 0:
		f.Row(fault.RuleListLength, a.column, at, "empty lists in a column that has no other, so that there are no values", "complete the log, or leave the column out of the protocol")
	default:
		f.Row(fault.RuleListLength, a.column, at, fmt.Sprintf("a list of an arm that does not have %d values, as the first one has", a.shape.inner), "bring the lists of all arms to one length")
	}
}

// otherDepth reports a file whose lists are nested where the lists of the first file are
// not, or the other way about.
func (a *armLists) otherDepth(r *rows, f *fault.List) {
	f.File(&fault.InputError{
		File: r.uri, RowGroup: -1, Row: -1, Column: a.column, Rule: fault.RuleType,
		What: "is " + r.types[a.want].Type + ", and is nested otherwise in other files", Mend: "cast it to one type in all files",
	})
}

// armValues converts what the policy knew of every arm: contexts, what was released to
// it, or scores.
type armValues struct {
	armLists
	of    func(out *converted) *[]float64
	width func(w *schemas.ByArm) *int // that the manifest notes; nil where it is 1
}

func newContextByArm(c *converter, i int) columnRule {
	return &armValues{c.lists(i), func(out *converted) *[]float64 { return &out.ContextByArm }, func(w *schemas.ByArm) *int { return &w.Context }}
}

func newReleasedByArm(c *converter, i int) columnRule {
	return &armValues{c.lists(i), func(out *converted) *[]float64 { return &out.ReleasedByArm }, func(w *schemas.ByArm) *int { return &w.Released }}
}

func newScoreByArm(c *converter, i int) columnRule {
	return &armValues{c.lists(i), func(out *converted) *[]float64 { return &out.ScoreByArm }, nil}
}

func (rule *armValues) apply(r *rows, out *converted, f *fault.List) error {
	dst := rule.of(out)
	size := rule.shape.size()
	*dst = cell.Resize(*dst, r.n*size)
	if rule.shape.outer == 0 {
		return nil // there are no arms, which is a fault
	}
	rule.numbers(r, *dst, f)
	whole := rule.lengths(r, f, nil)
	if whole && cell.AllFinite(*dst) {
		return nil
	}
	for i := range r.n {
		if !rule.broken(r, i) && !cell.AllFinite((*dst)[i*size:(i+1)*size]) {
			f.Row(fault.RuleNotFinite, rule.column, r.place(i), "NaN or an infinity", mendNotFinite)
		}
	}
	return nil
}
