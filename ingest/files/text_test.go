package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log of text is answered with the command that converts it: that of the file, of the
// pattern, or of the files below the directory. What has Parquet in it is Parquet.
func TestText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"a.csv", "b.tsv.gz", "c.JSONL", "d.ndjson.zst", "e.json", "it's $5.csv", "many/1.csv", "many/2.csv", "deep/x/1.json.gz", "deep/_tmp/a.csv"} {
		put(name, "a,b\n1,2\n")
	}
	put("parquet.csv", "PAR1")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	command := func(reads, from, to string) string {
		return "duckdb -c \"COPY (SELECT * FROM " + reads + "('" + at(from) + "')) TO '" + at(to) + "' (FORMAT parquet)\""
	}
	for arg, want := range map[string]string{
		"a.csv":        command("read_csv", "a.csv", "a.parquet"),
		"b.tsv.gz":     command("read_csv", "b.tsv.gz", "b.parquet"),
		"c.JSONL":      command("read_json", "c.JSONL", "c.parquet"),
		"d.ndjson.zst": command("read_json", "d.ndjson.zst", "d.parquet"),
		"e.json":       command("read_json", "e.json", "e.parquet"),
		"it's $5.csv":  command("read_csv", "it''s \\$5.csv", "it''s \\$5.parquet"),
		"many/*.csv":   command("read_csv", "many/*.csv", "many.parquet"),
		"many":         command("read_csv", "many/**/*.csv", "many.parquet"),
		"deep":         command("read_json", "deep/**/*.json.gz", "deep.parquet"),
	} {
		_, err := Discover(t.Context(), []string{at(arg)})
		if err == nil || strings.Count(err.Error(), "duckdb") != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", arg, err, want)
		}
	}
	if found, err := Discover(t.Context(), []string{at("parquet.csv")}); err != nil || len(found) != 1 {
		t.Errorf("Parquet that is named CSV: %v, %v", found, err)
	}
}
