// Package role is what the columns of a log are for: the columns that a protocol
// asks for, the types that fit each role, and the names that columns of a role have.
//
// # Add a column of the log
//
// A column is a file NAME.go: a Column says its key, which columns a protocol asks for where that
// is not the one that the key names, what fits and how to mend it, the names by which init
// guesses it, in which pass it is read, on which axis it compares, whether its lists are by arm
// and in their order, whether it has rewards, what it becomes in words, and what it notes in the
// schema of a tableau. Its line is in All; no other file switches over roles, and validate, the
// faults of a log, the shapes of lists, the manifest and the draft of init follow. The arithmetic
// stands beside it:
//
//   - schemas: the field of Log, the constant of its key and a line of LogColumns (logcolumns.go),
//     and of SetBys where somebody sets it; go generate ./schemas
//   - ingest/NAME.go: the rule that converts it, a line of conversions (convert.go); where rows
//     may be sorted, a line of floats or longs (rowcodec.go)
//   - ingest/tableau: a field of Schema, Batch and Chunk, and a value of columns (columns.go) with
//     its name, kind, width and checks, for a tableau is read as an untrusted file
//   - analyze: whatever it changes. A row that must leave an estimate has arm −1 (Rewards.Arms),
//     which every accumulator passes over; what a column makes wrong is NOT APPLICABLE with the
//     reason, in analyze/decide/validity/applicable.go or beside the method. replay/conformance: a
//     policy whose choices it could change is given it; until then replay/build.go refuses such a
//     policy. analyze/log/check: a check that cannot run names the column that would make it
//     possible
//   - reading in cmd/banditaudit/census.go: what all rows of a log decide together, beside the
//     types of columns. What experiments have to do with each other is compared in merge, as noise
//     is
//   - analyze/roles_test.go: the log with the column against the log without the rows, or the sum
//     by hand
//
// Where more than its name speaks for it, its judge is a line of steps (ingest/guess/guess.go);
// logs of simulate have it by a line of ingest/logfile, the starter of init by one of
// cmd/banditaudit/protocolinit/log.go. A test hands down a longer list
// (ingest/toycolumn_test.go).
package role

import (
	"errors"
	"fmt"
	"slices"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/hashassign"
	"banditaudit/schemas"
)

// Want is one column that the protocol asks for.
type Want struct {
	*Column

	Name    string
	Context schemas.ContextColumn // of a flat context
}

// Wanted lists the columns that a protocol asks for, in the order of the list.
// What ingest cannot carry is an error that wraps ErrProtocol.
func (l List) Wanted(p *schemas.Protocol) ([]Want, error) {
	if err := carried(p); err != nil {
		return nil, err
	}
	var ws []Want
	for i := range l {
		for _, w := range l[i].asked(p) {
			w.Column = &l[i]
			ws = append(ws, w)
		}
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
	for _, c := range schemas.LogColumns() {
		name := c.Name(p)
		refuse(c.InArmOrder && name != "" && len(p.Arms) == 0, "%s is %s, and arms are not declared (%s); %s", c.Path, schemas.Quoted(name), InArmOrder, MendArmOrder)
	}
	if d := p.Hashed(); d != nil {
		_, known := hashassign.Named(d.Hash)
		refuse(!known, "policy.draw.hash: %s", d.Hash)
		refuse(d.Unit == "" || d.Unit != l.Unit, "policy.draw.unit is %s, and log.unit is %s", schemas.Quoted(d.Unit), schemas.Quoted(l.Unit))
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

// ItemNames returns the columns that a list of length numbers makes: "column[0]" and so on.
func ItemNames(column string, length int) []string {
	names := make([]string, length)
	for i := range names {
		names[i] = fmt.Sprintf("%s[%d]", column, i)
	}
	return names
}
