package ingest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// flagsOf is a column of lists of booleans.
func flagsOf(width int, lists ...[]float64) given {
	g := listsOf(role.Eligible, shape{width, 1}, lists...)
	g.column.Kind, g.column.Type = pages.Bool, "list of BOOLEAN"
	for i, v := range g.block.Float {
		g.block.Int[i] = int64(v)
	}
	return g
}

// Labels, and booleans by arm, say the same; null stands for all arms.
func TestEligible(t *testing.T) {
	want := []bool{true, false, true, true, true, true, false, true, false}
	labels := namesOf(role.Eligible, 3, []string{"c", "a"}, nil, []string{"b"})
	flags := flagsOf(3, []float64{1, 0, 1}, nil, []float64{0, 1, 0})
	for _, g := range []given{labels, flags} {
		out := newAttempt(bare(), abc(), chosen(2, 0, 1), g).good(t)
		if diff := cmp.Diff(want, out.Eligible); diff != "" {
			t.Errorf("%s: %s", g.column.Type, diff)
		}
	}
	numbers := listsOf(role.Eligible, shape{2, 1}, []float64{0}, []float64{0, 0})
	numbers.column.Kind, numbers.block.Int = pages.Int, []int64{20, 0, 10, 20}
	out := newAttempt(bare(), []string{"10", "20"}, intsOf(role.Action, pages.Int, []int64{20, 10}), numbers).good(t)
	if diff := cmp.Diff([]bool{false, true, true, true}, out.Eligible); diff != "" {
		t.Errorf("whole numbers: %s", diff)
	}
}

func TestEligibleRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		column given
		want   []broken
	}{
		"not eligible":      {namesOf(role.Eligible, 3, []string{"a"}, []string{"a", "c"}), []broken{{fault.RuleEligible, 1, 1}}},
		"none eligible":     {namesOf(role.Eligible, 3, []string{"a"}, []string{}), []broken{{fault.RuleEligible, 1, 1}}},
		"undeclared":        {namesOf(role.Eligible, 3, []string{"a"}, []string{"b", "purple"}), []broken{{fault.RuleArm, 1, 1}}},
		"not text":          {namesOf(role.Eligible, 3, []string{"a"}, []string{"b", "\xff"}), []broken{{fault.RuleNotText, 1, 1}}},
		"twice":             {namesOf(role.Eligible, 3, []string{"a"}, []string{"b", "b"}), []broken{{fault.RuleEligible, 1, 1}}},
		"too many":          {namesOf(role.Eligible, 3, []string{"a"}, []string{"a", "b", "c", "a"}), []broken{{fault.RuleListLength, 1, 1}}},
		"flag not set":      {flagsOf(3, []float64{1, 1, 1}, []float64{1, 0, 1}), []broken{{fault.RuleEligible, 1, 1}}},
		"flags too few":     {flagsOf(3, []float64{1, 1, 1}, []float64{1, 1}), []broken{{fault.RuleListLength, 1, 1}}},
		"flags empty":       {flagsOf(3, []float64{1, 1, 1}, []float64{}), []broken{{fault.RuleListLength, 1, 1}}},
		"flags too many":    {flagsOf(3, []float64{1, 1, 1, 1}, []float64{1, 1, 1}), []broken{{fault.RuleListLength, 0, 1}}},
		"twice and unknown": {namesOf(role.Eligible, 3, []string{"a"}, []string{"b", "b", "x"}), []broken{{fault.RuleArm, 1, 1}, {fault.RuleEligible, 1, 1}}},
		"not texts":         {namesOf(role.Eligible, 3, []string{"a"}, []string{"\xff", "x", "\xfe"}), []broken{{fault.RuleNotText, 1, 1}, {fault.RuleArm, 1, 1}}},
		"all that is wrong": {namesOf(role.Eligible, 3, []string{"x"}, []string{"c"}), []broken{{fault.RuleArm, 0, 1}, {fault.RuleEligible, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			newAttempt(bare(), abc(), chosen(0, 1), tc.column).bad(t, tc.want...)
		})
	}
	two := newAttempt(bare(), abc(), chosen(0, 1), namesOf(role.Eligible, 3, []string{"x", "y"}, []string{"z", "b"}))
	two.bad(t, broken{fault.RuleArm, 0, 2})
	if text := two.faults.Err().Error(); !strings.Contains(text, `"x", "y", "z"`) {
		t.Errorf("not all labels are named: %s", text)
	} else if !strings.Contains(text, "an eligible arm that is not among the declared arms") || strings.Contains(text, "an action that is") {
		t.Errorf("labels of a list are taken for actions: %s", text)
	}
	null := namesOf(role.Eligible, 3, []string{"a"}, []string{"b", ""})
	null.block.ItemNulls[1] = true
	newAttempt(bare(), abc(), chosen(0, 1), null).bad(t, broken{fault.RuleNull, 1, 1})
}
