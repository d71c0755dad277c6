package tableau

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// timed is a sample with times, of which any two rounds share one.
func timed(rows ...int64) (Schema, Batch) {
	s, b := sample(true, 0, rows...)
	s.Time = true
	for row := range b.Arm {
		e := s.Experiments[b.Experiment[row]]
		b.Time = append(b.Time, timeOf(int64(b.Experiment[row]), int64(row)-e.Offset))
	}
	return s, b
}

func TestTimesAreRead(t *testing.T) {
	s, b := timed(3, BatchRows, 9)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	var got []int64
	for e := range tab.Experiments() {
		for i := range tab.Slice(e).Chunks() {
			got = append(got, tab.Slice(e).Chunk(i).Time...)
		}
	}
	if !slices.Equal(got, b.Time) {
		t.Error("other times are read than were written")
	}
	if s, b := sample(true, 0, 5); s.Time || b.Time != nil {
		t.Error("a sample without times has them")
	}
}

// An experiment may begin at any time; within it a round is not before the one
// before it.
func TestTimesMustNotDecrease(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(b *Batch)
		says  string
	}{
		"nothing":                {func(*Batch) {}, ""},
		"all are equal":          {func(b *Batch) { clear(b.Time) }, ""},
		"the second round":       {func(b *Batch) { b.Time[1]-- }, "row 1: its time is before"},
		"across a batch":         {func(b *Batch) { b.Time[BatchRows] = math.MinInt64 }, "row 65536: its time is before"},
		"within the second part": {func(b *Batch) { b.Time[BatchRows+12] = -1e17 }, "row 65548: its time is before"},
	} {
		s, b := timed(BatchRows+10, 9)
		tc.spoil(&b)
		path, _ := write(t, s, b)
		tab, err := Open(path, s)
		switch {
		case tc.says == "" && err == nil:
			err = tab.Close()
			if err != nil {
				t.Error(err)
			}
		case tc.says == "" || !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says):
			t.Errorf("%s: got %v, which should say %q", name, err, tc.says)
		}
	}
}
