package ingest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made ingests a small log and returns the directory.
func made(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "log.parquet")
	writeParquet(tb, path, events(20))
	dir := tb.TempDir()
	if _, err := Ingest(tb.Context(), protocol(), []Source{{path, "log.parquet"}}, dir, Options{}); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func TestOpenNoticesEveryChange(t *testing.T) {
	dir := made(t)
	path := filepath.Join(dir, RoundsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(data); i += 13 {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Open(dir)
		if e := wantFault(t, err, RuleTableau); e.File != RoundsFile {
			t.Errorf("byte %d: %v", i, e)
		}
	}
}

func TestOpenChecksManifest(t *testing.T) {
	dir := made(t)
	path := filepath.Join(dir, ManifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another schema":      {"manifest.v1", "manifest.v9"},
		"not JSON":            {"{\n", "[\n"},
		"text after it":       {"\"\n}\n", "\"\n}\n{}"},
		"rows":                {`"rows": 20,` + "\n  \"arms\"", `"rows": 21,` + "\n  \"arms\""},
		"an arm twice":        {`"b",`, `"a",`},
		"an arm fewer":        {`"a",`, ``},
		"a context fewer":     {`"age",` + "\n    \"land=FR\"", `"land=FR"`},
		"a range of nothing":  {"0,\n      1\n", "1,\n      1\n"},
		"a digest":            {`"sha256": "`, `"sha256": "0`},
		"no propensity":       {`"role": "propensity"`, `"role": "other"`},
		"rows of experiments": {`"offset": 0`, `"offset": 1`},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.ReplaceAll(string(data), change[0], change[1])
			if changed == string(data) {
				t.Fatalf("%q is not in the manifest:\n%s", change[0], data)
			}
			if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, err := Open(dir)
			_ = wantFault(t, err, RuleTableau)
		})
	}
}

func TestOpenMissing(t *testing.T) {
	for _, name := range []string{ManifestFile, RoundsFile} {
		dir := made(t)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		_, _, err := Open(dir)
		if e := wantFault(t, err, RuleTableau); e.File != name || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
