package ingest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
)

// A row's number over all files names its file, row group and row.
func TestPlaceOf(t *testing.T) {
	l := &logFiles{inputs: []input{
		{Source: files.Source{URI: "a"}, rows: 5, groups: []int64{2, 3}},
		{Source: files.Source{URI: "empty"}},
		{Source: files.Source{URI: "b"}, rows: 2, groups: []int64{0, 2}},
	}}
	want := []fault.Place{{File: "a", RowGroup: 0, Row: 0}, {File: "a", RowGroup: 0, Row: 1}, {File: "a", RowGroup: 1, Row: 2}, {File: "a", RowGroup: 1, Row: 3}, {File: "a", RowGroup: 1, Row: 4}, {File: "b", RowGroup: 1, Row: 0}, {File: "b", RowGroup: 1, Row: 1}, {}}
	for row := range want {
		if diff := cmp.Diff(want[row], l.placeOf(int64(row))); diff != "" {
			t.Errorf("row %d: %s", row, diff)
		}
	}
}

// Progress goes over the sort too: it never falls, and never passes the whole.
func TestProgressOverTheSort(t *testing.T) {
	rows := ingesttest.Events(60_000)
	rows[0], rows[59_999] = rows[59_999], rows[0]
	path := ingesttest.Log(t, rows)
	for jobs, walks := range map[int]int64{1: 4, 2: 3} { // one job hashes the inputs first
		var last, most int64
		_, _, err := ingestAll(t, protocol(), Options{Jobs: jobs, Progress: func(done, total int64) {
			if done < last || done > total {
				t.Errorf("%d of %d rows, after %d", done, total, last)
			}
			last, most = done, total
		}}, path)
		if err != nil || last != walks*60_000 || most != last {
			t.Errorf("%d jobs: %d of %d rows, %v", jobs, last, most, err)
		}
	}
}

// Where the memory does not hold the rows and the tableau's writer, the rows go
// to disk, and the bytes are the same.
func TestRowsMakeRoomForTheTableau(t *testing.T) {
	rows := trials(3, 40_000)
	rows[0], rows[100_000] = rows[100_000], rows[0]
	path := ingesttest.Log(t, rows)
	_, want := taken(t, trialProtocol("at", "step"), path)
	_, got, err := ingestAll(t, trialProtocol("at", "step"), Options{MaxMemory: 15 << 20, sortMemory: 11 << 20}, path)
	if err != nil || got.SHA256 != want.SHA256 {
		t.Errorf("other bytes, or none: %v", err)
	}
}
