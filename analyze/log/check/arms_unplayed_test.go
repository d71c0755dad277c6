package check

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"banditaudit/schemas"
)

func TestH08(t *testing.T) {
	f := good()
	expect(t, "all played", armsUnplayed().on(f), schemas.Check{ID: "H08", Status: schemas.CheckPass, Observed: "0 of 2 arms"})

	f.Declared = false
	expect(t, "found in the log", armsUnplayed().on(f), schemas.Check{
		ID: "H08", Status: schemas.CheckNote, Observed: "0 of 2 arms",
		Detail: "Arms were found in the log, so the number of arms is a lower bound; declare arms to check it.",
	})

	f.Pulls = []int64{0, 1000}
	expect(t, "one that other experiments of the log played", armsUnplayed().on(f), schemas.Check{
		ID: "H08", Status: schemas.CheckNote, Observed: "1 of 2 arms",
		Detail: "Not played here, but in other experiments of this log: a. Arms were found in the log, so the number of arms is a lower bound; declare arms to check it.",
	})

	f.Declared = true
	expect(t, "a declared one never played", armsUnplayed().on(f), schemas.Check{
		ID: "H08", Status: schemas.CheckNote, Observed: "1 of 2 arms",
		Detail: "Never played, and without an estimate: a. " + cannotBeSaid,
	})

	f.Labels, f.Pulls = nil, nil
	for i := range 12 {
		f.Labels, f.Pulls = append(f.Labels, strconv.Itoa(i)), append(f.Pulls, 0)
		if i == 9 {
			expect(t, "as many as are named", armsUnplayed().on(f), schemas.Check{
				ID: "H08", Status: schemas.CheckNote, Observed: "10 of 10 arms",
				Detail: "Never played, and without an estimate: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9. " + cannotBeSaid,
			})
		}
	}
	expect(t, "many never played", armsUnplayed().on(f), schemas.Check{
		ID: "H08", Status: schemas.CheckNote, Observed: "12 of 12 arms",
		Detail: "Never played, and without an estimate: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more. " + cannotBeSaid,
	})
}

const cannotBeSaid = "Whether that contradicts anything cannot be said: it takes log.propensity_by_arm, or a policy uniform or fixed."

// The probability of never playing an arm decides, at a level that arms and
// experiments share.
func TestH08Decides(t *testing.T) {
	f := good()
	f.Labels, f.Pulls = []string{"a", "b", "c", "d"}, []int64{0, 500, 0, 500}
	f.Unplayed = &Unplayed{Source: "the declared policy", LogP: []float64{math.Log(0.0003), 0, math.Log(0.4), 0}, Level: 0.00025}
	expect(t, "by chance", armsUnplayed().on(f), schemas.Check{
		ID: "H08", Status: schemas.CheckNote, Observed: "2 of 4 arms", P: armsUnplayed().on(f).P,
		Detail: "Never played, and without an estimate: a, c. By the declared policy the smallest probability of never playing such an arm is 0.0003; the level is 0.00025, which is 0.001 shared by 4 arms.",
	})
	if p := armsUnplayed().on(f).P; p == nil || math.Abs(*p-0.0012) > 1e-15 {
		t.Errorf("p %v, want 4 times 0.0003", p)
	}
	f.Unplayed.Level, f.Experiments = 0.001/4/20, 20
	f.Unplayed.LogP[0] = math.Log(1.2e-5)
	expect(t, "not by chance", armsUnplayed().on(f), schemas.Check{
		ID: "H08", Status: schemas.CheckFail, Observed: "2 of 4 arms", P: armsUnplayed().on(f).P,
		Detail:  "Never played, and without an estimate: a, c. By the declared policy the probability of never playing an arm is 1.2e-05 (a), not above the level 1.25e-05, which is 0.001 shared by 4 arms and 20 experiments. Take an arm that was not offered out of arms; otherwise rows are missing, or the probabilities are not those that were used.",
		Failing: []schemas.Failing{{Kind: schemas.FailingArmUnplayed, Count: 1, Of: 4}},
	})
	f.Unplayed.LogP[2] = math.Inf(-1)
	if c := armsUnplayed().on(f); c.P == nil || *c.P != 0 || !strings.Contains(c.Detail, "is below 1e-300 (a, c)") {
		t.Errorf("an arm that was certain: %+v", c)
	}
}
