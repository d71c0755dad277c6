package ingest

import (
	"banditaudit/schemas"
)

// converted is a block of rows as a tableau holds them, but for the order.
type converted struct {
	experiment []int32 // number in order of first appearance; -1 for a fault
	arm        []int32
	reward     []float64
	propensity []float64
	x          [][]float64
}

// converter turns blocks of the log into columns of a tableau, and applies the
// rules. After a fault the values it leaves are not used.
type converter struct {
	faults      *faults
	wants       []want
	experiments *labels
	arms        *labels
	reward      rewardRule
	contexts    []contextRule
	widths      []int // by rule: the columns that it makes
	out         converted
}

func newConverter(p *schemas.Protocol, l *logFiles, experiments, arms *labels, list int) *converter {
	c := &converter{faults: l.faults, wants: l.wants, experiments: experiments, arms: arms, reward: newRewardRule(p)}
	for i, w := range l.wants {
		switch w.role {
		case roleContext:
			c.contexts = append(c.contexts, newContextRule(i, w.context))
		case roleContextList:
			c.contexts = append(c.contexts, &listContext{want: i, column: w.name, length: list})
		case rolePropensity:
			c.out.propensity = []float64{}
		case roleExperiment, roleOrder, roleAction, roleReward:
		}
	}
	width := 0
	for _, rule := range c.contexts {
		c.widths = append(c.widths, len(rule.names()))
		width += len(rule.names())
	}
	c.out.x = make([][]float64, width)
	return c
}

// contextNames names x0, x1, … .
func (c *converter) contextNames() []string {
	names := []string{}
	for _, rule := range c.contexts {
		names = append(names, rule.names()...)
	}
	return names
}

// block converts a block; the result is used again at the next call.
func (c *converter) block(r *rows) *converted {
	c.experiment(r)
	x := c.out.x
	for i := range c.wants {
		switch c.wants[i].role {
		case roleAction:
			c.out.arm = c.action(r, i)
		case roleReward:
			c.out.reward = c.reward.apply(r, i, c.wants[i].name, c.out.reward, c.faults)
		case rolePropensity:
			c.out.propensity = propensities(r, i, c.wants[i].name, c.out.propensity, c.faults)
		case roleExperiment, roleOrder, roleContext, roleContextList:
		}
	}
	for k, rule := range c.contexts {
		n := c.widths[k]
		for j := range n {
			x[j] = resizeTo(x[j], r.n)
		}
		rule.apply(r, x[:n], c.faults)
		x = x[n:]
	}
	return &c.out
}

// experiment looks up experiments. The first pass reported what it did not
// number.
func (c *converter) experiment(r *rows) {
	c.out.experiment = resizeTo(c.out.experiment, r.n)
	if c.wants[0].role != roleExperiment {
		clear(c.out.experiment)
		return
	}
	b, column := r.cols[0], r.types[0]
	for i := range r.n {
		code, ok := c.experiments.find(b, column, i)
		if !ok || b.Nulls > 0 && b.Null[i] {
			code = -1
		}
		c.out.experiment[i] = code
	}
}

// action looks up arms.
func (c *converter) action(r *rows, w int) []int32 {
	arms := resizeTo(c.out.arm, r.n)
	b, column, name := r.cols[w], r.types[w], c.wants[w].name
	for i := range r.n {
		if b.Nulls > 0 && b.Null[i] {
			c.faults.row(RuleNull, name, r.place(i), "a null in the action column", "leave the row out, or name its arm")
			continue
		}
		code, ok := c.arms.find(b, column, i)
		if !ok {
			c.unknownArm(r.place(i), name, labelAt(b, column, i))
			continue
		}
		arms[i] = code
	}
	return arms
}

func (c *converter) unknownArm(at Place, name, label string) {
	if !isText(label) {
		c.faults.row(RuleNotText, name, at, "an action that is not a text in UTF-8 of at most 4,096 bytes", "write labels as short texts in UTF-8")
		return
	}
	mend := "add it to arms, or leave the rows out"
	if near := nearest(label, c.arms.names); near != "" && len(c.arms.names) <= 1000 {
		mend += "; the declared arms include " + near
	}
	c.faults.label(RuleArm, name, at, label, "an action that is not among the declared arms", mend)
}
