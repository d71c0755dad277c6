package check

import "banditaudit/schemas"

// H02 says that no two rows are the same round. Rows that tie in the declared
// order are refused by ingest, or settled by file order where the protocol
// says so; then a duplicate cannot be told from a tie and the check notes it.
func H02(f *Facts) schemas.Check {
	c := schemas.Check{ID: "H02", Title: "duplicate rounds", Status: schemas.CheckPass, Observed: "0 ties", Expected: "0"}
	if f.TiesByFile {
		c.Status, c.Observed = schemas.CheckNote, "ties settled by file order"
		c.Detail = "With ties: file-order a row written twice cannot be told from two rounds; add a column to order that makes rows distinct."
	}
	return c
}
