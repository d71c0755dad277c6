package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/ingesttest"
)

// openFiles is the number of files that this process has open.
func openFiles(tb testing.TB) int {
	tb.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		tb.Skip("the system does not tell: ", err)
	}
	return len(entries)
}

// A log of many files, each an experiment by its directory, is read with few of
// them open at a time, in order and out of it.
func TestManyFiles(t *testing.T) {
	const files = 150
	dir := t.TempDir()
	for i := range files {
		ingesttest.WriteParquet(t, filepath.Join(dir, fmt.Sprintf("exp=%d", files-i), "x.parquet"), ingesttest.Events(3))
	}
	p := protocol()
	p.Experiment.ID, p.Experiment.Column = "", "exp"
	before, most := openFiles(t), 0
	got, m, err := ingestAll(t, p, Options{Jobs: 2, Progress: func(int64, int64) { most = max(most, openFiles(t)) }}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != files || m.Experiments[0].ID != "1" || m.Experiments[files-1].ID != "150" {
		t.Errorf("%d experiments, from %s", len(got), m.Experiments[0].ID)
	}
	for i := range got {
		if diff := cmp.Diff([]int32{0, 1, 2}, got[i].Arm); diff != "" {
			t.Fatalf("experiment %s: %s", got[i].ID, diff)
		}
	}
	if most > before+12 {
		t.Errorf("%d files open at a time, %d before", most, before)
	}
}
