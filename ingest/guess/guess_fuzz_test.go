package guess

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
	"banditaudit/ingest/role"
)

// FuzzGuess: whatever a file holds, Guess does not panic, keeps to its memory,
// and either says what is wrong with the file or makes a draft.
func FuzzGuess(f *testing.F) {
	for _, name := range []string{"pyarrow-nested.parquet", "duckdb-odd.parquet", "pyarrow-empty.parquet", "duckdb-zstd-v2.parquet"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "parquet", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	told := filepath.Join(f.TempDir(), "told.parquet") // its lists tell the order of the arms
	ingesttest.WriteParquet(f, told, listedLog(30, uneven))
	data, err := os.ReadFile(told)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "log.parquet")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		d, err := Guess(ctx, role.All(), []files.Source{{Path: path, URI: "log.parquet"}}, 48<<20)
		switch {
		case err == nil && (d == nil || d.Files != 1 || int64(d.Sampled) > d.Rows):
			t.Errorf("got %+v", d)
		case err != nil && len(ingesttest.InputErrors(err)) == 0 && !errors.Is(err, fault.ErrResource) && !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("an error of another kind: %v", err)
		}
	})
}
