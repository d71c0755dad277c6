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

// contextOf is a flat numeric context.
func contextOf(g given) given {
	g.role = role.Context
	return g
}

func TestNumbers(t *testing.T) {
	decimal := flatOf(role.Context, []float64{0.1, 1e30})
	decimal.column.Kind, decimal.column.Scale = pages.Decimal, 1
	for _, tc := range []struct {
		column given
		want   []float64
	}{
		{flatOf(role.Context, []float64{math.MaxFloat64, math.SmallestNonzeroFloat64}), []float64{math.MaxFloat64, math.SmallestNonzeroFloat64}},
		{decimal, []float64{0.1, 1e30}},
		{contextOf(intsOf(role.Context, pages.Int, []int64{cell.ExactNumber, -cell.ExactNumber})), []float64{cell.ExactNumber, -cell.ExactNumber}},
		{contextOf(intsOf(role.Context, pages.Uint, []int64{cell.ExactNumber, 0})), []float64{cell.ExactNumber, 0}},
		{contextOf(intsOf(role.Context, pages.Bool, []int64{1, 0})), []float64{1, 0}},
	} {
		out := newAttempt(bare(), abc(), chosen(0, 1), tc.column).good(t)
		if diff := cmp.Diff(tc.want, out.X[0]); diff != "" {
			t.Errorf("%v: %s", tc.column.column.Kind, diff)
		}
	}
}

func TestNumbersRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		column given
		want   []broken
	}{
		"NaN":         {flatOf(role.Context, []float64{0, math.NaN()}), []broken{{fault.RuleNotFinite, 1, 1}}},
		"infinite":    {flatOf(role.Context, []float64{math.Inf(1), math.Inf(-1)}), []broken{{fault.RuleNotFinite, 0, 2}}},
		"null":        {flatOf(role.Context, []float64{0, 0}, 1), []broken{{fault.RuleNull, 1, 1}}},
		"above 2^53":  {intsOf(role.Context, pages.Int, []int64{0, cell.ExactNumber + 1}), []broken{{fault.RuleNotExact, 1, 1}}},
		"below −2^53": {intsOf(role.Context, pages.Int, []int64{-cell.ExactNumber - 1, 0}), []broken{{fault.RuleNotExact, 0, 1}}},
		"2^63":        {intsOf(role.Context, pages.Uint, []int64{0, math.MinInt64}), []broken{{fault.RuleNotExact, 1, 1}}},
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
			if values[at] = bad; cell.AllFinite(values) {
				t.Errorf("%v is finite", values)
			}
		}
	}
	if !cell.AllFinite(nil) || !cell.AllFinite([]float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)}) {
		t.Error("finite values are not")
	}
}
