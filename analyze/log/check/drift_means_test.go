package check

import (
	"math"
	"testing"

	"banditaudit/analyze/stat/drift"
	"banditaudit/schemas"
)

// still are two arms whose means do not move.
func still() *Drift {
	return &Drift{Lo: 0, Hi: 1, Binary: true, Arms: []drift.Result{
		{N: 400, Mean: .25, LogP: 0, Step: .3},
		{N: 600, Mean: .001, LogP: math.Log(.4), Step: math.NaN()},
	}}
}

const stepsAfter = ". Such a step in the first or last quarter of its plays is found in 10 to 99 % of logs, one in the first or last tenth in at most 30 %. A smaller drift is not seen, and arms may share it."

func TestH13(t *testing.T) {
	f := good()
	steps := " A step of the mean at half of an arm's plays is found in four of five logs from this size on: a 0.3 (400 plays, mean 0.25), b none (600 plays)" + stepsAfter
	expect(t, "none moves", driftMeans().on(f), schemas.Check{
		ID: "H13", Status: schemas.CheckPass, Observed: "the mean moves in 0 of 2 arms", Statistic: schemas.Finite(0), P: schemas.Finite(.8),
		Detail: "Rewards in the order of plays, at level 0.05 over all arms (Holm)." + steps,
	})
	f.Drift.Arms[0].LogP, f.Drift.Arms[0].Drifts = math.Log(1e-9), true
	f.Drift.Contexts = true
	moves := schemas.Check{
		ID: "H13", Status: schemas.CheckNote, Observed: "the mean moves in 1 of 2 arms: a (p 1e-09)", Statistic: schemas.Finite(1), P: schemas.Finite(2e-9),
		Detail: "Rewards in the order of plays, at level 0.05 over all arms (Holm). Arms that were played at different times differ by that alone. The mean is that over contexts as they came: another mix of them moves it too. Rows that depend on each other, such as several of one unit that is not declared (log.unit), look like it." + steps,
	}
	got := driftMeans().on(f)
	*got.P = math.Round(*got.P*1e12) / 1e12
	expect(t, "one moves", got, moves)
	if notes := Notes(Checks(), []schemas.Check{got}); len(notes) != 1 {
		t.Error("a mean that moves is not noted")
	}
	if got := Quality(Checks(), []schemas.Check{got}); len(got) != 0 {
		t.Errorf("data.quality stands on %v", got)
	}
}

// Steps and means are on the scale of the reward, and what else was looked at is
// said.
func TestH13Scale(t *testing.T) {
	f := good()
	f.Drift.Lo, f.Drift.Hi, f.Drift.Binary, f.Drift.FirstOfUnit = -10, 10, false, true
	const want = "Rewards in the order of plays, at level 0.05 over all arms (Holm), the first row of each unit alone; rewards weigh as if they were 0 or 1, so that less is found of rewards that spread less. A step of the mean at half of an arm's plays is found in four of five logs from this size on: a 6 (400 plays, mean -5), b none (600 plays)" + stepsAfter
	if got := driftMeans().on(f).Detail; got != want {
		t.Errorf("%s", got)
	}
}
