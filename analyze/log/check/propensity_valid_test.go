package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/precision"
	"banditaudit/schemas"
)

func TestH04(t *testing.T) {
	f := good()
	expect(t, "no propensity", propensityValid().on(f), schemas.Check{ID: "H04", Status: schemas.CheckNotRun, Detail: "Declare log.propensity or log.propensity_by_arm to make this possible."})
	const rounded = " Where they are only rounded, and more coarsely than to three decimals or than the column shows, say by how much in log.propensity_resolution."
	f.Propensities = &Propensities{}
	expect(t, "propensity", propensityValid().on(f), schemas.Check{
		ID: "H04", Status: schemas.CheckPass, Observed: "all in (0,1]",
		Detail: "Only the propensity of the logged action is declared; that they sum to 1 over arms could be checked with log.propensity_by_arm.",
	})

	expect(t, "one more draw", propensityValid().on(&Inputs{Propensities: &Propensities{OneMore: true, Zero: 3}}), schemas.Check{
		ID: "H04", Status: schemas.CheckPass, Observed: "all in [0,1]; 3 rows with propensity 0 of the action, which leave the weights (log.drawn: one-more)",
		Detail: "Only the propensity of the logged action is declared; that they sum to 1 over arms could be checked with log.propensity_by_arm.",
	})
	for name, c := range map[string]struct {
		facts            ByArm
		status           schemas.CheckStatus
		observed, detail string
		failing          []schemas.Failing
	}{
		"sums": {ByArm{Rows: 9, Farthest: 1e-9}, schemas.CheckPass, "sums differ from 1 by at most 1e-09", "", nil},
		"off": {
			ByArm{Rows: 9, Farthest: 0.5, Beyond: 0.4985, Allowed: 0.0015, OffSum: 1, First: 7},
			schemas.CheckFail,
			"sums differ from 1 by at most 0.5; in 1 row the propensities of all arms are farther from adding up to 1 than is allowed, by up to 0.498 beyond 0.0015",
			"The first is round 7. Numbers that are no probabilities say nothing about how arms were chosen; correct the log." + rounded,
			[]schemas.Failing{{Kind: schemas.FailingSum, Count: 1, Of: 9}},
		},
		"others": {
			ByArm{Rows: 9, Disagree: 2, Impossible: 3, First: 1},
			schemas.CheckFail,
			"sums differ from 1 by at most 0; in 2 rows log.propensity is not what log.propensity_by_arm says of the logged action, to within 1e-6 of its size; in 3 rows an arm that was not eligible has a propensity above 0",
			"The first is round 1. Numbers that are no probabilities say nothing about how arms were chosen; correct the log." + rounded + " Where the lists are in another order than arms, write arms in theirs.",
			[]schemas.Failing{{Kind: schemas.FailingDisagree, Count: 2, Of: 9}, {Kind: schemas.FailingIneligible, Count: 3, Of: 9}},
		},
		"another order": {
			ByArm{Rows: 9, Disagree: 2, First: 1, Order: []int{1, 0}},
			schemas.CheckFail,
			"sums differ from 1 by at most 0; in 2 rows log.propensity is not what log.propensity_by_arm says of the logged action, to within 1e-6 of its size",
			"The first is round 1. In all rows log.propensity is the entry of the played arm under this order alone: arms: [" + f.Labels[1] + ", " + f.Labels[0] + "]. Write arms in the order of the lists.",
			[]schemas.Failing{{Kind: schemas.FailingDisagree, Count: 2, Of: 9}},
		},
		"another order, and sums": {
			ByArm{Rows: 9, OffSum: 1, Disagree: 2, First: 1, Order: []int{1, 0}},
			schemas.CheckFail,
			"sums differ from 1 by at most 0; in 1 row the propensities of all arms are farther from adding up to 1 than is allowed, by up to 0 beyond 0; in 2 rows log.propensity is not what log.propensity_by_arm says of the logged action, to within 1e-6 of its size",
			"The first is round 1. In all rows log.propensity is the entry of the played arm under this order alone: arms: [" + f.Labels[1] + ", " + f.Labels[0] + "]. Write arms in the order of the lists. Numbers that are no probabilities say nothing about how arms were chosen; correct the log." + rounded,
			[]schemas.Failing{{Kind: schemas.FailingSum, Count: 1, Of: 9}, {Kind: schemas.FailingDisagree, Count: 2, Of: 9}},
		},
	} {
		f.Propensities.ByArm = &c.facts
		expect(t, name, propensityValid().on(f), schemas.Check{ID: "H04", Status: c.status, Observed: c.observed, Detail: c.detail, Failing: c.failing})
	}
}

