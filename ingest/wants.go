package ingest

import (
	"errors"
	"fmt"
	"slices"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// role is what a column of the log is for.
type role int

const (
	roleExperiment role = iota
	roleOrder
	roleAction
	roleReward
	rolePropensity
	roleContext
	roleContextList
)

// String is the role's name in the manifest.
func (r role) String() string {
	return [...]string{"experiment", "order", "action", "reward", "propensity", "context", "context"}[r]
}

// want is one column that the protocol asks for.
type want struct {
	role    role
	name    string
	context schemas.ContextColumn // of roleContext
}

// wants lists the columns that a protocol asks for, in the order: experiment,
// order, action, reward, propensity, context. What ingest cannot carry is an
// error that wraps ErrProtocol.
func wants(p *schemas.Protocol) ([]want, error) {
	if err := carried(p); err != nil {
		return nil, err
	}
	var ws []want
	if p.Experiment.Column != "" {
		ws = append(ws, want{role: roleExperiment, name: p.Experiment.Column})
	}
	for _, name := range p.Log.Order {
		ws = append(ws, want{role: roleOrder, name: name})
	}
	ws = append(ws, want{role: roleAction, name: p.Log.Action}, want{role: roleReward, name: p.Log.Reward})
	if p.Log.Propensity != "" {
		ws = append(ws, want{role: rolePropensity, name: p.Log.Propensity})
	}
	if p.Log.Context.List != "" {
		ws = append(ws, want{role: roleContextList, name: p.Log.Context.List})
	}
	for _, c := range p.Log.Context.Columns {
		ws = append(ws, want{role: roleContext, name: c.Column, context: c})
	}
	return ws, nil
}

// carried reports every declaration that ingest cannot carry into a tableau.
func carried(p *schemas.Protocol) error {
	var faults []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, fmt.Errorf("ingest: %s: %w", printable(fmt.Sprintf(format, args...)), ErrProtocol))
		}
	}
	l := &p.Log
	for _, key := range []struct{ name, value string }{
		{"reward_order", l.RewardOrder},
		{"propensity_by_arm", l.PropensityByArm},
		{"context_by_arm", l.ContextByArm},
		{"reward_by_arm", l.RewardByArm},
		{"released_by_arm", l.ReleasedByArm},
		{"eligible", l.Eligible},
		{"batch", l.Batch},
		{"unit", l.Unit},
	} {
		refuse(key.value != "", "log.%s is declared", key.name)
	}
	refuse(l.MissingReward != "" && l.MissingReward != missingError, "log.missing_reward: %s", l.MissingReward)
	refuse(l.Ties != "" && l.Ties != tiesError && l.Ties != tiesFileOrder, "log.ties: %s", l.Ties)
	refuse(p.Reward.OutOfRange != "" && p.Reward.OutOfRange != outError && p.Reward.OutOfRange != outClip, "reward.out_of_range: %s", p.Reward.OutOfRange)
	refuse(len(l.Order) == 0, "log.order names no column")
	refuse(l.Action == "", "log.action names no column")
	refuse(l.Reward == "", "log.reward names no column")
	refuse(len(p.Reward.Range) != 2 || !(p.Reward.Range[0] < p.Reward.Range[1]), "reward.range is not two numbers in order")
	for _, c := range l.Context.Columns {
		refuse(len(c.Levels) > 0 && c.Baseline != "" && !slices.Contains(c.Levels, c.Baseline), "context %s has the baseline %q, which is not one of its levels", c.Column, c.Baseline)
	}
	return errors.Join(faults...)
}

// Words of the protocol.
const (
	missingError  = "error"
	tiesError     = "error"
	tiesFileOrder = "file-order"
	outError      = "error"
	outClip       = "clip"
)

// unfit says why a column cannot have a role, or "", and how to mend it.
func (w *want) unfit(c *pages.Column) (why, mend string) {
	number := c.Kind == pages.Bool || c.Kind == pages.Int || c.Kind == pages.Uint || c.Kind == pages.Float
	label := c.Kind == pages.Int || c.Kind == pages.Uint || c.Kind == pages.Text
	switch {
	case w.role == roleContextList:
		if !c.List || c.Kind != pages.Float || !c.Readable() {
			return "a list context is a list of float or double", "cast it, for instance CAST(column AS DOUBLE[]), or list flat columns in log.context"
		}
		return "", ""
	case c.List:
		return "the " + w.role.String() + " is one value per row", "take one element of it in SQL; a context list is declared as {list: " + w.name + "}"
	case !c.Readable():
		return "this type is not read", "cast it in SQL: to DOUBLE for numbers, to VARCHAR for labels, to TIMESTAMP for times"
	}
	switch w.role {
	case roleExperiment, roleAction:
		if !label {
			return "labels are whole numbers or text", "cast it to VARCHAR"
		}
	case roleReward:
		if !number {
			return "a reward is a boolean or a number", "cast it to DOUBLE"
		}
	case rolePropensity:
		if c.Kind != pages.Float {
			return "a propensity is a float or double", "cast it to DOUBLE"
		}
	case roleContext:
		return w.unfitContext(number, label || c.Kind == pages.Bool)
	case roleOrder, roleContextList:
	}
	return "", ""
}

func (w *want) unfitContext(number, label bool) (why, mend string) {
	switch {
	case len(w.context.Levels) > 0 && !label:
		return "a context with levels is text, a whole number or a boolean", "cast it to VARCHAR, or declare it without levels"
	case len(w.context.Levels) == 0 && !number:
		return "a context is a boolean or a number", "declare its levels, or cast it to DOUBLE"
	}
	return "", ""
}
