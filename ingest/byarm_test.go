package ingest

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// abc are the arms of most tests.
func abc() []string { return []string{"a", "b", "c"} }

// chosen is the action column; -1 is a null.
func chosen(arms ...int) given {
	names, nulls := []string{}, []int{}
	for i, arm := range arms {
		if arm < 0 {
			nulls = append(nulls, i)
			arm = 0
		}
		names = append(names, string(rune('a'+arm)))
	}
	return textOf(role.Action, names, nulls...)
}

func TestValuesByArm(t *testing.T) {
	lists := listsOf(role.ReleasedByArm, shape{3, 1}, []float64{1, 2, 3}, []float64{4, -5, 6})
	nested := nestedOf(role.ContextByArm, shape{3, 2}, [][]float64{{1, 2}, {3, 4}, {5, 6}}, [][]float64{{7, 8}, {9, 10}, {11, 12}})
	out := newAttempt(bare(), abc(), chosen(0, 1), nested, lists).good(t)
	if diff := cmp.Diff([]float64{1, 2, 3, 4, -5, 6}, out.ReleasedByArm); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, out.ContextByArm); diff != "" {
		t.Error(diff)
	}
	wide := nestedOf(role.ReleasedByArm, shape{3, 2}, [][]float64{{1, 2}, {3, 4}, {5, 6}})
	if got := newAttempt(bare(), abc(), chosen(0), wide).good(t).ReleasedByArm; len(got) != 6 || got[5] != 6 {
		t.Errorf("got %v", got)
	}
}

// Whole numbers, booleans and decimals are numbers too.
func TestValuesByArmOfOtherKinds(t *testing.T) {
	ints := listsOf(role.ReleasedByArm, shape{3, 1}, []float64{}, []float64{})
	ints.column.Kind = pages.Int
	ints.block.Int = []int64{1, 2, 3, 4, 5, cell.ExactNumber}
	ints.block.Length = []int32{3, 3}
	out := newAttempt(bare(), abc(), chosen(0, 1), ints).good(t)
	if diff := cmp.Diff([]float64{1, 2, 3, 4, 5, cell.ExactNumber}, out.ReleasedByArm); diff != "" {
		t.Error(diff)
	}
	ints.block.Int[4] = -cell.ExactNumber - 1
	newAttempt(bare(), abc(), chosen(0, 1), ints).bad(t, broken{fault.RuleNotExact, 1, 1})
	ints.column.Kind, ints.column.Scale, ints.block.Float = pages.Decimal, 1, []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	out = newAttempt(bare(), abc(), chosen(0, 1), ints).good(t)
	if diff := cmp.Diff([]float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, out.ReleasedByArm); diff != "" {
		t.Error(diff)
	}
}

// Each rule of lists by arm, for lists and for lists of lists.
func TestValuesByArmRefused(t *testing.T) {
	good, s := []float64{1, 2, 3}, shape{3, 1}
	for name, tc := range map[string]struct {
		lists [][]float64
		want  []broken
	}{
		"null":     {[][]float64{good, nil}, []broken{{fault.RuleNull, 1, 1}}},
		"shorter":  {[][]float64{good, {1, 2}}, []broken{{fault.RuleListLength, 1, 1}}},
		"longer":   {[][]float64{{1, 2, 3, 4}, good, {1, 2, 3, 4}}, []broken{{fault.RuleListLength, 0, 2}}},
		"empty":    {[][]float64{good, {}}, []broken{{fault.RuleListLength, 1, 1}}},
		"NaN":      {[][]float64{good, {1, math.NaN(), 3}}, []broken{{fault.RuleNotFinite, 1, 1}}},
		"infinite": {[][]float64{{math.Inf(-1), 2, math.NaN()}, good}, []broken{{fault.RuleNotFinite, 0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			arms := make([]int, len(tc.lists))
			newAttempt(bare(), abc(), chosen(arms...), listsOf(role.ReleasedByArm, s, tc.lists...)).bad(t, tc.want...)
		})
	}
	row := [][]float64{{1, 2}, {3, 4}, {5, 6}}
	for name, tc := range map[string]struct {
		rows [][][]float64
		want []broken
	}{
		"null":              {[][][]float64{row, nil}, []broken{{fault.RuleNull, 1, 1}}},
		"too few arms":      {[][][]float64{row, row[:2]}, []broken{{fault.RuleListLength, 1, 1}}},
		"inner longer":      {[][][]float64{row, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, []broken{{fault.RuleListLength, 1, 1}}},
		"inner of one":      {[][][]float64{row, {{1, 2}, {1}, {1, 2}}}, []broken{{fault.RuleListLength, 1, 1}}},
		"inner empty":       {[][][]float64{row, {{}, {}, {}}}, []broken{{fault.RuleListLength, 1, 1}}},
		"NaN":               {[][][]float64{row, {{1, 2}, {3, 4}, {5, math.NaN()}}}, []broken{{fault.RuleNotFinite, 1, 1}}},
		"NaN and too short": {[][][]float64{{{1, math.NaN()}}, {{1, 2}, {3, 4}, {5, math.NaN()}}}, []broken{{fault.RuleListLength, 0, 1}, {fault.RuleNotFinite, 1, 1}}},
	} {
		t.Run("nested "+name, func(t *testing.T) {
			arms := make([]int, len(tc.rows))
			newAttempt(bare(), abc(), chosen(arms...), nestedOf(role.ContextByArm, shape{3, 2}, tc.rows...)).bad(t, tc.want...)
		})
	}
}

func TestValuesByArmNullItem(t *testing.T) {
	lists := listsOf(role.ReleasedByArm, shape{3, 1}, []float64{1, 2, 3}, []float64{4, 0, 6})
	lists.block.ItemNulls[1] = true
	newAttempt(bare(), abc(), chosen(0, 1), lists).bad(t, broken{fault.RuleNull, 1, 1})
}

// A column of lists of empty lists has no width to go by.
func TestValuesByArmAllEmpty(t *testing.T) {
	empty := nestedOf(role.ContextByArm, shape{3, 0}, [][]float64{{}, {}, {}}, [][]float64{{}, {}, {}})
	newAttempt(bare(), abc(), chosen(0, 1), empty).bad(t, broken{fault.RuleListLength, 0, 2})
}

// Lists here and lists of lists there are no column; the file is named once.
func TestValuesByArmOfTwoDepths(t *testing.T) {
	lists := listsOf(role.ReleasedByArm, shape{3, 1}, []float64{1, 2, 3})
	lists.shape = shape{3, 2} // as the first file has it
	try := newAttempt(bare(), abc(), chosen(0), lists)
	try.run(t)
	try.bad(t, broken{Rule: fault.RuleType, Row: -1})
}

// Where no arm was found, which is a fault of its own, lists are not compared
// with the arms.
func TestValuesByArmWithoutArms(t *testing.T) {
	none := shape{0, 1}
	lists := []given{
		chosen(-1), listsOf(role.PropensityByArm, none, []float64{1}), listsOf(role.RewardByArm, none, []float64{1}),
		listsOf(role.ReleasedByArm, none, []float64{1}), namesOf(role.Eligible, 0, []string{"a"}),
	}
	newAttempt(bare(), nil, lists...).bad(t, broken{fault.RuleNull, 0, 1})
}
