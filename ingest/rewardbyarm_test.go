package ingest

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// rewardsOf is a column of the rewards of three arms.
func rewardsOf(lists ...[]float64) given { return listsOf(role.RewardByArm, shape{3, 1}, lists...) }

func TestRewardsByArm(t *testing.T) {
	out := newAttempt(bare(), abc(), chosen(2, 0), rewardsOf([]float64{0, 0.5, 1}, []float64{1, 0, 0})).good(t)
	if diff := cmp.Diff([]float64{1, 1}, out.Reward); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 0.5, 1, 1, 0, 0}, out.RewardByArm); diff != "" {
		t.Error(diff)
	}
	flags := rewardsOf([]float64{}, []float64{})
	flags.column.Kind, flags.block.Length, flags.block.Int = pages.Bool, []int32{3, 3}, []int64{0, 0, 1, 1, 0, 0}
	if out = newAttempt(bare(), abc(), chosen(2, 1), flags).good(t); out.Reward[0] != 1 || out.Reward[1] != 0 {
		t.Errorf("got %v", out.Reward)
	}
}

func TestRewardsByArmRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		list []float64
		want []broken
	}{
		"null":         {nil, []broken{{fault.RuleMissing, 1, 1}}},
		"short":        {[]float64{1}, []broken{{fault.RuleListLength, 1, 1}}},
		"out of range": {[]float64{0, 2, 3}, []broken{{fault.RuleRange, 1, 1}}},
		"both wrong":   {[]float64{2, math.NaN(), math.Inf(1)}, []broken{{fault.RuleRange, 1, 1}, {fault.RuleNotFinite, 1, 1}}},
		"NaN":          {[]float64{0, math.NaN(), 1}, []broken{{fault.RuleNotFinite, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			newAttempt(bare(), abc(), chosen(2, 0), rewardsOf([]float64{0, 0.5, 1}, tc.list)).bad(t, tc.want...)
		})
	}
	item := rewardsOf([]float64{0, 0.5, 1}, []float64{1, 1, 1})
	item.block.ItemNulls[1] = true
	p := bare()
	p.Log.MissingReward = schemas.MissingExclude
	newAttempt(p, abc(), chosen(2, 0), item).bad(t, broken{fault.RuleNull, 1, 1})
}

// A null list is a reward that is missing, of every arm; values out of range
// are clipped; both are counted by arm, and rows once.
func TestRewardsByArmCounted(t *testing.T) {
	p := bare()
	p.Log.MissingReward, p.Reward.OutOfRange = schemas.MissingIndependent, schemas.OutOfRangeClip
	try := newAttempt(p, abc(), chosen(2, 0, 1, 1), rewardsOf([]float64{0, 0.5, 1}, nil, []float64{-1, 2, 0}, []float64{3, 0, 0}))
	out := try.good(t)
	nan := math.NaN()
	if diff := cmp.Diff([]float64{1, nan, 1, 0}, out.Reward, cmp.Comparer(sameBits)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 0.5, 1, nan, nan, nan, 0, 1, 0, 1, 0, 0}, out.RewardByArm, cmp.Comparer(sameBits)); diff != "" {
		t.Error(diff)
	}
	c := try.convert.counts
	if diff := cmp.Diff([]schemas.Exclusion{{Reason: "reward clipped to range", Rows: 2}, {Reason: "reward missing", Rows: 1}}, c.total()); diff != "" {
		t.Error(diff)
	}
	want := []schemas.ArmCount{
		{Reason: "reward clipped to range", Arm: 0, Rows: 2},
		{Reason: "reward clipped to range", Arm: 1, Rows: 1},
		{Reason: "reward missing", Arm: 0, Rows: 1},
		{Reason: "reward missing", Arm: 1, Rows: 1},
		{Reason: "reward missing", Arm: 2, Rows: 1},
	}
	var got []schemas.ArmCount
	c.each(func(experiment int32, rows schemas.ArmCount) {
		if experiment == 0 {
			got = append(got, rows)
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A file may have nothing but nulls in the column, where the protocol says how
// they came to be.
func TestRewardsByArmNull(t *testing.T) {
	type full struct {
		At      int64     `parquet:"at"`
		Arm     string    `parquet:"arm"`
		Rewards []float64 `parquet:"rewards,optional,list"`
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), []full{{1, "a", []float64{0.25, 0.5}}, {2, "b", []float64{0.75, 1}}})
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []full{{3, "b", nil}, {4, "a", nil}})
	p := atProtocol()
	p.Log.Reward, p.Log.RewardByArm, p.Arms = "", "rewards", []string{"a", "b"}
	for _, jobs := range []int{1, 2} {
		p.Log.MissingReward = schemas.MissingExclude
		got, m, err := ingestAll(t, p, Options{Jobs: jobs}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]float64{0.25, 1, math.NaN(), math.NaN()}, got[0].Reward, cmpopts.EquateNaNs()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]schemas.ArmCount{{Reason: "reward missing", Arm: 0, Rows: 2}, {Reason: "reward missing", Arm: 1, Rows: 2}}, m.Experiments[0].Counts); diff != "" {
			t.Error(diff)
		}
		p.Log.MissingReward = schemas.MissingError
		_, _, err = ingestAll(t, p, Options{Jobs: jobs}, dir)
		if e := ingesttest.WantFault(t, err, fault.RuleMissing); e.File != "a.parquet" || e.Column != "rewards" {
			t.Errorf("%v", e)
		}
	}
}
