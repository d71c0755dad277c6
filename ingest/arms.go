package ingest

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

// oneExperiment is the rule of a log that is one experiment.
type oneExperiment struct{}

func (oneExperiment) apply(r *rows, out *converted, _ *fault.List) error {
	out.Experiment = cell.Resize(out.Experiment, r.n)
	clear(out.Experiment)
	return nil
}

// experimentRule looks up experiments. The first pass reported what it did not
// number.
type experimentRule struct {
	want  int
	found *cell.Finder
}

func newExperiment(c *converter, i int) columnRule {
	return &experimentRule{want: i, found: cell.NewFinder(c.experiments)}
}

func (rule *experimentRule) apply(r *rows, out *converted, _ *fault.List) error {
	out.Experiment = cell.Resize(out.Experiment, r.n)
	rule.found.Block(r.cols[rule.want], r.types[rule.want], out.Experiment)
	return nil
}

// actionRule looks up the arms that were chosen.
type actionRule struct {
	want   int
	column string
	found  *cell.Finder
}

func newAction(c *converter, i int) columnRule {
	return &actionRule{want: i, column: c.log.wants[i].Name, found: cell.NewFinder(c.arms)}
}

func (rule *actionRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Arm = cell.Resize(out.Arm, r.n)
	b, column := r.cols[rule.want], r.types[rule.want]
	if rule.found.Block(b, column, out.Arm) == 0 {
		return nil
	}
	for i, arm := range out.Arm {
		switch {
		case arm >= 0:
		case b.Nulls > 0 && b.Null[i]:
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the action column", "leave the row out, or name its arm")
		default:
			unknownArm(f, rule.found.Labels, whatAction, rule.column, r.place(i), cell.LabelAt(b, column, i))
		}
	}
	return nil
}

// What unknownArm says that a label stands for.
const (
	whatAction   = "an action"
	whatEligible = "an eligible arm"
)

// whatArm is what unknownArm says of a label.
func whatArm(what string) string { return what + " that is not among the declared arms" }

// whatEmpty is what is said of a label without a letter: it names nothing, and
// no protocol can declare it.
const whatEmpty = "an empty label"

// unknownArm counts a row whose arm is not declared, or cannot be.
func unknownArm(f *fault.List, arms *cell.Labels, what, column string, at fault.Place, label string) {
	if !cell.IsText(label) {
		f.Row(fault.RuleNotText, column, at, what+" that is neither a text in UTF-8 of at most 4,096 bytes without a zero byte nor a whole number of 64 bits", "write labels as short texts in UTF-8")
		return
	}
	if label == "" {
		f.Row(fault.RuleArm, column, at, whatEmpty, "name the arm, or leave the row out")
		return
	}
	mend := ""
	if !f.Known(fault.RuleArm, column, whatArm(what)) { // looking for a near label takes time
		mend = "add it to arms, or leave the rows out"
		if name, how := fault.LookAlike(label, arms.Names); name != "" {
			mend = "write it as arms does: arms has " + schemas.Quoted(name) + ", from which it differs by " + how + "; if it is another arm, add it to arms"
		} else if near := fault.Nearest(label, arms.Names); near != "" && len(arms.Names) <= 1000 {
			mend += "; the declared arms include " + near
		}
	}
	f.Label(fault.RuleArm, column, at, label, whatArm(what), mend)
}
