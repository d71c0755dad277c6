package check

import "banditaudit/schemas"

// H03 counts missing, NaN, infinite and out-of-range values. Under the rules
// of this version all but clipped rewards are refused by ingest.
func H03(f *Facts) schemas.Check {
	c := schemas.Check{
		ID: "H03", Title: "missing, NaN, infinite, out of range", Status: schemas.CheckPass,
		Observed: "0 rows", Expected: "0 rows, or handled as declared",
	}
	if f.Clipped > 0 {
		c.Observed = rows(f.Clipped) + " of the log clipped to the reward range"
		c.Detail = "The protocol declares out_of_range: clip; the mechanism must have clipped the same way before it saw the reward."
	}
	return c
}
