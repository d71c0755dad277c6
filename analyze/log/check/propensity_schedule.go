package check

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// propensitySchedule looks for batches within which the propensity of an arm changed, which it
// may not do where a policy learns between batches and sees no context. It
// notes, and contradicts nothing: what a batch is was declared by whoever wrote
// the protocol.
//
// Where no batch is declared it says how propensities move: whether a fixed policy
// could have logged them, and in what windows of time or rounds they stand still
// (see allocationtest.Clock).
//
// Special cases are:
//
//	no propensity is declared: not run
//	no batch is declared, and eligible arms or contexts by arm are: not run
//	a change where contexts or eligible arms are declared: not run, propensities may follow them
func propensitySchedule() Check {
	return Check{ID: "H10", Title: "propensities change on schedule", Doc: "do propensities change only where the policy may learn", Expected: "only between batches", Needs: needsSchedule, Run: runPropensitySchedule, Note: true}
}

func needsSchedule(f *Inputs) string {
	switch p := f.Propensities; {
	case p == nil:
		return "log.propensity or log.propensity_by_arm, and log.batch,"
	case p.Cadence == nil && (!f.Batches || p.Schedule == nil):
		return "log.batch"
	}
	return ""
}

func runPropensitySchedule(f *Inputs, c *schemas.Check) {
	switch {
	case f.Propensities.Cadence != nil:
		f.inferred(c)
		return
	case f.Varying && f.Propensities.Schedule.Changed > 0:
		c.Status, c.Detail = schemas.CheckNotRun, "Propensities may follow the context or the eligible arms of a round, so that their changes within a batch show nothing."
		return
	}
	s := f.Propensities.Schedule
	c.Status, c.Observed = schemas.CheckPass, fmt.Sprintf("changed within %s of %s batches", schemas.Grouped(s.Changed), schemas.Grouped(s.Batches))
	if s.Batches == 1 {
		c.Observed = fmt.Sprintf("changed within %d of 1 batch", s.Changed)
	}
	c.Measure("batches_with_changes", "batches", float64(s.Changed), 0)
	c.Measure("batches", "batches", float64(s.Batches), math.NaN())
	if s.Changed > 0 {
		c.Status = schemas.CheckNote
		c.Detail = "The policy did not learn between the declared batches only, or it saw a context that is not declared."
	}
}
