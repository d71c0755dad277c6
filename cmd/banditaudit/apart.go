package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"banditaudit/cmd/kit"
	"banditaudit/ingest/files"
	"banditaudit/schemas"
)

// checkLogApart keeps the outputs of a command that reads a log away from what
// its command line and its protocol name. checkSourcesApart does so for the
// files that are found there.
func checkLogApart(s *settings, doc *schemas.Document, operands []string) error {
	inputs, logs := []string{s.Protocol, doc.SeedFile()}, []string{}
	for _, operand := range operands {
		if list, ok := strings.CutPrefix(operand, "@"); ok {
			inputs = append(inputs, list)
			continue
		}
		logs = append(logs, operand)
	}
	for _, out := range []string{s.Out, s.keepTableau} {
		if err := kit.CheckApart(out, inputs, logs); err != nil {
			return err
		}
	}
	if s.keepTableau == "" {
		return nil
	}
	keep, out := kit.Resolved(filepath.Clean(s.keepTableau)), kit.Resolved(filepath.Clean(s.Out))
	if kit.Inside(keep, out) || kit.Inside(out, keep) || kit.Inside(kit.Resolved(failureFile(s.Out)), keep) {
		return kit.Usagef("--keep-tableau %s and -o %s lie in one another; give two directories", s.keepTableau, s.Out)
	}
	return nil
}

// checkSourcesApart keeps the outputs of a command that reads a log away from
// the files of the log that were found, be it by a list or by a pattern: none
// holds one of them, and none lies where the same arguments would find it in
// the next run.
func checkSourcesApart(ctx context.Context, s *settings, sources []files.Source) error {
	for _, out := range []string{s.Out, s.keepTableau} {
		if out == "" {
			continue
		}
		place := outputPlace{out: out, real: kit.Resolved(filepath.Clean(out)), holds: map[string]bool{}, lies: map[string]bool{}}
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
	held := remembered(o.holds, filepath.Dir(src.Path), func(dir string) bool { return kit.Inside(kit.Resolved(dir), o.real) })
	if !held {
		if info, err := os.Lstat(src.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			held = kit.Inside(kit.Resolved(src.Path), o.real)
		}
	}
	if held {
		return kit.Usagef("%s holds the input %s and would replace it; give another -o", o.out, src.Path)
	}
	if src.Found != src.Path && remembered(o.lies, src.Found, o.found) {
		return kit.Usagef("%s lies where the log is looked for, in %s, and the next run would read it; give another -o", o.out, src.Found)
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
		return kit.Inside(o.real, kit.Resolved(where))
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
	below, err := filepath.Rel(kit.Resolved(root), filepath.Join(out, kit.TablesDir, "claims.parquet"))
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
