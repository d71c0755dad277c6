package ingest

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// converted is a block of rows as a tableau holds them, but for the order and the
// rounds: experiments and batches are numbered in order of first appearance. What
// the protocol does not declare is nil. A fault has experiment or arm −1.
type converted tableau.Batch

// columnRule turns a column of the log into columns of a tableau. After a fault
// the values that it leaves are not used.
type columnRule interface {
	apply(r *rows, out *converted, f *fault.List) error
}

// converter turns blocks of the log into columns of a tableau, and applies the
// rules. After a fault the values it leaves are not used.
type converter struct {
	log    *logFiles
	faults *fault.List

	experiments, arms *cell.Labels

	shapes   []shape // by want, of lists
	counts   *counts // shared by the rules
	reward   rewardRange
	oneMore  bool          // an action may have propensity 0 (log.drawn)
	hashed   *schemas.Draw // by which units have positions; nil for none
	contexts []contextRule
	targets  []*targetRule // of evaluated policies
	rules    []columnRule  // what a rule needs of others is made by those before it
	out      converted
}

// newConverter makes the rules of a protocol's columns. It reads the beginning
// of lists whose length the protocol does not say; what is wrong with those
// files is a fault. An error is about memory.
func newConverter(p *schemas.Protocol, l *logFiles, experiments, arms *cell.Labels) (*converter, error) {
	shapes, err := listShapes(l, len(arms.Names))
	if err != nil {
		return nil, err
	}
	if err := bookShapes(l, shapes); err != nil {
		return nil, err
	}
	c := buildConverter(p, l, shapes, experiments, arms)
	if err := c.checkWidth(); err != nil {
		return nil, err
	}
	return c, nil
}

// buildConverter makes the rules of a protocol's columns, whose shapes are known.
func buildConverter(p *schemas.Protocol, l *logFiles, shapes []shape, experiments, arms *cell.Labels) *converter {
	n := &counts{budget: l.budget}
	c := &converter{log: l, faults: l.faults, experiments: experiments, arms: arms, shapes: shapes, counts: n, reward: newRewardRange(p, n), oneMore: p.Log.Drawn == schemas.DrawnOneMore, hashed: p.Hashed()}
	if l.wants[0].Role != role.Experiment {
		c.rules = append(c.rules, oneExperiment{})
	}
	for i := range l.wants {
		for _, to := range conversions() {
			if to.role == l.wants[i].Role {
				c.rules = append(c.rules, to.rule(c, i))
			}
		}
	}
	targetWidths(c.targets)
	return c
}

// conversion says how a column with a role is converted.
type conversion struct {
	role role.Role
	rule func(c *converter, want int) columnRule
}

// conversions lists the conversions of all roles that the second pass converts. What a rule
// needs of others is made by the rules before it: see role.All.
func conversions() []conversion {
	return []conversion{
		{role.Experiment, newExperiment},
		{role.Action, newAction},
		{role.Reward, newReward},
		{role.Propensity, newPropensity},
		{role.PropensityByArm, newPropensityByArm},
		{role.Context, newContext},
		{role.ContextList, newContextList},
		{role.ContextByArm, newContextByArm},
		{role.RewardByArm, newRewardByArm},
		{role.ReleasedByArm, newReleasedByArm},
		{role.ScoreByArm, newScoreByArm},
		{role.Eligible, newEligible},
		{role.Batch, newBatch},
		{role.Draws, newDraws},
		{role.KeepProb, newKeepProb},
		{role.Target, newTarget},
		{role.Position, newPosition},
		{role.Stratum, newStratum},
		{role.Clock, newClockRule},
	}
}

// lists is a column of lists by arm.
func (c *converter) lists(i int) armLists {
	return armLists{want: i, column: c.log.wants[i].Name, shape: c.shapes[i]}
}

// context adds the columns of a context.
func (c *converter) context(rule contextRule) columnRule {
	from := len(c.out.X)
	c.out.X = append(c.out.X, make([][]float64, len(rule.names()))...)
	c.contexts = append(c.contexts, rule)
	return &contextColumns{rule: rule, from: from, to: len(c.out.X)}
}

// contextNames names x0, x1, … .
func (c *converter) contextNames() []string {
	names := []string{}
	for _, rule := range c.contexts {
		names = append(names, rule.names()...)
	}
	return names
}

// block converts a block; the result is used again at the next call. The error
// is about memory.
func (c *converter) block(r *rows) (*converted, error) {
	for _, rule := range c.rules {
		if err := rule.apply(r, &c.out, c.faults); err != nil {
			return nil, err
		}
	}
	return &c.out, nil
}

// never counts rows whose reward never became known. The error is about memory.
func (c *converter) never(rows *converted) error {
	for i, known := range rows.RewardRound {
		if known == never {
			c.counts.row(reasonNever, rows.Experiment[i], rows.Arm[i])
		}
	}
	return c.counts.full
}

// close reports what only the end of the log shows.
func (c *converter) close() { c.reward.close(c.faults) }

// has reports whether the protocol asks for a column of a role.
func (l *logFiles) has(r role.Role) bool {
	for i := range l.wants {
		if l.wants[i].Role == r {
			return true
		}
	}
	return false
}

// numbers converts a block of numbers, one for each row. What float64 does not
// hold exactly, NaN and infinities are faults, but a decimal is rounded to the
// nearest; nulls become 0.
func numbers(r *rows, w int, name string, dst []float64, f *fault.List) []float64 {
	dst = cell.Resize(dst, r.n)
	b, c := r.cols[w], r.types[w]
	if !cell.Take(dst, b, c) {
		refuseInts(r, w, name, 1, f)
	}
	if cell.AllFinite(dst) {
		return dst
	}
	for i, v := range dst {
		if !cell.IsFinite(v) {
			f.Row(fault.RuleNotFinite, name, r.place(i), "NaN or an infinity", mendNotFinite)
		}
	}
	return dst
}

// refuseInts reports the rows with a whole number, of width in each row, that
// float64 does not hold exactly.
func refuseInts(r *rows, w int, name string, width int, f *fault.List) {
	b, kind := r.cols[w], r.types[w].Kind
	for i := range r.n {
		for j := i * width; j < (i+1)*width; j++ {
			v := b.Int[j]
			if !cell.Exactly(v, kind) || cell.Over(b, j) {
				f.Row(fault.RuleNotExact, name, r.place(i), "a whole number beyond ±2^53, which a float64 does not hold exactly", "scale the column down, or cast it to DOUBLE knowingly")
				break
			}
		}
	}
}

const mendNotFinite = "correct the value, or leave the row out"
