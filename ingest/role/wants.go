// Package role is what the columns of a log are for: the columns that a protocol
// asks for, the types that fit each role, and the names that columns of a role have.
package role

import (
	"errors"
	"fmt"
	"slices"

	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

// Role is what a column of the log is for.
type Role int

// The roles, in the order in which columns are asked for.
const (
	Experiment Role = iota
	Order
	Action
	Reward
	Propensity
	PropensityByArm
	Context
	ContextList
	ContextByArm
	RewardByArm
	ReleasedByArm
	Eligible
	RewardOrder
	Batch
	Unit
	Draws
	Target
)

// String is the role's name in the manifest: the protocol's key.
func (r Role) String() string {
	return [...]string{
		"experiment", "order", "action", "reward", "propensity", "propensity_by_arm", "context", "context", "context_by_arm",
		"reward_by_arm", "released_by_arm", "eligible", "reward_order", "batch", "unit", "propensity_draws", "target",
	}[r]
}

// Want is one column that the protocol asks for.
type Want struct {
	Role    Role
	Name    string
	Context schemas.ContextColumn // of roleContext
}

// Wanted lists the columns that a protocol asks for, in the order of the roles.
// What ingest cannot carry is an error that wraps ErrProtocol.
func Wanted(p *schemas.Protocol) ([]Want, error) {
	if err := carried(p); err != nil {
		return nil, err
	}
	var ws []Want
	add := func(r Role, name string) {
		if name != "" {
			ws = append(ws, Want{Role: r, Name: name})
		}
	}
	l := &p.Log
	add(Experiment, p.Experiment.Column)
	for _, name := range l.Order {
		add(Order, name)
	}
	add(Action, l.Action)
	add(Reward, l.Reward)
	add(Propensity, l.Propensity)
	add(PropensityByArm, l.PropensityByArm)
	for _, c := range l.Context.Columns {
		ws = append(ws, Want{Role: Context, Name: c.Column, Context: c})
	}
	add(ContextList, l.Context.List)
	add(ContextByArm, l.ContextByArm)
	add(RewardByArm, l.RewardByArm)
	add(ReleasedByArm, l.ReleasedByArm)
	add(Eligible, l.Eligible)
	add(RewardOrder, l.RewardOrder)
	add(Batch, l.Batch)
	add(Unit, l.Unit)
	if l.PropensityDraws != nil {
		add(Draws, l.PropensityDraws.Column)
	}
	for _, name := range p.TargetColumns() {
		add(Target, name) // behind the eligible arms, which it is held against
	}
	return ws, nil
}

// carried reports every declaration that ingest cannot carry into a tableau.
func carried(p *schemas.Protocol) error {
	var faults []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, fmt.Errorf("ingest: %s: %w", schemas.Printable(fmt.Sprintf(format, args...)), fault.ErrProtocol))
		}
	}
	l := &p.Log
	refuse(!slices.Contains(append(schemas.MissingWords(), ""), l.MissingReward), "log.missing_reward: %s", l.MissingReward)
	refuse(!slices.Contains([]string{"", schemas.TiesError, schemas.TiesFileOrder}, l.Ties), "log.ties: %s", l.Ties)
	refuse(!slices.Contains([]string{"", schemas.OutOfRangeError, schemas.OutOfRangeClip}, p.Reward.OutOfRange), "reward.out_of_range: %s", p.Reward.OutOfRange)
	refuse(len(l.Order) == 0, "log.order names no column")
	refuse(l.Action == "", "log.action names no column")
	refuse(l.Reward == "" && l.RewardByArm == "", "log.reward names no column, and neither does log.reward_by_arm")
	refuse(l.Reward != "" && l.RewardByArm != "", "log.reward_by_arm stands beside log.reward")
	refuse(!l.Context.IsZero() && l.ContextByArm != "", "log.context_by_arm stands beside log.context")
	for _, c := range []struct{ role, column string }{
		{"propensity_by_arm", l.PropensityByArm},
		{"context_by_arm", l.ContextByArm},
		{"reward_by_arm", l.RewardByArm},
		{"released_by_arm", l.ReleasedByArm},
	} {
		refuse(c.column != "" && len(p.Arms) == 0, "log.%s is %s, and arms are not declared (%s); %s", c.role, schemas.Quoted(c.column), InArmOrder, MendArmOrder)
	}
	refuse(len(p.Reward.Range) != 2 || !(p.Reward.Range[0] < p.Reward.Range[1]), "reward.range is not two numbers in order")
	for _, c := range l.Context.Columns {
		refuse(len(c.Levels) > 0 && !slices.Contains(c.Levels, BaselineOf(&c)), "context %s has the baseline %s, which is not one of its levels", c.Column, schemas.Quoted(BaselineOf(&c)))
	}
	return errors.Join(faults...)
}

// What is said of lists by arm without declared arms, here and by the protocol's
// own rules.
const (
	InArmOrder   = "its lists are read in the order of arms"
	MendArmOrder = "declare arms in the order of the lists"
)

// OfLabels reports whether a role is that of a column of labels, one per row,
// which have to mean the same in all files.
func (r Role) OfLabels() bool {
	return r == Experiment || r == Action || r == Unit || r == Batch
}

// BaselineOf is the level of a categorical column that makes no column: the
// declared one, else the first; "" of a column without levels.
func BaselineOf(c *schemas.ContextColumn) string {
	switch {
	case c.Baseline != nil:
		return *c.Baseline
	case len(c.Levels) > 0:
		return c.Levels[0]
	}
	return ""
}

// ContextNames are the columns of a tableau that a declared context makes:
// itself, or "column=level" of every level but the baseline.
func ContextNames(c *schemas.ContextColumn) []string {
	if len(c.Levels) == 0 {
		return []string{c.Column}
	}
	var made []string
	for _, level := range c.Levels {
		if level != BaselineOf(c) {
			made = append(made, c.Column+"="+level)
		}
	}
	return made
}

// ItemNames are the columns that a list of so many numbers makes: "column[0]" and so on.
func ItemNames(column string, length int) []string {
	names := make([]string, length)
	for i := range names {
		names[i] = fmt.Sprintf("%s[%d]", column, i)
	}
	return names
}
