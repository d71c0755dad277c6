package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

func TestH04(t *testing.T) {
	f := good()
	expect(t, "no propensity", h04().on(f), schemas.Check{ID: "H04", Status: schemas.CheckNotRun, Detail: "Declare log.propensity or log.propensity_by_arm to make this possible."})
	f.Propensities = &Propensities{}
	expect(t, "propensity", h04().on(f), schemas.Check{
		ID: "H04", Status: schemas.CheckPass, Observed: "all in (0,1]",
		Detail: "Only the propensity of the logged action is declared; that they sum to 1 over arms could be checked with log.propensity_by_arm.",
	})

	for name, c := range map[string]struct {
		facts            ByArm
		status           schemas.CheckStatus
		observed, detail string
	}{
		"sums": {ByArm{Rows: 9, Farthest: 1e-9}, schemas.CheckPass, "sums differ from 1 by at most 1e-09", ""},
		"off": {
			ByArm{Rows: 9, Farthest: 0.5, OffSum: 1, First: 7},
			schemas.CheckFail,
			"sums differ from 1 by at most 0.5; in 1 row the propensities of all arms do not add up to 1 within 1e-6",
			"The first is round 7. Numbers that are no probabilities say nothing about how arms were chosen; correct the log.",
		},
		"others": {
			ByArm{Rows: 9, Disagree: 2, Impossible: 3, First: 1},
			schemas.CheckFail,
			"sums differ from 1 by at most 0; in 2 rows log.propensity is not what log.propensity_by_arm says of the logged action, to within 1e-6 of its size; in 3 rows an arm that was not eligible has a propensity above 0",
			"The first is round 1. Numbers that are no probabilities say nothing about how arms were chosen; correct the log.",
		},
	} {
		f.Propensities.ByArm = &c.facts
		expect(t, name, h04().on(f), schemas.Check{ID: "H04", Status: c.status, Observed: c.observed, Detail: c.detail})
	}
}

// TestByArm counts each kind of fault once per row, names the first, and does
// not depend on how rows are cut into chunks.
func TestByArm(t *testing.T) {
	always := func(int, int) bool { return true }
	var whole, first, second ByArm
	first.Add(0, []int32{0, 1}, []float64{0.25, 0.75}, []float64{0.25, 0.75, 0.25, 0.75}, always)
	second.Add(2, []int32{0, 1, 0}, []float64{0.25, 0.5, 0.5}, []float64{0.25, 0.5, 0.25, 0.75, 0.5, 0.5}, func(row, arm int) bool { return row < 2 || arm == 0 })
	whole.Merge(&first)
	whole.Merge(&second)
	want := ByArm{Rows: 5, OffSum: 1, Farthest: 0.25, Disagree: 1, Impossible: 1, First: 3}
	if diff := cmp.Diff(want, whole); diff != "" {
		t.Error(diff)
	}
	var rounded ByArm
	rounded.Add(0, []int32{0}, []float64{0.3 * (1 + 1e-10)}, []float64{0.3, 0.7 + 9e-7}, always)
	if rounded.OffSum+rounded.Disagree != 0 {
		t.Errorf("rounding counts as a fault: %+v", rounded)
	}
	// float32 beside float64, of every size down to its least normal number
	for _, p := range []float64{1. / 3, 0.1, 1e-5, 1e-30, 1.5e-38} {
		var single ByArm
		single.Add(0, []int32{0}, []float64{float64(float32(p))}, []float64{p, 1 - p}, always)
		single.Add(1, []int32{0}, []float64{p}, []float64{float64(float32(p)), float64(float32(1 - p))}, always)
		if single.OffSum+single.Disagree != 0 {
			t.Errorf("%g as float32 counts as a fault: %+v", p, single)
		}
		single.Add(2, []int32{0}, []float64{p * (1 + 2e-6)}, []float64{p, 1 - p}, always)
		if single.Disagree != 1 {
			t.Errorf("%g and another that differs by 2e-6 of it count as the same", p)
		}
	}
}
