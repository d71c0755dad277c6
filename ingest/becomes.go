package ingest

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// becoming says, column by column in the order of wants, what a log turns into.
type becoming struct {
	p   *schemas.Protocol
	log *logFiles
	x   int // columns of context so far
	key int // columns of the order so far
}

// column says what want i becomes.
func (b *becoming) column(i int) string {
	w := &b.log.wants[i]
	switch w.Role {
	case role.Experiment:
		return "experiment"
	case role.Order:
		b.key++
		return b.order(i)
	case role.Action:
		return "arm (" + b.arms() + ")"
	case role.Reward:
		return "reward (" + b.reward() + ")"
	case role.Context:
		return b.context(&w.Context)
	case role.ContextList:
		return "x0… (one for each value of the lists)"
	case role.RewardOrder:
		return "reward_round (compared with the first order key" + b.scale(i) + "; null: never)"
	case role.Propensity:
		return "propensity"
	case role.PropensityByArm:
		return "propensity_by_arm (" + b.each() + ")"
	case role.ContextByArm:
		return "context_by_arm (" + b.each() + ", a list each)"
	case role.RewardByArm:
		return "reward_by_arm (" + b.each() + "; " + b.reward() + "), reward (of the logged arm)"
	case role.ReleasedByArm:
		return "released_by_arm (" + b.each() + ")"
	case role.Eligible:
		return "eligible (" + b.each() + "; null: all)"
	case role.Batch:
		return "batch (0, 1, … in the order of the rounds)"
	case role.Draws:
		return "propensity_draws (whole numbers: by how many draws the propensities were estimated)"
	case role.Target:
		if b.log.nested(i) {
			return "targets (of an evaluated policy: " + b.each() + ")"
		}
		return "targets (of an evaluated policy: of the played arm)"
	case role.Unit:
		return "unit (0, 1, … in the order of the labels), and an order by unit"
	}
	return w.Role.String()
}

// order says how an order column compares.
func (b *becoming) order(i int) string {
	text := "order key"
	if n := len(b.p.Log.Order); n > 1 {
		text = fmt.Sprintf("order key %d of %d", b.key, n)
	}
	if len(b.log.kinds[i]) > 0 && b.log.kinds[i][0] == pages.Text {
		return text + ", compared bytewise"
	}
	return text + b.scale(i)
}

// scale says to what the numbers of several types are brought.
func (b *becoming) scale(i int) string {
	a := b.log.axes[i]
	if a == nil || !a.Set {
		return ""
	}
	for _, g := range b.log.groups[i] {
		if shown, _ := a.Shown(&g.Column); shown != &g.Column {
			return fmt.Sprintf(", all brought to 10^-%d", a.Power) + map[bool]string{true: " seconds"}[a.Class != cell.AxisInteger]
		}
	}
	return ""
}

// Bounds of a list of labels within a line.
const (
	maxWords     = 8
	maxWordBytes = 48
)

// listed writes the first labels, and how many there are more; an empty one as
// "".
func listed(labels []string) string {
	n, bytes := 0, 0
	for n < min(len(labels), maxWords) && (n == 0 || bytes+len(labels[n]) <= maxWordBytes) {
		bytes += len(labels[n])
		n++
	}
	first := slices.Clone(labels[:n])
	for i, l := range first {
		if l == "" {
			first[i] = `""`
		}
	}
	text := strings.Join(first, ", ")
	if n < len(labels) {
		text += fmt.Sprintf(" and %d more", len(labels)-n)
	}
	return text
}

func (b *becoming) arms() string {
	if len(b.p.Arms) == 0 {
		return "numbered in the order of the labels that the log has"
	}
	return fmt.Sprintf("%d: %s", len(b.p.Arms), listed(b.p.Arms))
}

// each says how many values a column by arm has.
func (b *becoming) each() string {
	if n := len(b.p.Arms); n > 0 {
		return fmt.Sprintf("%d, by arm", n)
	}
	return "by arm"
}

func (b *becoming) reward() string {
	r := &b.p.Reward
	text := fmt.Sprintf("in [%g, %g]", r.Range[0], r.Range[1])
	if r.OutOfRange == schemas.OutOfRangeClip {
		text += ", clipped"
	}
	if m := b.p.Log.MissingReward; m != "" && m != schemas.MissingError {
		text += "; null: missing, " + m
	}
	return text
}

// context says which columns of the tableau a flat context becomes.
func (b *becoming) context(c *schemas.ContextColumn) string {
	from := b.x
	if len(c.Levels) == 0 {
		b.x++
		return fmt.Sprintf("x%d", from)
	}
	baseline := role.BaselineOf(c)
	rest := slices.DeleteFunc(slices.Clone(c.Levels), func(l string) bool { return l == baseline })
	b.x += len(rest)
	switch len(rest) {
	case 0:
		return fmt.Sprintf("no column (%s is the only level)", listed([]string{baseline}))
	case 1:
		return fmt.Sprintf("x%d (%s; baseline %s)", from, listed(rest), listed([]string{baseline}))
	}
	return fmt.Sprintf("x%d…x%d (%s; baseline %s)", from, b.x-1, listed(rest), listed([]string{baseline}))
}
