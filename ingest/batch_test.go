package ingest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// Batches are numbered as they come, over blocks and kinds of columns.
func TestBatchCodes(t *testing.T) {
	first := textOf(role.Batch, []string{"b", "b", "2026-11-01", "7"})
	try := newAttempt(bare(), abc(), chosen(0, 0, 0, 0), first)
	if diff := cmp.Diff([]int32{0, 0, 1, 2}, try.good(t).Batch); diff != "" {
		t.Error(diff)
	}
	for _, tc := range []struct {
		column given
		want   []int32
	}{
		{intsOf(role.Batch, pages.Int, []int64{7, 8, 7, 8}), []int32{2, 3, 2, 3}},
		{intsOf(role.Batch, pages.Uint, []int64{8, -1, 7, -1}), []int32{3, 4, 2, 4}},
		{intsOf(role.Batch, pages.Date, []int64{20758, 20758, 20759, 7}), []int32{1, 1, 5, 6}}, // 2026-11-01, the next day, 1970-01-08
		{intsOf(role.Batch, pages.Bool, []int64{0, 1, 0, 1}), []int32{7, 8, 7, 8}},
		{textOf(role.Batch, []string{"false", "18446744073709551615", "8", "2026-11-02"}), []int32{7, 4, 3, 5}},
	} {
		try.rows.cols[1], try.rows.types[1] = &tc.column.block, &tc.column.column
		if diff := cmp.Diff(tc.want, try.good(t).Batch); diff != "" {
			t.Errorf("%v: %s", tc.column.column.Kind, diff)
		}
	}
}

// One instant is one batch, in whatever unit a file has it; a local time is
// another.
func TestBatchTimestamps(t *testing.T) {
	try := newAttempt(bare(), abc(), chosen(0, 0), intsOf(role.Batch, pages.Timestamp, []int64{1500, 2000}))
	for _, tc := range []struct {
		unit   pages.Unit
		utc    bool
		values []int64
		want   []int32
	}{
		{pages.Millisecond, true, []int64{1500, -1}, []int32{0, 1}},
		{pages.Microsecond, true, []int64{1_500_000, 1500}, []int32{0, 2}},
		{pages.Nanosecond, true, []int64{1_500_000_000, -1_000_000}, []int32{0, 1}},
		{pages.Millisecond, false, []int64{1500, -1}, []int32{3, 4}},
	} {
		g := intsOf(role.Batch, pages.Timestamp, tc.values)
		g.column.Unit, g.column.UTC = tc.unit, tc.utc
		try.rows.cols[1], try.rows.types[1] = &g.block, &g.column
		if diff := cmp.Diff(tc.want, try.good(t).Batch); diff != "" {
			t.Errorf("%v, UTC %v: %s", tc.unit, tc.utc, diff)
		}
	}
}

func TestBatchRefused(t *testing.T) {
	newAttempt(bare(), abc(), chosen(0, 0, 0), textOf(role.Batch, []string{"a", "", "\xff"}, 1)).bad(t, broken{fault.RuleNull, 1, 1}, broken{fault.RuleNotText, 2, 1})
	over := intsOf(role.Batch, pages.Decimal, []int64{1, 0})
	over.block.Overs, over.block.Over = 1, []bool{false, true}
	newAttempt(bare(), abc(), chosen(0, 0), over).bad(t, broken{fault.RuleNotText, 1, 1})
}

// The labels of batches are booked.
func TestBatchMemory(t *testing.T) {
	names, arms := make([]string, 20_000), make([]int, 20_000)
	for i := range names {
		names[i] = fmt.Sprint("batch ", i)
	}
	newAttempt(bare(), abc(), chosen(arms...), textOf(role.Batch, names)).full(t)
}
