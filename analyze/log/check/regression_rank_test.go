package check

import (
	"testing"

	"banditaudit/schemas"
)

func TestH15(t *testing.T) {
	f := good()
	expect(t, "no regression", regressionRank().on(f), schemas.Check{ID: "H15", Status: schemas.CheckNotRun, Detail: "Declare log.context and analysis.regressions to make this possible."})
	const note = "Columns that depend linearly on earlier ones were dropped, by name; a large condition number makes coefficients unstable."
	for _, r := range []struct {
		name             string
		fits             []schemas.Regression
		status           schemas.CheckStatus
		observed, detail string
	}{
		{"well", []schemas.Regression{{ConditionNumber: new(12.5)}, {ConditionNumber: new(1000.0)}}, schemas.CheckPass, "0 of 2 designs rank deficient, largest condition number 1,000", ""},
		{"ill", []schemas.Regression{{ConditionNumber: new(1001.0)}, {ConditionNumber: new(2.0)}}, schemas.CheckNote, "0 of 2 designs rank deficient, largest condition number 1,001", note},
		{"deficient", []schemas.Regression{{ConditionNumber: new(2.0)}, {ConditionNumber: new(3.0), Dropped: []string{"x1", "x2"}}}, schemas.CheckNote, "1 of 2 designs rank deficient, largest condition number 3", note},
		{"without a number", []schemas.Regression{{Dropped: []string{"x0"}}}, schemas.CheckNote, "1 of 1 design rank deficient, largest condition number 0", note},
	} {
		f.Regressions = r.fits
		expect(t, r.name, regressionRank().on(f), schemas.Check{ID: "H15", Status: r.status, Observed: r.observed, Detail: r.detail})
	}
}
