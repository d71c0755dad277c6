package ingest

import (
	"fmt"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
)

// propensityRule converts the propensities of the chosen arms.
type propensityRule struct {
	want   int
	column string
	zero   bool // an action may have 0: it was drawn by one more draw than its propensity was estimated by
}

func newPropensity(c *converter, i int) columnRule {
	return &propensityRule{want: i, column: c.log.wants[i].Name, zero: c.oneMore}
}

func (rule *propensityRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Propensity = cell.Resize(out.Propensity, r.n)
	b := r.cols[rule.want]
	cell.Take(out.Propensity, b, r.types[rule.want])
	for i, p := range out.Propensity {
		if p >= tableau.MinPropensity && p <= 1 || rule.zero && p == 0 && (b.Nulls == 0 || !b.Null[i]) {
			out.Propensity[i] = p + 0 // −0 is 0
			continue
		}
		if b.Nulls > 0 && b.Null[i] {
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the propensity column", "complete the log, or leave log.propensity out of the protocol")
			continue
		}
		refusePropensity(p, rule.column, r.place(i), "log.propensity", f)
	}
	return nil
}

// mendNoChance says what stands for an arm without a probability.
const mendNoChance = "write 0 for an arm that could not be played; else complete the log, or leave the column out of the protocol"

const zeroChosen = "a propensity of 0 for the arm that was chosen"

// mendZero says how a 0 comes about. No resolution gives it a weight: what it was is
// not in the log, and without its row weighted means speak of other rounds.
func mendZero(key string) string {
	return "an action that was taken had a probability above 0: where it was small and was rounded to 0, write more decimals (log.propensity_resolution gives a 0 no weight); where it is a share of draws and the arm was drawn by one more draw, declare log.propensity_draws and log.drawn: one-more; where its logarithm was logged, write the probability itself; or leave " + key + " out of the protocol"
}

// refusePropensity says what is wrong with the propensity of an arm that was
// chosen.
func refusePropensity(p float64, column string, at fault.Place, key string, f *fault.List) {
	switch {
	case !cell.IsFinite(p):
		f.Row(fault.RuleNotFinite, column, at, "NaN or an infinity", "correct the value, or leave "+key+" out of the protocol")
	case p == 0:
		f.Row(fault.RulePropensity, column, at, zeroChosen, mendZero(key))
	case p <= 0: // ln p is never above 0
		f.Row(fault.RulePropensity, column, at, "a propensity outside (0, 1]", "correct it: an action that was taken had a probability above 0 and at most 1; where its logarithm was logged, write the probability itself")
	case p > 1:
		f.Row(fault.RulePropensity, column, at, "a propensity outside (0, 1]", "correct it: an action that was taken had a probability above 0 and at most 1")
	default:
		f.Row(fault.RulePropensity, column, at, fmt.Sprintf("a propensity below %g, so that its weight cannot be computed with", tableau.MinPropensity),
			"correct it: an action of so small a probability is never taken; or leave "+key+" out of the protocol")
	}
}

// propensityByArm converts the propensities of all arms; where no other column
// has it, the propensity of a row is the propensity of the chosen arm.
type propensityByArm struct {
	armLists
	alone bool // there is no column of the chosen arms' propensities
	zero  bool // as in propensityRule
}

func newPropensityByArm(c *converter, i int) columnRule {
	rule := &propensityByArm{armLists: c.lists(i), alone: !c.log.has(role.Propensity), zero: c.oneMore}
	rule.chance = true
	return rule
}

func (rule *propensityByArm) apply(r *rows, out *converted, f *fault.List) error {
	k := rule.shape.outer
	out.PropensityByArm = cell.Resize(out.PropensityByArm, r.n*k)
	if rule.alone {
		out.Propensity = cell.Resize(out.Propensity, r.n)
	}
	if k == 0 {
		return nil // there are no arms, which is a fault
	}
	rule.numbers(r, out.PropensityByArm, f)
	whole := rule.lengths(r, f, nil)
	within := whole && cell.AllWithin(out.PropensityByArm, 0, 1)
	for i := range r.n {
		row := out.PropensityByArm[i*k : (i+1)*k]
		if !whole && rule.broken(r, i) {
			continue
		}
		if !within {
			rule.limit(row, r.place(i), f)
		}
		arm := out.Arm[i]
		if arm < 0 {
			continue
		}
		if p := row[arm]; p < tableau.MinPropensity && (!rule.zero || p != 0) {
			rule.refuseChosen(p, r.place(i), f)
		}
		if rule.alone {
			out.Propensity[i] = row[arm]
		}
	}
	return nil
}

// limit refuses a row by the first of its values that is no probability.
func (rule *propensityByArm) limit(row []float64, at fault.Place, f *fault.List) {
	for _, p := range row {
		if !(p >= 0 && p <= 1) { // so that NaN fails
			rule.refuse(p, at, f)
			return
		}
	}
}

func (rule *propensityByArm) refuse(p float64, at fault.Place, f *fault.List) {
	if !cell.IsFinite(p) {
		f.Row(fault.RuleNotFinite, rule.column, at, "NaN or an infinity", mendNoChance)
		return
	}
	f.Row(fault.RulePropensity, rule.column, at, "a propensity of an arm outside [0, 1]", "correct it: a probability is at least 0 and at most 1")
}

func (rule *propensityByArm) refuseChosen(p float64, at fault.Place, f *fault.List) {
	if p == 0 {
		f.Row(fault.RulePropensity, rule.column, at, zeroChosen, "where arms is in another order than the lists, write it in theirs; else "+mendZero("log.propensity_by_arm"))
		return
	}
	if p > 0 {
		refusePropensity(p, rule.column, at, "log.propensity_by_arm", f)
	}
}
