package check_test

import (
	"fmt"

	"banditaudit/analyze/log/check"
	"banditaudit/schemas"
)

// The data checks; a star marks those on which data.quality stands.
func ExampleChecks() {
	for _, c := range check.Checks() {
		mark := " "
		if c.Quality {
			mark = "*"
		}
		fmt.Println(c.ID+mark, c.Title)
	}
	// Output:
	// H01* schema and types
	// H02* duplicate rounds
	// H03* missing, NaN, infinite, out of range
	// H04* propensities in (0,1], sum to 1
	// H05  allocation against logged propensities
	// H07  one unit in several arms of a batch
	// H08* arms never played
	// H09* order, gaps, ties
	// H10  propensities change on schedule
	// H11  missing rewards by arm
	// H13  reward drift by arm
	// H14  weights, effective sample size, resolution
	// H15  design rank and condition
	// H17  allocation against contexts, earlier actions and rewards
}

// A check of one's own is put in a list, which decides what is run.
func ExampleAll() {
	few := check.Check{ID: "X01", Title: "enough rounds", Expected: "100 rounds", Run: func(f *check.Inputs, c *schemas.Check) {
		c.Status = schemas.CheckPass
		if f.Rounds < 100 {
			c.Status = schemas.CheckFail
		}
	}}
	for _, c := range check.All([]check.Check{few}, &check.Inputs{Rounds: 7}) {
		fmt.Println(c.ID, c.Title, c.Status)
	}
	// Output: X01 enough rounds fail
}
