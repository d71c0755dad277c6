package check

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// good are facts against which nothing stands.
func good() *Inputs {
	return &Inputs{
		Rounds: 1000, Labels: []string{"a", "b"}, Declared: true, Pulls: []int64{400, 600}, Order: []string{"round"},
		Files: 3, Columns: 5, Drift: still(),
	}
}

// expect compares what a check says, but for its title, expectation and measures.
func expect(t *testing.T, name string, got, want schemas.Check) {
	t.Helper()
	if got.Title == "" {
		t.Errorf("%s: %s has no title", name, got.ID)
	}
	if got.Status == schemas.CheckNotRun && len(got.Measures) > 0 {
		t.Errorf("%s: %s was not run and has measures %v", name, got.ID, got.Measures)
	}
	got.Title, got.Expected, got.Measures = "", "", nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// weighted are propensities accumulated over rows of two arms.
func weighted(t *testing.T, arm []int32, p []float64) *Propensities {
	t.Helper()
	a, w := allocationtest.NewAllocation(2), allocationtest.NewWeights(2)
	if err := a.Add(arm, p); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(arm, p, nil); err != nil {
		t.Fatal(err)
	}
	return &Propensities{Allocation: a.Test(allocationtest.AllocationLevel, nil, nil), Weights: w.Result()}
}

// TestAll has every check once, in order; none is left out for want of means.
func TestAll(t *testing.T) {
	var ids []string
	for _, c := range All(Checks(), good()) {
		ids = append(ids, c.ID)
		if c.Title == "" || c.Status == "" || c.Status == schemas.CheckNotRun && c.Detail == "" {
			t.Errorf("%s: title %q, status %q, detail %q", c.ID, c.Title, c.Status, c.Detail)
		}
	}
	if diff := cmp.Diff(strings.Fields("H01 H02 H03 H04 H05 H07 H08 H09 H10 H11 H13 H14 H15 H17"), ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

// TestQuality: data.quality stands on six checks, and only on those that fail.
func TestQuality(t *testing.T) {
	quality := map[string]bool{"H01": true, "H02": true, "H03": true, "H04": true, "H08": true, "H09": true}
	for _, status := range []schemas.CheckStatus{schemas.CheckPass, schemas.CheckNote, schemas.CheckNotRun, schemas.CheckFail} {
		for i, c := range All(Checks(), good()) {
			checks := All(Checks(), good())
			checks[i].Status = status
			by := Quality(Checks(), checks)
			if got := slices.Contains(by[status], c.ID); got != quality[c.ID] {
				t.Errorf("%s is %q: counted %v, want %v", c.ID, status, got, quality[c.ID])
			}
			if n := len(slices.Concat(slices.Collect(maps.Values(by))...)); n != len(quality) {
				t.Errorf("%s is %q: %d checks counted, want %d", c.ID, status, n, len(quality))
			}
		}
	}
	checks := All(Checks(), good())
	checks[0].Status, checks[6].Status = schemas.CheckFail, schemas.CheckFail
	if failed := Quality(Checks(), checks)[schemas.CheckFail]; !cmp.Equal(failed, []string{"H01", "H08"}) {
		t.Errorf("failed %v, want H01 and H08", failed)
	}
}

func TestFind(t *testing.T) {
	checks := All(Checks(), good())
	if c := Find(checks, "H08"); c != &checks[6] {
		t.Errorf("found %+v, want the check itself", c)
	}
	if c := Find(checks, "H06"); c != nil {
		t.Errorf("found %+v, want nothing", c)
	}
}

func TestRows(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2: "2 rows"} {
		if got := rows(n); got != want {
			t.Errorf("rows(%d) is %q, want %q", n, got, want)
		}
	}
}

func TestProbability(t *testing.T) {
	for _, c := range []struct{ logP, want float64 }{
		{0, 1},
		{math.Log(0.25), 0.25},
		{-10_000, math.SmallestNonzeroFloat64},
		{math.Inf(-1), 0},
	} {
		if got := probability(c.logP); math.Abs(got-c.want) > 1e-15 || (got == 0) != (c.want == 0) {
			t.Errorf("e^%v is %v, want %v", c.logP, got, c.want)
		}
	}
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 2: "2", 17.564: "17.56", 999.94: "999.9", 1234.4: "1,234", 9999.7: "10,000", 12345: "12,350", 199960: "200,000", -12345: "-12,350",
		1e9: "1e+09", 1e-7: "1e-07",
	} {
		if got := figure(x); got != want {
			t.Errorf("figure(%g) = %q, want %q", x, got, want)
		}
	}
	if got := figure(math.NaN()); got != "NaN" {
		t.Errorf("figure(NaN) = %q", got)
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{
		0: "+0 %", 1.234: "+1.23 %", -45.67: "-45.7 %", 999.4: "+999 %", 999.6: "+999.6 %", 1030: "+1,030 %", -12345: "-12,350 %",
	} {
		if got := percent(x); got != want {
			t.Errorf("percent(%g) = %q, want %q", x, got, want)
		}
	}
	if got := share(12345); got != "12,350 %" {
		t.Errorf("share = %q", got)
	}
}
