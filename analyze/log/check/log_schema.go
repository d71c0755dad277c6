package check

import (
	"math"

	"banditaudit/schemas"
)

// logSchema says that every declared column was there with a type of its role. It
// holds whenever a tableau exists: ingest refuses a log in which it does not.
func logSchema() Check {
	return Check{ID: "H01", Title: "schema and types", Doc: "does every declared column exist, with values of the right kind", Expected: "every declared column, with a type of its role", Run: runLogSchema, Quality: true}
}

func runLogSchema(f *Inputs, c *schemas.Check) {
	c.Status, c.Observed, c.Detail = schemas.CheckPass, schemas.Counted(f.Columns, "column")+" in "+schemas.Counted(f.Files, "file"), "A log in which this fails is refused before any number is computed."
	c.Measure("columns", "columns", float64(f.Columns), math.NaN())
	c.Measure("files", "files", float64(f.Files), math.NaN())
}
