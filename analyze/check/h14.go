package check

import (
	"fmt"

	"banditaudit/schemas"
)

// smallESS is the share of the rows below which the effective sample size is
// noted.
const smallESS = 0.1

// H14 describes the weights 1/p_t: effective sample size (Σw)²/Σw², largest
// weight, mean of 1/p against K, rows with exactly uniform propensity, and the
// resolution of the logged numbers. It notes, and contradicts nothing. The
// statistic is the effective sample size.
//
// Special cases are:
//
//	no propensity is logged: not run
func H14(f *Facts) schemas.Check {
	c := schemas.Check{ID: "H14", Title: "weights, effective sample size, resolution", Expected: fmt.Sprintf("mean of 1/p near %d if every arm could always be played", len(f.Labels))}
	if f.Propensities == nil {
		c.Status, c.Detail = schemas.CheckNotRun, "Declare log.propensity to make this possible."
		return c
	}
	w := &f.Propensities.Weights
	c.Status, c.Statistic = schemas.CheckPass, schemas.Finite(w.ESS)
	c.Observed = fmt.Sprintf("effective sample size %.4g of %d rows, largest weight %.4g, mean of 1/p %.4g", w.ESS, w.Rows, w.Largest, w.MeanInverse)
	distinct := fmt.Sprintf("%d different propensities", w.Distinct)
	if w.Distinct == 1 {
		distinct = "1 propensity"
	}
	if w.Capped {
		distinct = fmt.Sprintf("more than %d different propensities", w.Distinct-1)
	}
	c.Detail = fmt.Sprintf("%s, written with %s; %s exactly uniform.", distinct, decimals(w.Decimals), rows(w.Uniform))
	if w.ESS < smallESS*float64(w.Rows) {
		c.Status = schemas.CheckNote
		c.Detail += " The effective sample size is below a tenth of the rows: weighted means rest on few of them."
	}
	return c
}

// decimals are the most that any logged number needs.
func decimals(n int) string {
	if n > 12 {
		return "more than 12 decimals"
	}
	return "up to " + count(n, "decimal")
}
