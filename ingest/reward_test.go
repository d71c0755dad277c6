package ingest

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/logfile"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// A null reward is missing where the protocol says so; NaN never is.
func TestRewardMissing(t *testing.T) {
	p := bare()
	rewards := flatOf(role.Reward, []float64{0.5, 0, 1}, 1)
	newAttempt(p, abc(), chosen(0, 1, 2), rewards).bad(t, broken{fault.RuleMissing, 1, 1})
	for _, word := range []string{schemas.MissingExclude, schemas.MissingIndependent} {
		p.Log.MissingReward = word
		out := newAttempt(p, abc(), chosen(0, 1, 2), rewards).good(t)
		if diff := cmp.Diff([]float64{0.5, math.NaN(), 1}, out.Reward, cmp.Comparer(sameBits)); diff != "" {
			t.Error(diff)
		}
		newAttempt(p, abc(), chosen(0, 1, 2), flatOf(role.Reward, []float64{0.5, math.NaN(), math.Inf(1)})).bad(t, broken{fault.RuleNotFinite, 1, 2})
	}
}

// A null is not in the range, and is not clipped to it.
func TestRewardMissingOutsideRange(t *testing.T) {
	p := bare()
	p.Reward.Range, p.Reward.OutOfRange, p.Log.MissingReward = []float64{1, 5}, schemas.OutOfRangeClip, schemas.MissingExclude
	try := newAttempt(p, abc(), chosen(0, 1, 2), flatOf(role.Reward, []float64{7, 0, 0}, 1))
	out := try.good(t)
	if diff := cmp.Diff([]float64{5, math.NaN(), 1}, out.Reward, cmp.Comparer(sameBits)); diff != "" {
		t.Error(diff)
	}
	want := []schemas.Exclusion{{Reason: "reward clipped to range", Rows: 2}, {Reason: "reward missing", Rows: 1}}
	if diff := cmp.Diff(want, try.convert.counts.total()); diff != "" {
		t.Error(diff)
	}
}

func TestRewardKinds(t *testing.T) {
	p := bare()
	p.Reward.Range = []float64{-10, 10}
	decimal := flatOf(role.Reward, []float64{0.1, -2.5})
	decimal.column.Kind, decimal.column.Scale = pages.Decimal, 1
	for _, tc := range []struct {
		column given
		want   []float64
	}{
		{flatOf(role.Reward, []float64{0.5, -0.5}), []float64{0.5, -0.5}},
		{decimal, []float64{0.1, -2.5}},
		{intsOf(role.Reward, pages.Int, []int64{-10, 10}), []float64{-10, 10}},
		{intsOf(role.Reward, pages.Uint, []int64{0, 10}), []float64{0, 10}},
		{intsOf(role.Reward, pages.Bool, []int64{0, 1}), []float64{0, 1}},
	} {
		if diff := cmp.Diff(tc.want, newAttempt(p, abc(), chosen(0, 1), tc.column).good(t).Reward); diff != "" {
			t.Errorf("%v: %s", tc.column.column.Kind, diff)
		}
	}
	newAttempt(p, abc(), chosen(0, 1), intsOf(role.Reward, pages.Uint, []int64{0, -1})).bad(t, broken{fault.RuleNotExact, 1, 1})
}

func TestRewardType(t *testing.T) {
	money, whole := pages.Column{Kind: pages.Decimal, Scale: 2}, pages.Column{Kind: pages.Decimal}
	for _, tc := range []struct {
		types []pages.Column
		want  string
	}{
		{[]pages.Column{{Kind: pages.Bool}}, "bool"},
		{[]pages.Column{{Kind: pages.Bool}, {Kind: pages.Uint}}, "int"},
		{[]pages.Column{{Kind: pages.Int}, {Kind: pages.Float}}, "float"},
		{[]pages.Column{money}, "float"},
		{[]pages.Column{whole}, "int"},
		{[]pages.Column{whole, money}, "float"},
		{[]pages.Column{{Kind: pages.Null}, {Kind: pages.Bool}}, "bool"},
	} {
		var types []cell.Typed
		for _, c := range tc.types {
			types = append(types, cell.Typed{Column: c})
		}
		if got := rewardType(types); got != tc.want {
			t.Errorf("%v is %s", tc.types, got)
		}
	}
}

// twoExperiments is a log of two experiments, the second of which comes first,
// with clipped and missing rewards.
func twoExperiments() []logfile.Row {
	nan := math.NaN()
	var rows []logfile.Row
	for i, y := range []float64{nan, 2, nan, nan, -1, 0.5, 3, nan} {
		rows = append(rows, logfile.Row{Experiment: int64(1 - i%2), Round: int64(i), Arm: i / 2 % 2, Reward: y})
	}
	return rows
}

// What was clipped, and what is missing, is counted by experiment and arm, in
// the order of the tableau; the tableau has NaN where a reward is missing.
func TestRewardCounts(t *testing.T) {
	s := logfile.Layout{Labels: []string{"a", "b"}, Experiments: true, Reward: logfile.RewardFloat, MissingReward: true, CreatedBy: "test"}
	p := logProtocol(&s)
	p.Reward = schemas.RewardSpec{Range: []float64{0, 1}, OutOfRange: schemas.OutOfRangeClip}
	got, m := taken(t, p, writeLog(t, s, twoExperiments()))
	clipped, missing := "reward clipped to range", "reward missing"
	want := []schemas.ManifestExperiment{
		{ID: "0", Rows: 4, Counts: []schemas.ArmCount{{Reason: clipped, Arm: 0, Rows: 1}, {Reason: missing, Arm: 1, Rows: 2}}},
		{ID: "1", Offset: 4, Rows: 4, Counts: []schemas.ArmCount{{Reason: clipped, Arm: 0, Rows: 1}, {Reason: clipped, Arm: 1, Rows: 1}, {Reason: missing, Arm: 0, Rows: 1}, {Reason: missing, Arm: 1, Rows: 1}}},
	}
	for i := range m.Experiments {
		m.Experiments[i].Gaps = 0
	}
	if diff := cmp.Diff(want, m.Experiments); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]schemas.Exclusion{{Reason: clipped, Rows: 3}, {Reason: missing, Rows: 4}}, m.Counts); diff != "" {
		t.Error(diff)
	}
	if m.Missing != schemas.MissingExclude {
		t.Errorf("missing_reward is %q", m.Missing)
	}
	nan := math.NaN()
	if diff := cmp.Diff([][]float64{{1, nan, 0.5, nan}, {nan, nan, 0, 1}}, [][]float64{got[0].Reward, got[1].Reward}, cmp.Comparer(sameBits)); diff != "" {
		t.Error(diff)
	}
}

// A log of which no reward is known has nothing to be estimated of.
func TestRewardsAllMissing(t *testing.T) {
	rows := ingesttest.Events(7)
	for i := range rows {
		rows[i].Reward = nil
	}
	path := ingesttest.Log(t, rows)
	p := protocol()
	p.Log.MissingReward = schemas.MissingIndependent
	if e := refused(t, p, fault.RuleEmpty, path); e.Column != "reward" || e.Count != 7 {
		t.Errorf("got %v", e)
	}
	rows[6].Reward = new(0.5)
	ingesttest.WriteParquet(t, path, rows)
	if _, m, err := ingestAll(t, p, Options{}, path); err != nil || m.Counts[0].Rows != 6 {
		t.Errorf("one reward is enough: %v", err)
	}
}
