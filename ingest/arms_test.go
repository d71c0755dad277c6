package ingest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

func TestArms(t *testing.T) {
	for name, tc := range map[string]struct {
		arms   []string
		column given
	}{
		"text":     {abc(), textOf(role.Action, []string{"c", "a", "b"})},
		"integers": {[]string{"-1", "0", "7"}, intsOf(role.Action, pages.Int, []int64{7, -1, 0})},
		"decimals": {[]string{"-1", "0", "7"}, intsOf(role.Action, pages.Decimal, []int64{7, -1, 0})},
		"unsigned": {[]string{"1", "7", "18446744073709551615"}, intsOf(role.Action, pages.Uint, []int64{-1, 1, 7})},
		"dates":    {[]string{"1969-12-31", "1970-01-01", "1970-01-02"}, intsOf(role.Action, pages.Date, []int64{1, -1, 0})},
		"booleans": {[]string{"false", "other", "true"}, intsOf(role.Action, pages.Bool, []int64{1, 0, 0})},
	} {
		want := []int32{2, 0, 1}
		if name == "booleans" {
			want[2] = 0
		}
		if diff := cmp.Diff(want, newAttempt(bare(), tc.arms, tc.column).good(t).Arm); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestArmsRefused(t *testing.T) {
	try := newAttempt(bare(), abc(), textOf(role.Action, []string{"a", "", "B ", "\xff", "purple", "B "}, 1))
	try.bad(t, broken{fault.RuleNull, 1, 1}, broken{fault.RuleArm, 2, 3}, broken{fault.RuleNotText, 3, 1})
	if text := try.faults.Err().Error(); !strings.Contains(text, `"B ", "purple"`) {
		t.Errorf("labels are not named: %s", text)
	}
	if out := try.run(t); out.Arm[1] != -1 || out.Arm[4] != -1 || out.Arm[0] != 0 {
		t.Errorf("got %v", out.Arm)
	}
}

// Of very many undeclared labels the first few are named, beside a declared one
// that is near.
func TestArmsUndeclaredMany(t *testing.T) {
	names := make([]string, cell.BlockRows)
	for i := range names {
		names[i] = fmt.Sprintf("variant-%d", i)
	}
	arms := []string{"variant-a", "variant-b"}
	try := newAttempt(bare(), arms, textOf(role.Action, names))
	try.bad(t, broken{fault.RuleArm, 0, cell.BlockRows})
	text := try.faults.Err().Error()
	if !strings.Contains(text, "the declared arms include variant-a") || strings.Contains(text, "variant-5") || !strings.Contains(text, "variant-4") {
		t.Errorf("got %s", text)
	}
}

// Experiments that the first pass did not number are a fault of its.
func TestExperiments(t *testing.T) {
	try := newAttempt(bare(), abc(), textOf(role.Experiment, []string{"f", "e", "g", "e"}, 3), chosen(0, 0, 0, 0))
	if diff := cmp.Diff([]int32{1, 0, -1, -1}, try.good(t).Experiment); diff != "" {
		t.Error(diff)
	}
}

// A label without a letter is no arm and no experiment, declared or not: the
// protocol could not name it.
func TestEmptyLabels(t *testing.T) {
	type row struct {
		At     int64    `parquet:"at"`
		Exp    string   `parquet:"exp"`
		Arm    string   `parquet:"arm"`
		Reward float64  `parquet:"reward"`
		Could  []string `parquet:"could,list"`
	}
	path := filepath.Join(t.TempDir(), "log.parquet")
	write := func(second row) { ingesttest.WriteParquet(t, path, []row{{1, "e", "a", 0, []string{"a"}}, second}) }
	for name, tc := range map[string]struct {
		second       row
		rule, column string
	}{
		"arm":        {row{2, "e", "", 0, []string{"a"}}, fault.RuleArm, "arm"},
		"experiment": {row{2, "", "a", 0, []string{"a"}}, fault.RuleNotText, "exp"},
		"eligible":   {row{2, "e", "a", 0, []string{"a", "", ""}}, fault.RuleArm, "could"},
	} {
		write(tc.second)
		for _, arms := range [][]string{nil, {"a", "b", "c"}} {
			p := atProtocol()
			p.Experiment = schemas.ExperimentSpec{Column: "exp"}
			p.Log.Eligible, p.Arms = "could", arms
			if arms == nil && name == "eligible" {
				continue // the list is longer than the arms that the log has
			}
			if e := refused(t, p, tc.rule, path); e.What != whatEmpty || e.Column != tc.column || e.Row != 1 || e.Count != 1 {
				t.Errorf("%s, declared %q: %v", name, arms, e)
			}
		}
	}
}
