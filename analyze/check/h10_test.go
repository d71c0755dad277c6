package check

import (
	"testing"

	"banditaudit/schemas"
)

func TestH10(t *testing.T) {
	const needs = "Declare log.propensity or log.propensity_by_arm, and log.batch, to make this possible."
	const follow = "Propensities may follow the context or the eligible arms of a round, so that their changes within a batch show nothing."
	with := func(s *Schedule) *Propensities { return &Propensities{Schedule: s} }
	for name, c := range map[string]struct {
		p                *Propensities
		batches, varying bool
		want             schemas.Check
	}{
		"no propensity":          {nil, true, false, schemas.Check{Status: schemas.CheckNotRun, Detail: needs}},
		"no batch":               {with(nil), false, false, schemas.Check{Status: schemas.CheckNotRun, Detail: "Declare log.batch to make this possible."}},
		"contexts":               {with(&Schedule{Batches: 7, Changed: 1}), true, true, schemas.Check{Status: schemas.CheckNotRun, Detail: follow}},
		"contexts do not matter": {with(&Schedule{Batches: 7}), true, true, schemas.Check{Status: schemas.CheckPass, Observed: "changed within 0 of 7 batches"}},
		"kept":                   {with(&Schedule{Batches: 7}), true, false, schemas.Check{Status: schemas.CheckPass, Observed: "changed within 0 of 7 batches"}},
		"one batch":              {with(&Schedule{Batches: 1}), true, false, schemas.Check{Status: schemas.CheckPass, Observed: "changed within 0 of 1 batch"}},
		"changed": {with(&Schedule{Batches: 7, Changed: 2}), true, false, schemas.Check{
			Status: schemas.CheckNote, Observed: "changed within 2 of 7 batches",
			Detail: "The policy did not learn between the declared batches only, or it saw a context that is not declared.",
		}},
	} {
		f := good()
		f.Propensities, f.Batches, f.Varying = c.p, c.batches, c.varying
		c.want.ID = "H10"
		expect(t, name, H10(f), c.want)
	}
}
