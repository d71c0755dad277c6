package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"banditaudit/ingest/files"
)

// checkSourcesApart keeps the outputs of a command that reads a log away from
// the files of the log that were found, be it by a list or by a pattern: none
// holds one of them, and none lies where the same arguments would find it in
// the next run.
func checkSourcesApart(ctx context.Context, s *settings, sources []files.Source) error {
	for _, out := range []string{s.out, s.keepTableau} {
		if out == "" {
			continue
		}
		place := outputPlace{out: out, real: resolved(filepath.Clean(out)), holds: map[string]bool{}, lies: map[string]bool{}}
		for i := range sources {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := place.apart(&sources[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// outputPlace is where an output is to stand. It remembers what it was asked,
// because a log has many files in few directories.
type outputPlace struct {
	out, real string
	holds     map[string]bool // by directory: it or what is below it would be replaced
	lies      map[string]bool // by directory searched or pattern: the output would be found there
}

// apart refuses the place for one file of the log.
func (o *outputPlace) apart(src *files.Source) error {
	held := remembered(o.holds, filepath.Dir(src.Path), func(dir string) bool { return inside(resolved(dir), o.real) })
	if !held {
		if info, err := os.Lstat(src.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			held = inside(resolved(src.Path), o.real)
		}
	}
	if held {
		return usagef("%s holds the input %s and would replace it; give another -o", o.out, src.Path)
	}
	if src.Found != src.Path && remembered(o.lies, src.Found, o.found) {
		return usagef("%s lies where the log is looked for, in %s, and the next run would read it; give another -o", o.out, src.Found)
	}
	return nil
}

// remembered is answer(key), which is asked once.
func remembered(answers map[string]bool, key string, answer func(string) bool) bool {
	yes, ok := answers[key]
	if !ok {
		yes = answer(key)
		answers[key] = yes
	}
	return yes
}

// found reports whether a directory that is searched, or a pattern, would find
// Parquet files of an output at this place.
func (o *outputPlace) found(where string) bool {
	if info, err := os.Stat(where); err == nil && info.IsDir() {
		return inside(o.real, resolved(where))
	}
	if named, err := filepath.Abs(o.out); err == nil && matchesTables(where, named) {
		return true
	}
	return matchesTables(where, o.real)
}

// matchesTables reports whether a pattern matches one of the tables in an output
// directory, or a directory above it, which would then be searched.
func matchesTables(pattern, out string) bool {
	root, rest := pattern, []string{}
	for strings.ContainsAny(root, "*?[") {
		rest = append([]string{filepath.Base(root)}, rest...)
		root = filepath.Dir(root)
	}
	below, err := filepath.Rel(resolved(root), filepath.Join(out, tablesDir, "claims.parquet"))
	if err != nil {
		return false
	}
	names := strings.Split(below, string(filepath.Separator))
	if names[0] == ".." || len(names) < len(rest) {
		return false
	}
	for i, part := range rest {
		if ok, err := filepath.Match(part, names[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
