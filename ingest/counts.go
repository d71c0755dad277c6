package ingest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// reason says why the manifest counts a row.
type reason uint8

const (
	reasonAll reason = iota
	reasonClipped
	reasonMissing
	reasonNever
	reasons
)

// String is the reason in the manifest.
func (r reason) String() string {
	return [...]string{schemas.ReasonAll, schemas.ReasonClipped, schemas.ReasonMissing, schemas.ReasonNever}[r]
}

// counts are rows by experiment, arm and reason, and by reason alone. Their
// memory is booked.
type counts struct {
	budget  *pages.Budget
	rows    [reasons]int64
	tallies map[tally]int64
	full    error // the memory for tallies is used up; nothing is counted any more
}

// tally is what rows are counted by; the experiment is numbered in order of
// first appearance.
type tally struct {
	experiment, arm int32
	reason          reason
}

// tallyBytes is about what a tally takes in the map that counts, among the sorted
// ones, and in the manifest.
const tallyBytes = 144

// add counts a row of an experiment and arm. Where there is no memory for that,
// full says so.
func (c *counts) add(r reason, experiment, arm int32) {
	if experiment < 0 || arm < 0 || c.full != nil {
		return // a fault, so that nothing is written
	}
	if c.tallies == nil {
		c.tallies = map[tally]int64{}
	}
	key := tally{experiment, arm, r}
	n, known := c.tallies[key]
	if !known {
		if err := c.budget.Take(tallyBytes); err != nil {
			c.full = fmt.Errorf("ingest: counting rows by experiment and arm: %w: %w; raise --max-memory", fault.ErrResource, err)
			return
		}
	}
	c.tallies[key] = n + 1
}

// row counts a row of an experiment and arm, by reason alone too.
func (c *counts) row(r reason, experiment, arm int32) {
	c.rows[r]++
	c.add(r, experiment, arm)
}

// total lists the rows by reason.
func (c *counts) total() []schemas.Exclusion {
	list := []schemas.Exclusion{}
	for r, n := range c.rows {
		if n > 0 {
			list = append(list, schemas.Exclusion{Reason: reason(r).String(), Rows: n})
		}
	}
	return list
}

// each calls take with every tally, by experiment, reason and arm.
func (c *counts) each(take func(experiment int32, rows schemas.ArmCount)) {
	order := func(a, b tally) int {
		return cmp.Or(cmp.Compare(a.experiment, b.experiment), cmp.Compare(a.reason, b.reason), cmp.Compare(a.arm, b.arm))
	}
	for _, key := range slices.SortedFunc(maps.Keys(c.tallies), order) {
		take(key.experiment, schemas.ArmCount{Reason: key.reason.String(), Arm: int(key.arm), Rows: c.tallies[key]})
	}
}
