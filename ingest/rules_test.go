package ingest

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Each rule: one row of a log breaks it, and the error names it.
func TestRules(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil  func(rows []ingesttest.Event, p *schemas.Protocol)
		rule   string
		column string
		says   string
	}{
		"null reward":     {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Reward = nil }, fault.RuleMissing, "reward", "null reward"},
		"null context":    {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Land = nil }, fault.RuleNull, "land", "null"},
		"NaN reward":      {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Reward = new(math.NaN()) }, fault.RuleNotFinite, "reward", "NaN"},
		"infinite reward": {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Reward = new(math.Inf(1)) }, fault.RuleNotFinite, "reward", "infinity"},
		"infinite, clipped": {func(r []ingesttest.Event, p *schemas.Protocol) {
			r[5].Reward, p.Reward.OutOfRange = new(math.Inf(1)), schemas.OutOfRangeClip
		}, fault.RuleNotFinite, "reward", "infinity"},
		"reward above":       {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Reward = new(1.2) }, fault.RuleRange, "reward", "[0, 1]"},
		"reward below":       {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Reward = new(-1e-300) }, fault.RuleRange, "reward", "[0, 1]"},
		"propensity 0":       {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].P = 0 }, fault.RulePropensity, "p", "where it was small and was rounded to 0, write more decimals"},
		"propensity above 1": {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].P = math.Nextafter(1, 2) }, fault.RulePropensity, "p", "(0, 1]"},
		"propensity tiny":    {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].P = 1e-320 }, fault.RulePropensity, "p", "below 1e-100, so that its weight cannot be computed with"},
		"propensity least":   {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].P = math.Nextafter(tableau.MinPropensity, 0) }, fault.RulePropensity, "p", "below 1e-100"},
		"propensity NaN":     {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].P = math.NaN() }, fault.RuleNotFinite, "p", "NaN"},
		"context infinite":   {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Age = math.Inf(-1) }, fault.RuleNotFinite, "age", "NaN or an infinity"},
		"undeclared level":   {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Land = new("ES") }, fault.RuleLevel, "land", `"ES"`},
		"undeclared arm":     {func(r []ingesttest.Event, p *schemas.Protocol) { p.Arms = []string{"a", "b", "c"}; r[5].Arm = "purple" }, fault.RuleArm, "arm", `"purple"`},
		"arm with NUL":       {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Arm = "a\x00" }, fault.RuleNotText, "arm", "zero byte"},
		"arm not UTF-8":      {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Arm = "\xff" }, fault.RuleNotText, "arm", "UTF-8"},
		"level not UTF-8":    {func(r []ingesttest.Event, _ *schemas.Protocol) { r[5].Land = new("\xff") }, fault.RuleNotText, "land", "UTF-8"},
		"tie":                {func(r []ingesttest.Event, _ *schemas.Protocol) { r[6].Round = r[5].Round }, fault.RuleTie, "round", "log.parquet, row group 0, row 6 of the file"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, p := ingesttest.Events(12), protocol()
			tc.spoil(rows, p)
			path := ingesttest.Log(t, rows)
			_, _, err := ingestAll(t, p, Options{}, path)
			e := ingesttest.WantFault(t, err, tc.rule)
			if e.File != "log.parquet" || e.RowGroup != 0 || e.Row != 5 || e.Column != tc.column || e.Count != 1 || !strings.Contains(e.Error(), tc.says) {
				t.Errorf("got %+v\n%v", e, e)
			}
			if all := ingesttest.InputErrors(err); len(all) != 1 {
				t.Errorf("other faults too: %v", err)
			}
		})
	}
}

// All rules that a log breaks are reported in one go, with counts and the first
// rows, over all files; and no message holds a value of a row.
func TestRulesAllAtOnce(t *testing.T) {
	dir := t.TempDir()
	rows := ingesttest.Events(40)
	for i := range rows {
		if i%4 == 1 {
			rows[i].Reward = new(1234.5678)
		}
		if i%10 == 2 {
			rows[i].Age = math.NaN()
		}
		if i%10 == 3 {
			rows[i].P = 77.25
		}
	}
	rows[7].Land, rows[8].Land, rows[9].Reward = new("ES"), new("PT"), nil
	for i := 31; i < 38; i++ {
		rows[i].Land = new("ES")
	}
	rows[20].Round = 20
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), rows[:15])
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), rows[15:])
	_, _, err := ingestAll(t, protocol(), Options{}, dir)
	counts := map[string]int64{}
	for _, e := range ingesttest.InputErrors(err) {
		counts[e.Rule] = e.Count
	}
	want := map[string]int64{fault.RuleRange: 9, fault.RuleNotFinite: 4, fault.RulePropensity: 4, fault.RuleLevel: 9, fault.RuleMissing: 1, fault.RuleTie: 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
	places := ingesttest.WantFault(t, err, fault.RuleRange).Places
	wantPlaces := []fault.Place{{File: "a.parquet", RowGroup: 0, Row: 1}, {File: "a.parquet", RowGroup: 0, Row: 5}, {File: "a.parquet", RowGroup: 0, Row: 13}, {File: "b.parquet", RowGroup: 0, Row: 2}, {File: "b.parquet", RowGroup: 0, Row: 6}}
	if diff := cmp.Diff(wantPlaces, places); diff != "" {
		t.Error(diff)
	}
	text := err.Error()
	for _, s := range []string{`"ES", "PT"`, "(9 rows in all; next: a.parquet, row group 0, row 5 of the file;"} {
		if !strings.Contains(text, s) {
			t.Errorf("%q is not in:\n%s", s, text)
		}
	}
	for _, value := range []string{"1234", "77.25"} {
		if strings.Contains(text, value) {
			t.Errorf("a value of a row is in:\n%s", text)
		}
	}
}

