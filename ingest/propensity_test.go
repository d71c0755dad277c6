package ingest

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

func TestPropensities(t *testing.T) {
	for name, tc := range map[string]struct {
		p    float64
		want []broken
	}{
		"one":      {1, nil},
		"least":    {tableau.MinPropensity, nil},
		"zero":     {0, []broken{{fault.RulePropensity, 1, 1}}},
		"negative": {-0.5, []broken{{fault.RulePropensity, 1, 1}}},
		"above":    {math.Nextafter(1, 2), []broken{{fault.RulePropensity, 1, 1}}},
		"tiny":     {math.Nextafter(tableau.MinPropensity, 0), []broken{{fault.RulePropensity, 1, 1}}},
		"NaN":      {math.NaN(), []broken{{fault.RuleNotFinite, 1, 1}}},
		"infinite": {math.Inf(1), []broken{{fault.RuleNotFinite, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			newAttempt(bare(), abc(), chosen(0, 1), flatOf(role.Propensity, []float64{0.5, tc.p})).bad(t, tc.want...)
		})
	}
	newAttempt(bare(), abc(), chosen(0, 1), flatOf(role.Propensity, []float64{0.5, 0}, 1)).bad(t, broken{fault.RuleNull, 1, 1})
}

// An action that was drawn by one more draw than its propensity was estimated by
// may have 0, and nothing else below the least, nor a null.
func TestPropensitiesOfOneMoreDraw(t *testing.T) {
	p := bare()
	p.Log.Drawn = schemas.DrawnOneMore
	out := newAttempt(p, abc(), chosen(0, 1), flatOf(role.Propensity, []float64{0.5, 0})).good(t)
	if diff := cmp.Diff([]float64{0.5, 0}, out.Propensity); diff != "" {
		t.Error(diff)
	}
	lists := listsOf(role.PropensityByArm, shape{3, 1}, []float64{0.5, 0.25, 0.25}, []float64{0, 1, 0})
	out = newAttempt(p, abc(), chosen(2, 0), lists).good(t)
	if diff := cmp.Diff([]float64{0.25, 0}, out.Propensity); diff != "" {
		t.Error(diff)
	}
	newAttempt(p, abc(), chosen(0, 1), flatOf(role.Propensity, []float64{0.5, 1e-200})).bad(t, broken{fault.RulePropensity, 1, 1})
	newAttempt(p, abc(), chosen(0, 1), flatOf(role.Propensity, []float64{0.5, 0}, 1)).bad(t, broken{fault.RuleNull, 1, 1})
}

// A policy that does not draw logs whole numbers; others may log decimals.
func TestPropensitiesOfOtherKinds(t *testing.T) {
	out := newAttempt(bare(), abc(), chosen(0, 1), intsOf(role.Propensity, pages.Int, []int64{1, 1})).good(t)
	if diff := cmp.Diff([]float64{1, 1}, out.Propensity); diff != "" {
		t.Error(diff)
	}
	newAttempt(bare(), abc(), chosen(0, 1), intsOf(role.Propensity, pages.Uint, []int64{1, 2})).bad(t, broken{fault.RulePropensity, 1, 1})
	decimal := flatOf(role.Propensity, []float64{0.25, 0.5})
	decimal.column.Kind, decimal.column.Scale = pages.Decimal, 2
	if out = newAttempt(bare(), abc(), chosen(0, 1), decimal).good(t); out.Propensity[0] != 0.25 {
		t.Errorf("got %v", out.Propensity)
	}
}

// Where the propensities of all arms stand alone, those of the chosen arms are
// taken from them; a column of its own goes before.
func TestPropensitiesByArm(t *testing.T) {
	lists := listsOf(role.PropensityByArm, shape{3, 1}, []float64{0.5, 0.25, 0.25}, []float64{0, 1, 0})
	out := newAttempt(bare(), abc(), chosen(2, 1), lists).good(t)
	if diff := cmp.Diff([]float64{0.25, 1}, out.Propensity); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0.5, 0.25, 0.25, 0, 1, 0}, out.PropensityByArm); diff != "" {
		t.Error(diff)
	}
	out = newAttempt(bare(), abc(), chosen(2, 1), flatOf(role.Propensity, []float64{0.125, 0.5}), lists).good(t)
	if diff := cmp.Diff([]float64{0.125, 0.5}, out.Propensity); diff != "" {
		t.Error(diff)
	}
}

func TestPropensitiesByArmRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		list []float64
		want []broken
	}{
		"sum is not 1":    {[]float64{1, 1, 1}, nil}, // a data check says so
		"above 1":         {[]float64{0.5, 0.5, 1.5}, []broken{{fault.RulePropensity, 1, 1}}},
		"negative":        {[]float64{0.5, 0.5, -0.1}, []broken{{fault.RulePropensity, 1, 1}}},
		"NaN":             {[]float64{0.5, 0.5, math.NaN()}, []broken{{fault.RuleNotFinite, 1, 1}}},
		"infinite":        {[]float64{0.5, 0.5, math.Inf(1)}, []broken{{fault.RuleNotFinite, 1, 1}}},
		"chosen at 0":     {[]float64{0.5, 0, 0.5}, []broken{{fault.RulePropensity, 1, 1}}},
		"chosen at least": {[]float64{0.5, tableau.MinPropensity, 0.5}, nil},
		"chosen tiny":     {[]float64{0.5, 1e-101, 0.5}, []broken{{fault.RulePropensity, 1, 1}}},
		"chosen negative": {[]float64{0.5, -1, 0.5}, []broken{{fault.RulePropensity, 1, 1}}},
		"chosen NaN":      {[]float64{0.5, math.NaN(), 0.5}, []broken{{fault.RuleNotFinite, 1, 1}}},
		"too short":       {[]float64{0.5, 0.5}, []broken{{fault.RuleListLength, 1, 1}}},
		"null":            {nil, []broken{{fault.RuleNull, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			lists := listsOf(role.PropensityByArm, shape{3, 1}, []float64{0.5, 0.25, 0.25}, tc.list)
			newAttempt(bare(), abc(), chosen(0, 1), lists).bad(t, tc.want...)
		})
	}
}

// TestZeroOfAnotherOrder: an arm that was played with the entry 0 of its list may be
// that of another order, and the mend says so.
func TestZeroOfAnotherOrder(t *testing.T) {
	by := listsOf(role.PropensityByArm, shape{3, 1}, []float64{0.25, 0.75, 0})
	a := newAttempt(bare(), abc(), chosen(2), by)
	a.bad(t, broken{fault.RulePropensity, 0, 1})
	for _, e := range ingesttest.InputErrors(a.faults.Err()) {
		if !strings.HasPrefix(e.Mend, "where arms is in another order than the lists, write it in theirs; ") {
			t.Error(e.Mend)
		}
	}
}
