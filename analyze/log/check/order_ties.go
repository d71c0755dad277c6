package check

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

// Repeats says how a log repeats itself. It does not where both numbers are 1.
type Repeats struct {
	Copies int64 // of the first rows, one after the other, that make the log
	InRow  int64 // times that every row stands in a row
	Round  int64 // of the first row that is an earlier one again
}

// orderTies says that no two rows are the same round. Rows that tie in the declared
// order are refused by ingest, or settled by file order where the protocol
// says so; then a duplicate cannot be told from a tie and the check notes it.
//
// A log that repeats itself fails: one that was appended to itself, or that has each row k
// times in a row. It takes rewards that vary (40 changes among the rewards of one arm, and
// of one context where contexts recur) for the repetition not to be chance, which it is in
// fewer than 2·10⁻¹² of logs whose rewards are drawn independently given the arm.
//
// Special cases are:
//
//	units own several rows: noted, for rows of one unit may be equal
//	some rows are there more than once, or copies are in another order: not looked for
func orderTies() Check {
	return Check{ID: "H02", Title: "duplicate rounds", Doc: "is a round in the log twice, or does the log repeat itself", Expected: "0", Run: runOrderTies, Quality: true}
}

func runOrderTies(f *Inputs, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "0 ties"
	if f.TiesByFile {
		c.Status, c.Observed = schemas.CheckNote, "ties settled by file order"
		c.Detail = "With ties: file-order a row written twice cannot be told from two rounds; add a column to order that makes rows distinct."
	} else {
		c.Measure("ties", "rows", 0, 0)
	}
	if f.Repeats.Times() > 1 {
		f.repeated(c)
	}
}

// Times is how often each row is in the log.
func (r *Repeats) Times() int64 {
	if r == nil {
		return 1
	}
	return r.Copies * r.InRow
}

// repeated says how the log repeats itself, and what to do.
func (f *Inputs) repeated(c *schemas.Check) {
	r, once := f.Repeats, f.Rounds/f.Repeats.Times()
	var how []string
	if r.InRow > 1 {
		how = append(how, "every row stands "+schemas.Counted(r.InRow, "time")+" in a row")
	}
	if r.Copies > 1 {
		n := f.Rounds / r.Copies
		how = append(how, fmt.Sprintf("rows %s to %s are rows 1 to %s again", schemas.Grouped(n+1), schemas.Grouped(f.Rounds), schemas.Grouped(n)))
		if r.Copies > 2 {
			how[len(how)-1] += ", " + schemas.Counted(r.Copies-1, "time")
		}
	}
	c.Observed, c.Expected = strings.Join(how, "; "), "every round once"
	c.Measure("rows_that_repeat", "rows", float64(f.Rounds-once), 0)
	c.Detail = strings.TrimSpace(c.Detail + " These rows are equal in everything but order, batch and reward_order. Rewards that are drawn independently given the arm make such a log with probability below 2e-12.")
	if f.Units != nil {
		c.Status = schemas.CheckNote
		c.Detail += " What goes by units (log.unit) takes each once, however many rows it owns; H05, H17 and whatever else goes by rounds takes all rows for new rounds."
		return
	}
	c.Status = schemas.CheckFail
	c.Failing = []schemas.Failing{{Kind: schemas.FailingRepeated, Count: f.Rounds - once, Of: f.Rounds, First: &schemas.FirstFailing{Round: r.Round}}}
	c.Detail += fmt.Sprintf(" Taken for new rounds they make intervals %.3g times too narrow, and no method decides a test. Find where rows are written more than once, or keep %s. SELECT DISTINCT does that only where a column tells rounds apart that happen to be equal. Where rows are equal because they belong to one user or session, declare log.unit.",
		math.Sqrt(float64(r.Times())), r.kept(f.Rounds))
}

// kept says which rows have every round once.
func (r *Repeats) kept(rows int64) string {
	first := "the first " + schemas.Counted(rows/r.Copies, "row")
	switch {
	case r.InRow == 1:
		return first
	case r.Copies == 1:
		return "one row of every " + schemas.Grouped(r.InRow)
	}
	return "one of every " + schemas.Grouped(r.InRow) + " of " + first
}