// TestByArm counts each kind of fault once per row, names the first, and does
// not depend on how rows are cut into chunks.
func TestByArm(t *testing.T) {
	always := func(int, int) bool { return true }
	var whole, first, second ByArm
	first.Add(0, []int32{0, 1}, []float64{0.25, 0.75}, []float64{0.25, 0.75, 0.25, 0.75}, always, nil)
	second.Add(2, []int32{0, 1, 0}, []float64{0.25, 0.5, 0.5}, []float64{0.25, 0.5, 0.25, 0.75, 0.5, 0.5}, func(row, arm int) bool { return row < 2 || arm == 0 }, nil)
	whole.Merge(&first)
	whole.Merge(&second)
	want := ByArm{Rows: 5, OffSum: 1, Farthest: 0.25, Beyond: 0.25 - 1e-6, Allowed: 1e-6, Disagree: 1, Impossible: 1, First: 3, Firsts: [3]int64{3, 4, 5}}
	if diff := cmp.Diff(want, whole); diff != "" {
		t.Error(diff)
	}
	var rounded ByArm
	rounded.Add(0, []int32{0}, []float64{0.3 * (1 + 1e-10)}, []float64{0.3, 0.7 + 9e-7}, always, nil)
	if rounded.OffSum+rounded.Disagree != 0 {
		t.Errorf("rounding counts as a fault: %+v", rounded)
	}
	// float32 beside float64, of every size down to its least normal number
	for _, p := range []float64{1. / 3, 0.1, 1e-5, 1e-30, 1.5e-38} {
		var single ByArm
		single.Add(0, []int32{0}, []float64{float64(float32(p))}, []float64{p, 1 - p}, always, nil)
		single.Add(1, []int32{0}, []float64{p}, []float64{float64(float32(p)), float64(float32(1 - p))}, always, nil)
		if single.OffSum+single.Disagree != 0 {
			t.Errorf("%g as float32 counts as a fault: %+v", p, single)
		}
		single.Add(2, []int32{0}, []float64{p * (1 + 2e-6)}, []float64{p, 1 - p}, always, nil)
		if single.Disagree != 1 {
			t.Errorf("%g and another that differs by 2e-6 of it count as the same", p)
		}
	}
}

// TestByArmRounded: what rounding may do to the propensities of the arms that could
// be played is no fault, one more unit is, and a fault of full precision is, whatever
// the decimals of another column.
func TestByArmRounded(t *testing.T) {
	ends, digits := precision.Ends{Room: .0005}, precision.Ends{Room: .00005, Digits: 3}
	own, half := precision.Ends{Own: 4}, precision.Ends{Half: true}
	for _, c := range []struct {
		name           string
		action, all    precision.Ends
		p              float64
		byArm          []float64
		off, different int64
	}{
		{"thirds", ends, ends, .333, []float64{.333, .333, .333}, 0, 0},
		{"thirds as if exact", precision.Ends{}, precision.Ends{}, .333, []float64{.333, .333, .333}, 1, 0},
		{"a unit too few", ends, ends, .332, []float64{.332, .333, .333}, 1, 0},
		{"two columns", ends, precision.Ends{}, .333, []float64{1. / 3, 1. / 3, 1. / 3}, 0, 0},
		{"digits", digits, digits, .914, []float64{.914, .0431, .0432}, 0, 0},
		{"digits as if decimals", precision.Ends{Room: .00005}, precision.Ends{Room: .00005}, .914, []float64{.914, .0431, .0432}, 1, 0},
		{"a digit too many", digits, digits, .914, []float64{.915, .0431, .0432}, 1, 0},
		{"a digit of a small one too many", digits, digits, .0434, []float64{.0432, .914, .0428}, 0, 1},
		{"a fallback in full", own, own, 1. / 3, []float64{1. / 3, 1. / 3, 1. / 3}, 0, 0},
		{"thirds of four decimals beside values in full", own, own, .3333, []float64{.3333, .3333, .3333}, 0, 0},
		{"in full, and too few", own, own, 1. / 3, []float64{1. / 3, 1. / 3, 1. / 3 * (1 - 1.234e-5)}, 1, 0},
		{"float16", half, half, 0.333251953125, []float64{0.333251953125, 0.333251953125, 0.333251953125}, 0, 0},
		{"float16 as if exact", precision.Ends{}, precision.Ends{}, 0.333251953125, []float64{0.333251953125, 0.333251953125, 0.333251953125}, 1, 0},
		{"beyond by what adding up leaves", precision.Ends{}, precision.Ends{}, .333333, []float64{.333333, .333333, .333333}, 0, 0},
		{"two units apart", ends, ends, .335, []float64{.333, .333, .333}, 0, 1},
	} {
		b := ByArm{Action: c.action, All: c.all}
		b.Add(0, []int32{0}, []float64{c.p}, c.byArm, func(int, int) bool { return true }, nil)
		if b.OffSum != c.off || b.Disagree != c.different {
			t.Errorf("%s: %+v", c.name, b)
		}
	}
	// Of three arms two could be played.
	b := ByArm{All: ends}
	b.Add(0, []int32{0}, []float64{.499}, []float64{.499, .4998, 0}, func(_, arm int) bool { return arm < 2 }, nil)
	if b.OffSum != 1 {
		t.Errorf("0.0012 from 1 with two arms of three decimals: %+v", b)
	}
}
