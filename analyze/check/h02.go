package check

import "banditaudit/schemas"

// h02 says that no two rows are the same round. Rows that tie in the declared
// order are refused by ingest, or settled by file order where the protocol
// says so; then a duplicate cannot be told from a tie and the check notes it.
func h02() Check {
	return Check{ID: "H02", Title: "duplicate rounds", Doc: "is a round in the log twice", Expected: "0", Run: runH02, Quality: true}
}

func runH02(f *Facts, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "0 ties"
	if f.TiesByFile {
		c.Status, c.Observed = schemas.CheckNote, "ties settled by file order"
		c.Detail = "With ties: file-order a row written twice cannot be told from two rounds; add a column to order that makes rows distinct."
		return
	}
	c.Measure("ties", "rows", 0, 0)
}
