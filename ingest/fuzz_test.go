package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// FuzzIngestFile: whatever a file holds, Ingest does not panic, keeps to its
// memory, and either says what is wrong with the input or writes a tableau that
// opens.
func FuzzIngestFile(f *testing.F) {
	dir := f.TempDir()
	for name, rows := range map[string]int{"small": 5, "larger": 300} {
		path := filepath.Join(dir, name)
		ingesttest.WriteParquet(f, path, ingesttest.Events(rows))
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	for _, name := range []string{"pyarrow-nested.parquet", "duckdb-zstd-v2.parquet", "pyarrow-lz4.parquet"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "parquet", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	fixture := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "e"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "action", Reward: "reward", Context: schemas.Context{List: "features"}},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "log.parquet")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, p := range []*schemas.Protocol{protocol(), fixture} {
			fuzzOne(t, p, path)
		}
	})
}

func fuzzOne(t *testing.T, p *schemas.Protocol, path string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second) // a small file may claim very many rows
	defer cancel()
	dir := t.TempDir()
	_, err := Ingest(ctx, p, []files.Source{{Path: path, URI: "log.parquet"}}, dir, Options{MaxMemory: 64 << 20})
	if err != nil {
		if len(ingesttest.InputErrors(err)) == 0 && !errors.Is(err, fault.ErrResource) && !errors.Is(err, pages.ErrLimit) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an error of another kind: %v", err)
		}
		return
	}
	tab, _, err := tableaudir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	readTableau(t, tab)
	closeTableau(t, tab)
}
