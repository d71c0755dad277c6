package check

import "banditaudit/schemas"

// H04 says that logged propensities are probabilities. Values outside (0,1]
// are refused by ingest; that they sum to 1 over arms needs all of them.
func H04(f *Facts) schemas.Check {
	c := schemas.Check{ID: "H04", Title: "propensities in (0,1], sum to 1", Expected: "all in (0,1]"}
	if f.Propensities == nil {
		c.Status, c.Detail = schemas.CheckNotRun, "Declare log.propensity to make this possible."
		return c
	}
	c.Status, c.Observed = schemas.CheckPass, "all in (0,1]"
	c.Detail = "Only the propensity of the logged action is declared; that they sum to 1 over arms could be checked with log.propensity_by_arm."
	return c
}
