package check

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// unitsOneArm looks for units that met several arms within a batch: where arms are
// assigned to units between updates, each meets one. It notes, and contradicts
// nothing: a policy may choose anew for every row.
//
// Special cases are:
//
//	no unit or no batch is declared: not run
func unitsOneArm() Check {
	return Check{ID: "H07", Title: "one unit in several arms of a batch", Doc: "did one unit get several arms between two moments of learning", Expected: "0", Needs: needsUnits, Run: runUnitsOneArm, Note: true}
}

func needsUnits(f *Inputs) string {
	switch {
	case f.Units == nil && !f.Batches:
		return "log.unit and log.batch"
	case f.Units == nil:
		return "log.unit"
	case !f.Batches:
		return "log.batch"
	}
	return ""
}

func runUnitsOneArm(f *Inputs, c *schemas.Check) {
	c.Status = schemas.CheckPass
	c.Observed = fmt.Sprintf("%s of %s of unit and batch with several rows; %s in all, the largest with %s",
		schemas.Grouped(f.Units.Several), schemas.Counted(f.Units.Pairs, "pair"), schemas.Counted(f.Units.Count, "unit"), rows(f.Units.Largest))
	c.Measure("unit_batches_in_several_arms", "pairs", float64(f.Units.Several), 0)
	c.Measure("unit_batches_with_several_rows", "pairs", float64(f.Units.Pairs), math.NaN())
	c.Measure("units", "units", float64(f.Units.Count), math.NaN())
	c.Measure("largest_unit", "rows", float64(f.Units.Largest), math.NaN())
	if f.Units.Several > 0 {
		c.Status = schemas.CheckNote
		c.Detail = "If arms were meant to be assigned to units, the assignment was not kept; if they were chosen row by row, a unit's rows are in several arms and comparisons of arms are partly within units."
	}
}
