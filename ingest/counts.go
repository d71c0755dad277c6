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
	budget *pages.Budget
	rows   [reasons]int64
	cells  map[cell]int64
	full   error // the memory for cells is used up; nothing is counted any more
}

// cell is what rows are counted by; the experiment is numbered in order of
// first appearance.
type cell struct {
	experiment, arm int32
	reason          reason
}

// cellBytes is about what a cell takes in the map that counts, among the sorted
// ones, and in the manifest.
const cellBytes = 144

// add counts a row of an experiment and arm. Where there is no memory for that,
// full says so.
func (c *counts) add(r reason, experiment, arm int32) {
	if experiment < 0 || arm < 0 || c.full != nil {
		return // a fault, so that nothing is written
	}
	if c.cells == nil {
		c.cells = map[cell]int64{}
	}
	key := cell{experiment, arm, r}
	n, known := c.cells[key]
	if !known {
		if err := c.budget.Take(cellBytes); err != nil {
			c.full = fmt.Errorf("ingest: counting rows by experiment and arm: %w: %w; raise --max-memory", fault.ErrResource, err)
			return
		}
	}
	c.cells[key] = n + 1
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

// each calls take with every cell, by experiment, reason and arm.
func (c *counts) each(take func(experiment int32, rows schemas.ArmCount)) {
	order := func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.experiment, b.experiment), cmp.Compare(a.reason, b.reason), cmp.Compare(a.arm, b.arm))
	}
	for _, key := range slices.SortedFunc(maps.Keys(c.cells), order) {
		take(key.experiment, schemas.ArmCount{Reason: key.reason.String(), Arm: int(key.arm), Rows: c.cells[key]})
	}
}
