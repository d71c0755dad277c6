package files

import (
	"io/fs"
	"path/filepath"
	"strings"

	"banditaudit/ingest/fault"
)

// textOf is what a file of text has by its name, and the function of DuckDB that reads it;
// "" for other files.
func textOf(path string) (kind, reads string) {
	name := strings.ToLower(filepath.Base(path))
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".csv", ".tsv":
		return "CSV", "read_csv"
	case ".json", ".jsonl", ".ndjson":
		return "JSON", "read_json"
	}
	return "", ""
}

// isText reports whether a file is CSV or JSON by its name, and not Parquet.
func isText(path string) bool {
	if kind, _ := textOf(path); kind == "" {
		return false
	}
	looks, err := beginsAsParquet(path)
	return err == nil && !looks
}

// convert is the command that makes Parquet of files of text, which one path or one
// pattern names, for a shell.
func convert(path string) string {
	_, reads := textOf(path)
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	sql := "COPY (SELECT * FROM " + reads + "(" + quoted(path) + ")) TO " + quoted(parquetOf(path)) + " (FORMAT parquet)"
	return `duckdb -c "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(sql) + `"`
}

// parquetOf returns where the rows of a file of text go: beside the file. The rows of a
// pattern go beside the directory that the pattern begins with.
func parquetOf(path string) string {
	if strings.ContainsAny(path, "*?[") {
		for strings.ContainsAny(path, "*?[") {
			path = filepath.Dir(path)
		}
		return path + ".parquet"
	}
	base := filepath.Base(path)
	stem, _, _ := strings.Cut(base[1:], ".")
	return filepath.Join(filepath.Dir(path), base[:1]+stem+".parquet")
}

// text reports a file of text, or once a pattern that names no other.
func (d *discovery) text(path string) {
	if kind, _ := textOf(d.match); kind != "" {
		if d.told == d.match {
			return
		}
		d.told, path = d.match, d.match
	}
	kind, _ := textOf(path)
	d.fault(path, fault.RuleText, "is "+kind+", and logs are read as Parquet", "convert it, for instance with DuckDB: "+convert(path), nil)
}

// textBelow is a pattern of the files of text below a directory that are named as the
// first of them is; "" where there is none.
func textBelow(dir string) string {
	found := ""
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // what cannot be looked into is told of elsewhere
		case path == dir:
		case skipped(e.Name()) && e.IsDir():
			return fs.SkipDir
		case !e.IsDir() && !skipped(e.Name()) && isText(path):
			_, ending, _ := strings.Cut(e.Name()[1:], ".")
			found = filepath.Join(dir, "**", "*."+ending)
			return fs.SkipAll
		}
		return nil
	})
	return found
}
