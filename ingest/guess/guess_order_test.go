package guess

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/ingesttest"
)

// Values speak for an order before names do: a slot on a page, whatever its name,
// orders no rounds.
func TestGuessOrderByValues(t *testing.T) {
	type pandas struct { // as read_csv and to_parquet leave it
		Index    int64  `parquet:"Unnamed: 0"`
		Time     string `parquet:"timestamp"`
		Position int32  `parquet:"position"`
		Arm      int32  `parquet:"arm"`
		Y        bool   `parquet:"y"`
	}
	type numbered struct {
		N        int64 `parquet:"n"`
		Position int32 `parquet:"position"`
		Arm      int32 `parquet:"arm"`
		Y        bool  `parquet:"y"`
	}
	type slots struct {
		Position int32  `parquet:"position"`
		When     string `parquet:"shown at"`
		Arm      int32  `parquet:"arm"`
		Y        bool   `parquet:"y"`
	}
	var p []pandas
	var n []numbered
	var s []slots
	start := time.Date(2019, 11, 24, 0, 0, 0, 0, time.UTC)
	for i := range 300 {
		at, arm, slot := start.Add(time.Duration(i/2)*time.Minute), int32(i*7%5), int32(i*5%3)
		p = append(p, pandas{int64(i), at.Format("2006-01-02 15:04:05.999999-07:00"), slot, arm, i%2 == 0})
		n = append(n, numbered{int64(i + 1), slot, arm, i%2 == 0})
		s = append(s, slots{slot, at.Format("02/01/2006 15:04"), arm, i%2 == 0})
	}
	path := filepath.Join(t.TempDir(), "log.parquet")
	check := func(want, why []string, d *Draft) {
		t.Helper()
		if diff := cmp.Diff(want, d.Order); diff != "" || d.Ties != 0 {
			t.Errorf("%d ties, %s", d.Ties, diff)
		}
		for i := 0; i < len(why); i += 2 {
			if got := rolesWhy(d)[why[i]]; got != why[i+1] {
				t.Errorf("%s: %q, want %q", why[i], got, why[i+1])
			}
		}
	}
	ingesttest.WriteParquet(t, path, p)
	check([]string{"timestamp", "Unnamed: 0"}, []string{"timestamp", "order: by its name; text that reads as a time, and sorts as one (checks by time need a TIMESTAMP)"}, guessed(t, path))
	ingesttest.WriteParquet(t, path, n)
	check([]string{"n"}, []string{"n", "order: unique, and rises from row to row", "position", "context: a number that has no other role"}, guessed(t, path))
	ingesttest.WriteParquet(t, path, s)
	check([]string{}, []string{"shown at", ": a time in text that does not sort in time; cast it to TIMESTAMP in SQL if it orders the rounds"}, guessed(t, path))
}

// rolesWhy is the role of every column, and why.
func rolesWhy(d *Draft) map[string]string {
	out := map[string]string{}
	for _, c := range d.Columns {
		out[c.Column] = fmt.Sprintf("%s: %s", c.Role, c.Why)
	}
	return out
}

// Times in text compare as times where all have a zone, or none has: byte by byte in one
// writing, and else as instants.
func TestTextTimes(t *testing.T) {
	for _, c := range []struct {
		texts        []string
		times, sorts bool
	}{
		{[]string{"2019-11-24", "2019-11-25"}, true, true},
		{[]string{"2019-11-24T00:00:01Z", "2019-11-24T00:00:02Z"}, true, true},
		{[]string{"2019-11-24T00:00:01Z", "2019-11-24T00:00:01.5Z"}, true, true},
		{[]string{"2019-11-24 00:00:01+00:00", "2019-11-24 00:00:01.5+00:00"}, true, true},
		{[]string{"2019-11-24 00:00+00:00", "2019-11-24 00:00+01:00"}, true, true},
		{[]string{"2019-11-24 00:00+00:00", "2019-11-24 00:01"}, true, false},
		{[]string{"2019-11-24 00:00", "2019-11-24 00:01Z"}, true, false},
		{[]string{"11/24/2019 10:00"}, true, false},
		{[]string{"2019-11-24", "soon"}, false, true},
	} {
		got := textProfile{times: true, sorts: true}
		for _, text := range c.texts {
			got.add(text)
		}
		if got.times != c.times || got.times && got.sorts != c.sorts {
			t.Errorf("%q: times %v, sorts %v", c.texts, got.times, got.sorts)
		}
	}
}
