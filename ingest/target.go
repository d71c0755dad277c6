package ingest

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/precision"
	"banditaudit/schemas"
)

// targetRule converts a column of the probabilities of an evaluated policy: a list of
// the probabilities of all arms, which add up to 1 to their decimals and are 0 for arms
// that could not be played, or a number, the probability of the played arm.
type targetRule struct {
	armLists

	list       bool
	from, step int       // values of the evaluated policies in a row: the first of this column, and how many there are
	values     []float64 // of lists, until they stand in their rows
}

const mendTarget = "correct it: they are the probabilities with which the evaluated policy plays each arm; or leave the entry out of analysis.evaluate"

// targetWidths gives each column of an evaluated policy its place in a row.
func targetWidths(rules []*targetRule) {
	step := 0
	for _, rule := range rules {
		rule.from = step
		step += rule.width()
	}
	for _, rule := range rules {
		rule.step = step
	}
}

// width is how many values the column has in a row.
func (rule *targetRule) width() int {
	if rule.list {
		return rule.shape.outer
	}
	return 1
}

func (rule *targetRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Targets = cell.Resize(out.Targets, r.n*rule.step)
	switch nested := r.types[rule.want].Depth > 0; {
	case nested != rule.list:
		rule.otherDepth(r, f)
	case rule.list && rule.shape.outer > 0: // without arms there is a fault already
		rule.lists(r, out, f)
	case !rule.list:
		rule.flat(r, out, f)
	}
	return nil
}

// flat converts the probabilities of the arms that were played.
func (rule *targetRule) flat(r *rows, out *converted, f *fault.List) {
	b := r.cols[rule.want]
	rule.values = cell.Resize(rule.values, r.n)
	cell.Take(rule.values, b, r.types[rule.want])
	for i, p := range rule.values {
		switch {
		case b.Nulls > 0 && b.Null[i]:
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in a column of an evaluated policy", mendTarget)
		case !(p >= 0 && p <= 1): // so that NaN fails
			rule.refuseValue(p, r.place(i), f)
		}
		out.Targets[i*rule.step+rule.from] = p + 0 // −0 is 0
	}
}

// lists converts the probabilities of all arms.
func (rule *targetRule) lists(r *rows, out *converted, f *fault.List) {
	k := rule.shape.outer
	rule.values = cell.Resize(rule.values, r.n*k)
	rule.numbers(r, rule.values, f)
	whole := rule.lengths(r, f, nil)
	for i := range r.n {
		if !whole && rule.broken(r, i) {
			continue
		}
		row := rule.values[i*k : (i+1)*k]
		if rule.probabilities(row, r.place(i), f) && len(out.Eligible) > 0 {
			rule.playable(row, out.Eligible[i*k:(i+1)*k], r.place(i), f)
		}
		for arm, p := range row {
			out.Targets[i*rule.step+rule.from+arm] = p + 0
		}
	}
}

// probabilities refuses a row that is no distribution.
func (rule *targetRule) probabilities(row []float64, at fault.Place, f *fault.List) bool {
	for _, p := range row {
		if !(p >= 0 && p <= 1) { // so that NaN fails
			rule.refuseValue(p, at, f)
			return false
		}
	}
	if !precision.AddUp(row) {
		f.Row(fault.RuleTarget, rule.column, at, "probabilities of an evaluated policy that do not add up to 1 to their decimals", mendTarget)
		return false
	}
	return true
}

// playable refuses a row that plays an arm that could not be.
func (rule *targetRule) playable(row []float64, eligible []bool, at fault.Place, f *fault.List) {
	for arm, p := range row {
		if p > 0 && !eligible[arm] {
			f.Row(fault.RuleTarget, rule.column, at, "a probability above 0 for an arm that is not eligible", "write 0 for arms that cannot be played, and divide the others by their sum; or leave the entry out of analysis.evaluate")
			return
		}
	}
}

func (rule *targetRule) refuseValue(p float64, at fault.Place, f *fault.List) {
	if !cell.IsFinite(p) {
		f.Row(fault.RuleNotFinite, rule.column, at, "NaN or an infinity", mendNotFinite)
		return
	}
	f.Row(fault.RuleTarget, rule.column, at, "a probability of an evaluated policy outside [0, 1]", mendTarget)
}

func newTarget(c *converter, i int) columnRule {
	rule := &targetRule{armLists: c.lists(i), list: c.log.nested(i)}
	c.targets = append(c.targets, rule)
	return rule
}

// nested reports whether a want is a column of lists in the first file that has it.
func (l *logFiles) nested(i int) bool {
	return i < len(l.groups) && len(l.groups[i]) > 0 && l.groups[i][0].Column.Depth > 0
}

// targetColumns say what the columns of evaluated policies hold.
func (c *converter) targetColumns() []schemas.TargetColumn {
	var out []schemas.TargetColumn
	for _, rule := range c.targets {
		out = append(out, schemas.TargetColumn{Column: rule.column, AllArms: rule.list})
	}
	return out
}
