package ingest

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableau"
)

// keepProbRule converts with which probability a row is in the log: a number in
// [tableau.MinPropensity, 1].
type keepProbRule struct {
	want   int
	column string
}

func newKeepProb(c *converter, i int) columnRule {
	return &keepProbRule{want: i, column: c.log.wants[i].Name}
}

const mendKeepProb = "write with which probability the row was kept; of a row that would have been kept in any case, 1; where the column says how rows were dropped, 1 less that"

func (rule *keepProbRule) apply(r *rows, out *converted, f *fault.List) error {
	out.KeepProb = cell.Resize(out.KeepProb, r.n)
	b := r.cols[rule.want]
	cell.Take(out.KeepProb, b, r.types[rule.want])
	for i, o := range out.KeepProb {
		switch {
		case b.Nulls > 0 && b.Null[i]:
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the column of keep_prob", mendKeepProb)
		case !cell.IsFinite(o):
			f.Row(fault.RuleNotFinite, rule.column, r.place(i), "NaN or an infinity", mendKeepProb)
		case !(o >= tableau.MinPropensity && o <= 1):
			f.Row(fault.RuleKeepProb, rule.column, r.place(i), "a probability outside (0, 1] of a row that was kept", mendKeepProb)
		}
	}
	return nil
}
