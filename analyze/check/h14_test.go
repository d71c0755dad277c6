package check

import (
	"testing"

	"banditaudit/analyze/adaptive"
	"banditaudit/schemas"
)

func TestH14(t *testing.T) {
	f := good()
	expect(t, "no propensity", H14(f), schemas.Check{ID: "H14", Status: schemas.CheckNotRun, Detail: "Declare log.propensity to make this possible."})

	f.Propensities = evenly(t, 1000, 0.5)
	c := H14(f)
	if c.Expected != "mean of 1/p near 2 if every arm could always be played" {
		t.Errorf("expected %q", c.Expected)
	}
	expect(t, "uniform", c, schemas.Check{
		ID: "H14", Status: schemas.CheckPass, Statistic: new(1000.0),
		Observed: "effective sample size 1000 of 1000 rows, largest weight 2, mean of 1/p 2",
		Detail:   "1 propensity, written with up to 1 decimal; 1000 rows exactly uniform.",
	})

	for _, r := range []struct {
		name    string
		weights adaptive.WeightsResult
		status  schemas.CheckStatus
		detail  string
	}{
		{"a tenth", adaptive.WeightsResult{Rows: 1000, ESS: 100, Distinct: 7, Decimals: 3, Uniform: 1}, schemas.CheckPass, "7 different propensities, written with up to 3 decimals; 1 row exactly uniform."},
		{"below a tenth", adaptive.WeightsResult{Rows: 1000, ESS: 99, Distinct: 7, Decimals: 12}, schemas.CheckNote, "7 different propensities, written with up to 12 decimals; 0 rows exactly uniform. The effective sample size is below a tenth of the rows: weighted means rest on few of them."},
		{"many", adaptive.WeightsResult{Rows: 1000, ESS: 500, Distinct: 1001, Capped: true, Decimals: 13}, schemas.CheckPass, "more than 1000 different propensities, written with more than 12 decimals; 0 rows exactly uniform."},
	} {
		f.Propensities = &Propensities{Weights: r.weights}
		if got := H14(f); got.Status != r.status || got.Detail != r.detail || *got.Statistic != r.weights.ESS {
			t.Errorf("%s: %s, %q; want %s, %q", r.name, got.Status, got.Detail, r.status, r.detail)
		}
	}
}
