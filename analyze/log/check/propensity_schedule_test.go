package check

import (
	"testing"

	"banditaudit/analyze/stat/allocationtest"
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
		expect(t, name, propensitySchedule().on(f), c.want)
	}
}

// Where no batch is declared, what moves is inferred; it is noted where nothing
// that was declared learns.
func TestH10Cadence(t *testing.T) {
	grid := allocationtest.Grid{Period: 299.9864, Error: 0.0041, Start: 75.4, LogP: -76.8, Looked: 10543, Within: 3246, WithinSame: 987, Across: 1897, AcrossSame: 147}
	const declare = " Declare log.batch to hold a schedule against the log."
	const expected = "no schedule is declared; what moves is inferred"
	for name, c := range map[string]struct {
		cadence ChangeSchedule
		rounds  int64
		want    schemas.Check
	}{
		"times": {
			ChangeSchedule{Rows: 10_000, Pairs: 9000, Changed: 8000, Distinct: 7814, Contexts: true, By: []string{"position"}, Grid: grid, Timed: true, First: 1574553663979311000},
			10_000,
			schemas.Check{
				Status: schemas.CheckNote, Observed: "changes about every 300 s",
				Detail: "A fixed policy would log one propensity for each arm and context: contradicted, 7,814 different ones in 10,000 rows; 8,000 of 9,000 pairs of neighbouring rounds of one arm and context differ. " +
					"Boundaries lie every 299.986 s (standard error 0.0041 s), the first at 2019-11-24T00:02:19Z. " +
					"Of pairs of neighbouring rounds of one arm and position less than a period apart, 30.4 % of 3,246 within a window and 7.75 % of 1,897 across a boundary have the same propensity (p 4.43e-34 after a search over 10,543 periods)." + declare,
			},
		},
		"more propensities than are counted": {
			ChangeSchedule{Rows: 90_000, Pairs: 89_000, Changed: 89_000, Distinct: 65_536, More: true, Learns: true},
			90_000,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes, on no grid that could be told",
				Detail: "A fixed policy would log one propensity for each arm, unless it saw a context that is not declared or logged its probabilities by estimates made anew each time: contradicted, more than 65,536 different ones in 90,000 rows; 89,000 of 89,000 pairs of neighbouring rounds of one arm differ. " +
					"No period was found at which propensities stand still and then change." + declare,
			},
		},
		"rounds, of a policy that learns": {
			ChangeSchedule{Rows: 1000, Pairs: 900, Changed: 100, Distinct: 101, Learns: true, Grid: allocationtest.Grid{Period: 50, Error: 0.2, Start: 51.5, LogP: -20, Looked: 80, Within: 700, WithinSame: 700}},
			4000,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes about every 50 rounds",
				Detail: "A fixed policy would log one propensity for each arm, unless it saw a context that is not declared or logged its probabilities by estimates made anew each time: contradicted, 101 different ones in 1,000 rows; 100 of 900 pairs of neighbouring rounds of one arm differ. " +
					"Boundaries lie every 50.0 rounds (standard error 0.2), the first before round 52. " +
					"Of pairs of neighbouring rounds of one arm less than a period apart, 100 % of 700 within a window and none of 0 across a boundary have the same propensity (p 2.06e-09 after a search over 80 periods). " +
					"This rests on the first 1,000 of 4,000 rounds." + declare,
			},
		},
		"whole rounds": {
			ChangeSchedule{
				Rows: 1000, Pairs: 900, Changed: 100, Distinct: 101, Learns: true, Whole: Whole{Rounds: 24, Tried: 250, On: 40, Told: 41},
				Grid: allocationtest.Grid{Period: 24, Start: 24.5, LogP: -20, Looked: 249, Within: 700, WithinSame: 700, Across: 60, AcrossSame: 6},
			},
			1000,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes every 24 rounds",
				Detail: "A fixed policy would log one propensity for each arm, unless it saw a context that is not declared or logged its probabilities by estimates made anew each time: contradicted, 101 different ones in 1,000 rows; 100 of 900 pairs of neighbouring rounds of one arm differ. " +
					"Boundaries lie every 24 rounds exactly, the first before round 25. Of 41 changes that the log places more closely than that, 40 lie there (p 2.06e-09 after a search over the whole periods up to 250). " +
					"Of pairs of neighbouring rounds of one arm less than a period apart, 100 % of 700 within a window and 10 % of 60 across a boundary have the same propensity." + declare,
			},
		},
		"few changes, and a search of several experiments that is cut short": {
			ChangeSchedule{
				Rows: 1000, Pairs: 900, Changed: 10, Distinct: 2, Contexts: true, Learns: true, Shared: 200, Whole: Whole{Rounds: 7, Tried: 90, Cut: true, On: 10, Told: 10},
				Grid: allocationtest.Grid{Period: 7, Start: 7.5, LogP: -20, Looked: 89, Within: 700, WithinSame: 700, Across: 60, AcrossSame: 50},
			},
			1000,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes only after multiples of 7 rounds",
				Detail: "A fixed policy would log one propensity for each arm and context: contradicted, 2 different ones in 1,000 rows; 10 of 900 pairs of neighbouring rounds of one arm and context differ. " +
					"Boundaries lie every 7 rounds exactly, the first before round 8. Of 10 changes that the log places more closely than that, 10 lie there (p 2.06e-09 after a search over the whole periods up to 90). " +
					"Of pairs of neighbouring rounds of one arm less than a period apart, 100 % of 700 within a window and 83.3 % of 60 across a boundary have the same propensity. " +
					"The search was cut short: whole periods of more than 90 rounds were not tried, since 200 experiments share its work." + declare,
			},
		},
		"no grid in the beginning that was searched": {
			ChangeSchedule{Rows: 1000, Pairs: 9, Changed: 9, Distinct: 10, Contexts: true, Learns: true, Shared: 200, Grid: allocationtest.Grid{Cut: true, Span: 800}},
			1000,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes, on no grid that could be told",
				Detail: "A fixed policy would log one propensity for each arm and context: contradicted, 10 different ones in 1,000 rows; 9 of 9 pairs of neighbouring rounds of one arm and context differ. No period was found at which propensities stand still and then change. " +
					"The search for other periods was cut short: it went over the first 800 rounds, since 200 experiments share its work, and a period of more than an eighth of that was not looked for." + declare,
			},
		},
		"few changes": {
			ChangeSchedule{Rows: 200, Pairs: 199, Changed: 3, Distinct: 4, Contexts: true, Learns: true, Whole: Whole{Tried: 50, Changes: 3, Few: true, Every: 50}},
			200,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes, too few to tell a schedule",
				Detail: "A fixed policy would log one propensity for each arm and context: contradicted, 4 different ones in 200 rows; 3 of 199 pairs of neighbouring rounds of one arm and context differ. " +
					"3 changes in these rounds are too few to tell a period from chance; an update after every 50 rounds would have them there: where a policy is declared, policy.update: {every: 50} holds it against the log." + declare,
			},
		},
		"one change": {
			ChangeSchedule{Rows: 200, Pairs: 199, Changed: 1, Distinct: 2, Contexts: true, Learns: true, Whole: Whole{Tried: 50, Changes: 1, Few: true}},
			200,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes, too few to tell a schedule",
				Detail: "A fixed policy would log one propensity for each arm and context: contradicted, 2 different ones in 200 rows; 1 of 199 pairs of neighbouring rounds of one arm and context differ. " +
					"1 change in these rounds is too little to tell a period from chance." + declare,
			},
		},
		"no grid": {
			ChangeSchedule{Rows: 10, Pairs: 9, Changed: 9, Distinct: 10, Contexts: true, Learns: true},
			10,
			schemas.Check{
				Status: schemas.CheckPass, Observed: "changes, on no grid that could be told",
				Detail: "A fixed policy would log one propensity for each arm and context: contradicted, 10 different ones in 10 rows; 9 of 9 pairs of neighbouring rounds of one arm and context differ. No period was found at which propensities stand still and then change." + declare,
			},
		},
		"fixed": {
			ChangeSchedule{Rows: 10, Pairs: 8, Distinct: 1},
			10,
			schemas.Check{Status: schemas.CheckPass, Observed: "no change", Detail: "A fixed policy logs one propensity for each arm: so did this one, 1 of them in all." + declare},
		},
		"nothing twice": {
			ChangeSchedule{Rows: 2, Distinct: 2, Contexts: true},
			2,
			schemas.Check{Status: schemas.CheckPass, Observed: "no change", Detail: "No arm and context was met twice, so that nothing shows whether the policy was fixed." + declare},
		},
	} {
		f := good()
		f.Rounds, f.Propensities = c.rounds, &Propensities{Cadence: &c.cadence}
		c.want.ID = "H10"
		got := propensitySchedule().on(f)
		if got.Expected != expected {
			t.Errorf("%s: expected %q", name, got.Expected)
		}
		expect(t, name, got, c.want)
	}
}
