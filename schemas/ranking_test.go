package schemas

import (
	"slices"
	"testing"
)

// rankedLabels are the labels of arms in their order.
func rankedLabels(r *Ranking) []string {
	var out []string
	for _, a := range r.Arms {
		out = append(out, a.Label)
	}
	return out
}

// TestRankArms: means as played rank arms that follow no context; of others weighted means
// do, if there is one of every arm over the same rounds that no check contradicts.
func TestRankArms(t *testing.T) {
	left := int64(3)
	weighted := func(name string, arm int, value float64) Estimate {
		return Estimate{Estimator: name, Arm: &arm, Estimate: &value}
	}
	e := &Experiment{Arms: []Arm{{Arm: 0, Label: "a", Mean: new(.5)}, {Arm: 1, Label: "never"}, {Arm: 2, Label: "c", Mean: new(.6)}}}
	check := func(what, by string, want ...string) {
		t.Helper()
		r := RankArms(e)
		if got := rankedLabels(&r); !slices.Equal(got, want) || r.Steered != (e.Steering != nil) {
			t.Errorf("%s: %v, steered: %t", what, got, r.Steered)
		}
		if (r.Weighted == nil) != (by == "") || len(r.Weighted) > 0 && r.Weighted[0].Estimator != by {
			t.Errorf("%s: weighted means %v", what, r.Weighted)
		}
	}
	check("no context", "", "c", "a", "never")
	e.Steering = &Steering{Policy: true}
	check("no weighted means", "", "a", "never", "c")
	e.Estimates = []Estimate{weighted(EstimatorIPW, 0, .4), weighted(EstimatorIPW, 2, .45), weighted(EstimatorAIPW, 0, .4)}
	check("AIPW of one arm alone", EstimatorIPW, "c", "a", "never")
	e.Estimates = append(e.Estimates, weighted(EstimatorAIPW, 2, .3))
	check("AIPW", EstimatorAIPW, "a", "c", "never")
	e.Estimates[3].LeftOut, e.Estimates[1].LeftOut = &left, &left
	check("over other rounds", "", "a", "never", "c")
	e.Estimates[3].LeftOut = nil
	e.Data.Checks = []Check{{ID: "H17", Status: CheckFail}}
	check("contradicted propensities", "", "a", "never", "c")
}
