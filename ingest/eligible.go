package ingest

import (
	"fmt"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
)

// eligibleRule converts the arms that could be chosen: a list of labels, or of
// a boolean for each arm. A null list stands for all arms.
type eligibleRule struct {
	want   int
	column string
	arms   int
	found  *cell.Finder
	counts *counts
}

func newEligible(c *converter, i int) columnRule {
	return &eligibleRule{want: i, column: c.log.wants[i].Name, arms: len(c.arms.Names), found: cell.NewFinder(c.arms), counts: c.counts}
}

func (rule *eligibleRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Eligible = cell.Resize(out.Eligible, r.n*rule.arms)
	clear(out.Eligible)
	if rule.arms == 0 {
		return nil // there are no arms, which is a fault
	}
	b, c := r.cols[rule.want], r.types[rule.want]
	rule.found.Load(c)
	for i := range r.n {
		row := out.Eligible[i*rule.arms : (i+1)*rule.arms]
		var good bool
		switch {
		case b.Null[i]:
			for arm := range row {
				row[arm] = true
			}
			rule.counts.row(reasonAll, out.Experiment[i], out.Arm[i])
			continue
		case b.ItemNulls[i]:
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null within a list of eligible arms", "leave the entry out; a null instead of the list stands for all arms")
			continue
		case c.Kind == pages.Bool:
			good = rule.flags(r, i, row, f)
		default:
			good = rule.labels(r, i, row, f)
		}
		if arm := out.Arm[i]; good && arm >= 0 && !row[arm] {
			f.Row(fault.RuleEligible, rule.column, r.place(i), "an action that is not among the eligible arms", "correct the list, or leave log.eligible out of the protocol if it was not binding")
		}
	}
	return rule.counts.full
}

// flags reads a boolean for each arm.
func (rule *eligibleRule) flags(r *rows, i int, row []bool, f *fault.List) bool {
	b := r.cols[rule.want]
	if int(b.Length[i]) != rule.arms {
		f.Row(fault.RuleListLength, rule.column, r.place(i), fmt.Sprintf("a list of booleans that does not have %d entries, one for each arm", rule.arms),
			"bring all lists to that length, in the order of arms, or declare all arms")
		return false
	}
	for arm, v := range b.Int[i*rule.arms : (i+1)*rule.arms] {
		row[arm] = v != 0
	}
	return true
}

// labels reads a list of arms.
func (rule *eligibleRule) labels(r *rows, i int, row []bool, f *fault.List) bool {
	b, c := r.cols[rule.want], r.types[rule.want]
	n := int(b.Length[i])
	if n > rule.arms {
		f.Row(fault.RuleListLength, rule.column, r.place(i), fmt.Sprintf("a list of eligible arms with more entries than there are arms (%d)", rule.arms),
			"list each arm once; where the protocol lists no arms, declare them all")
		return false
	}
	var twice, odd, undeclared bool // a row is counted once by each
	for j := i * rule.arms; j < i*rule.arms+n; j++ {
		arm := rule.found.At(b, c, j)
		if arm >= 0 {
			twice = twice || row[arm]
			row[arm] = true
			continue
		}
		label := cell.LabelAt(b, c, j)
		counted := &undeclared
		named := label != "" && cell.IsText(label)
		if !named {
			counted = &odd
		}
		if !*counted {
			unknownArm(f, rule.found.Labels, whatEligible, rule.column, r.place(i), label)
		} else if named {
			f.Name(fault.RuleArm, rule.column, whatArm(whatEligible), label)
		}
		*counted = true
	}
	if twice {
		f.Row(fault.RuleEligible, rule.column, r.place(i), "a list of eligible arms that has an arm twice", "list each arm once")
	}
	return !twice && !odd && !undeclared
}
