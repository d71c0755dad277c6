package ingest

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
)

// contextOf is a flat numeric context.
func contextOf(g given) given {
	g.role = roleContext
	return g
}

func TestNumbers(t *testing.T) {
	decimal := flatOf(roleContext, []float64{0.1, 1e30})
	decimal.column.Kind = pages.Decimal
	for _, tc := range []struct {
		column given
		want   []float64
	}{
		{flatOf(roleContext, []float64{math.MaxFloat64, math.SmallestNonzeroFloat64}), []float64{math.MaxFloat64, math.SmallestNonzeroFloat64}},
		{decimal, []float64{0.1, 1e30}},
		{contextOf(intsOf(roleContext, pages.Int, []int64{exactNumber, -exactNumber})), []float64{exactNumber, -exactNumber}},
		{contextOf(intsOf(roleContext, pages.Uint, []int64{exactNumber, 0})), []float64{exactNumber, 0}},
		{contextOf(intsOf(roleContext, pages.Bool, []int64{1, 0})), []float64{1, 0}},
	} {
		out := newAttempt(bare(), abc(), chosen(0, 1), tc.column).good(t)
		if diff := cmp.Diff(tc.want, out.x[0]); diff != "" {
			t.Errorf("%v: %s", tc.column.column.Kind, diff)
		}
	}
}

func TestNumbersRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		column given
		want   []broken
	}{
		"NaN":         {flatOf(roleContext, []float64{0, math.NaN()}), []broken{{fault.RuleNotFinite, 1, 1}}},
		"infinite":    {flatOf(roleContext, []float64{math.Inf(1), math.Inf(-1)}), []broken{{fault.RuleNotFinite, 0, 2}}},
		"null":        {flatOf(roleContext, []float64{0, 0}, 1), []broken{{fault.RuleNull, 1, 1}}},
		"above 2^53":  {intsOf(roleContext, pages.Int, []int64{0, exactNumber + 1}), []broken{{fault.RuleNotExact, 1, 1}}},
		"below −2^53": {intsOf(roleContext, pages.Int, []int64{-exactNumber - 1, 0}), []broken{{fault.RuleNotExact, 0, 1}}},
		"2^63":        {intsOf(roleContext, pages.Uint, []int64{0, math.MinInt64}), []broken{{fault.RuleNotExact, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			newAttempt(bare(), abc(), chosen(0, 1), tc.column).bad(t, tc.want...)
		})
	}
}

func TestAllFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for at := range 7 {
			values := []float64{math.MaxFloat64, -math.MaxFloat64, 0, 1, 2, 3, 4}
			if values[at] = bad; allFinite(values) {
				t.Errorf("%v is finite", values)
			}
		}
	}
	if !allFinite(nil) || !allFinite([]float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)}) {
		t.Error("finite values are not")
	}
}
