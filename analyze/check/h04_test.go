package check

import (
	"testing"

	"banditaudit/schemas"
)

func TestH04(t *testing.T) {
	f := good()
	expect(t, "no propensity", H04(f), schemas.Check{ID: "H04", Status: schemas.CheckNotRun, Detail: "Declare log.propensity to make this possible."})
	f.Propensities = &Propensities{}
	expect(t, "propensity", H04(f), schemas.Check{
		ID: "H04", Status: schemas.CheckPass, Observed: "all in (0,1]",
		Detail: "Only the propensity of the logged action is declared; that they sum to 1 over arms could be checked with log.propensity_by_arm.",
	})
}