// Two breaches of one rule in one column are told apart, with a count each.
func TestPropensitiesAreToldApart(t *testing.T) {
	rows := ingesttest.Events(9)
	rows[0].P = tableau.MinPropensity
	rows[2].P, rows[3].P, rows[4].P = 0, 1e-320, 1e-101
	path := ingesttest.Log(t, rows)
	_, _, err := ingestAll(t, protocol(), Options{}, path)
	counts := map[string]int64{}
	for _, e := range ingesttest.InputErrors(err) {
		counts[fmt.Sprint(e.Rule, " ", e.Row)] = e.Count
	}
	if diff := cmp.Diff(map[string]int64{"propensity 2": 1, "propensity 3": 2}, counts); diff != "" {
		t.Error(diff)
	}
}

func TestUndeclaredLabelsAreBounded(t *testing.T) {
	rows, p := ingesttest.Events(30), protocol()
	p.Arms = []string{"a"}
	for i := range rows {
		rows[i].Arm = strings.Repeat("ü", 100) + strconv.Itoa(i)
	}
	path := ingesttest.Log(t, rows)
	if e := refused(t, p, fault.RuleArm, path); e.Count != 30 || len(e.Error()) > 1200 {
		t.Errorf("%d rows in a message of %d bytes", e.Count, len(e.Error()))
	}
}

func TestClip(t *testing.T) {
	rows, p := ingesttest.Events(6), protocol()
	p.Reward = schemas.RewardSpec{Range: []float64{-1, 0.25}, OutOfRange: schemas.OutOfRangeClip}
	for i, y := range []float64{-3, -1, 0, 0.25, 0.5, 1e300} {
		rows[i].Reward = new(y)
	}
	path := ingesttest.Log(t, rows)
	got, m := taken(t, p, path)
	if diff := cmp.Diff([]float64{-1, -1, 0, 0.25, 0.25, 0.25}, got[0].Reward); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]schemas.Exclusion{{Reason: "reward clipped to range", Rows: 3}}, m.Counts); diff != "" {
		t.Error(diff)
	}
}

func TestUndeclaredArmsAreSorted(t *testing.T) {
	for name, tc := range map[string]struct{ arms, want []string }{
		"numbers as numbers": {[]string{"10", "9", "-1"}, []string{"-1", "9", "10"}},
		"bytewise":           {[]string{"b10", "b9", "a"}, []string{"a", "b10", "b9"}},
		"mixed: bytewise":    {[]string{"10", "9", "x"}, []string{"10", "9", "x"}},
		"not canonical":      {[]string{"10", "09", "1"}, []string{"09", "1", "10"}},
	} {
		rows := ingesttest.Events(3)
		for i, a := range tc.arms {
			rows[i].Arm = a
		}
		path := ingesttest.Log(t, rows)
		_, m := taken(t, protocol(), path)
		if diff := cmp.Diff(tc.want, m.Arms); diff != "" || m.Declared {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDeclaredArmsKeepTheirOrder(t *testing.T) {
	p := protocol()
	p.Arms = []string{"c", "unused", "a", "b"}
	path := ingesttest.Log(t, ingesttest.Events(4))
	got, m := taken(t, p, path)
	if diff := cmp.Diff([]int32{2, 3, 0, 2}, got[0].Arm); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(p.Arms, m.Arms); diff != "" || !m.Declared {
		t.Error(diff)
	}
}

func TestTooManyArms(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out a log of 65,537 labels; the full run has it")
	}
	rows := ingesttest.Events(cell.MaxArms + 1)
	for i := range rows {
		rows[i].Arm = fmt.Sprint("user", i)
	}
	path := ingesttest.Log(t, rows)
	if e := refused(t, protocol(), fault.RuleArms, path); e.Row != cell.MaxArms {
		t.Errorf("at row %d", e.Row)
	}
}
