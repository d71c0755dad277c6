package ingest

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// What a value is called, by kind.
func TestLabelAt(t *testing.T) {
	for _, tc := range []struct {
		column pages.Column
		value  int64
		want   string
	}{
		{pages.Column{Kind: pages.Int}, -7, "-7"},
		{pages.Column{Kind: pages.Uint}, -1, "18446744073709551615"},
		{pages.Column{Kind: pages.Decimal}, math.MinInt64, "-9223372036854775808"},
		{pages.Column{Kind: pages.Bool}, 0, "false"},
		{pages.Column{Kind: pages.Bool}, 1, "true"},
		{pages.Column{Kind: pages.Date}, 0, "1970-01-01"},
		{pages.Column{Kind: pages.Date}, -1, "1969-12-31"},
		{pages.Column{Kind: pages.Date}, 20758, "2026-11-01"},
		{pages.Column{Kind: pages.Timestamp, Unit: pages.Millisecond, UTC: true}, 1, "1970-01-01T00:00:00.001Z"},
		{pages.Column{Kind: pages.Timestamp, Unit: pages.Microsecond}, 1_000_000, "1970-01-01T00:00:01"},
		{pages.Column{Kind: pages.Timestamp, Unit: pages.Nanosecond, UTC: true}, -1, "1969-12-31T23:59:59.999999999Z"},
	} {
		if got := cell.LabelAt(&pages.Block{Int: []int64{tc.value}}, &tc.column, 0); got != tc.want {
			t.Errorf("%+v %d is %q, not %q", tc.column, tc.value, got, tc.want)
		}
	}
	if got := cell.LabelAt(&pages.Block{Text: [][]byte{[]byte("ü")}}, &pages.Column{Kind: pages.Text}, 0); got != "ü" {
		t.Errorf("got %q", got)
	}
}

// A number that does not fit 64 bits has no label, and no label is a text.
func TestLabelOfLargeDecimals(t *testing.T) {
	b := &pages.Block{Int: []int64{0}, Over: []bool{true}, Overs: 1}
	label := cell.LabelAt(b, &pages.Column{Kind: pages.Decimal}, 0)
	if cell.IsText(label) {
		t.Errorf("%q is a label", label)
	}
	if _, ok := cell.NewLabels([]string{"0", ""}).Find(b, &pages.Column{Kind: pages.Decimal}, 0); ok {
		t.Error("it was found")
	}
	over := intsOf(role.Action, pages.Decimal, []int64{0, 0})
	over.block.Over, over.block.Overs = []bool{false, true}, 1
	newAttempt(bare(), []string{"0"}, over).bad(t, broken{fault.RuleNotText, 1, 1})
}

// Whole numbers of 64 bits sort by value, with a sign or without; one label that
// is none makes all of them text.
func TestSortedLabels(t *testing.T) {
	for _, want := range [][]string{
		{"-9223372036854775808", "-1", "9", "10", "9223372036854775807", "9223372036854775808", "10000000000000000000", "18446744073709551615"},
		{"10", "18446744073709551616", "9"}, // 2⁶⁴ is none
		{"007", "10", "9"},
		{"10", "9", "a"},
	} {
		mixed := slices.Clone(want)
		slices.Reverse(mixed)
		if diff := cmp.Diff(want, cell.SortedLabels(mixed)); diff != "" {
			t.Error(diff)
		}
	}
}
