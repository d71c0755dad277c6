package check

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

func TestH07(t *testing.T) {
	for name, c := range map[string]struct {
		units   *Units
		batches bool
		want    schemas.Check
	}{
		"neither":  {nil, false, schemas.Check{Status: schemas.CheckNotRun, Detail: "Declare log.unit and log.batch to make this possible."}},
		"no unit":  {nil, true, schemas.Check{Status: schemas.CheckNotRun, Detail: "Declare log.unit to make this possible."}},
		"no batch": {&Units{}, false, schemas.Check{Status: schemas.CheckNotRun, Detail: "Declare log.batch to make this possible."}},
		"kept": {&Units{Count: 5, Largest: 3, Pairs: 2}, true, schemas.Check{
			Status: schemas.CheckPass, Observed: "0 of 2 pairs of unit and batch with several rows; 5 units in all, the largest with 3 rows",
		}},
	} {
		f := good()
		f.Units, f.Batches = c.units, c.batches
		c.want.ID = "H07"
		expect(t, name, unitsOneArm().on(f), c.want)
	}
	f := good()
	f.Units, f.Batches = &Units{Count: 5, Largest: 3, Pairs: 2, Several: 1}, true
	if got := unitsOneArm().on(f); got.Status != schemas.CheckNote || !strings.HasPrefix(got.Observed, "1 of 2 pairs") || got.Detail == "" {
		t.Errorf("several arms: %+v", got)
	}
}
