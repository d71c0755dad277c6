package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"banditaudit/ingest/files"
	"banditaudit/schemas"
)

// checkApart refuses an output that holds an input, which replacing it would
// destroy, and one inside a directory that is read, which would change it.
// inputs are files and directories; read are the operands of which everything
// inside is read. "" stands for none.
func checkApart(out string, inputs, read []string) error {
	if out == "" {
		return nil
	}
	out = resolved(filepath.Clean(out))
	for _, in := range append(append([]string{}, inputs...), read...) {
		if in != "" && inside(resolved(in), out) {
			return usagef("%s holds the input %s and would replace it; give another -o", out, in)
		}
	}
	for _, dir := range read {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && inside(out, resolved(dir)) {
			return usagef("%s lies inside the input %s, where the next run would read it; give another -o", out, dir)
		}
	}
	return nil
}

// checkLogApart keeps the outputs of a command that reads a log away from what
// its command line and its protocol name. checkSourcesApart does so for the
// files that are found there.
func checkLogApart(s *settings, doc *schemas.Document, operands []string) error {
	inputs, logs := []string{s.protocol, seedFile(doc)}, []string{}
	for _, operand := range operands {
		if list, ok := strings.CutPrefix(operand, "@"); ok {
			inputs = append(inputs, list)
			continue
		}
		logs = append(logs, operand)
	}
	for _, out := range []string{s.out, s.keepTableau} {
		if err := checkApart(out, inputs, logs); err != nil {
			return err
		}
	}
	if s.keepTableau == "" {
		return nil
	}
	keep, out := resolved(filepath.Clean(s.keepTableau)), resolved(filepath.Clean(s.out))
	if inside(keep, out) || inside(out, keep) || inside(resolved(failureFile(s.out)), keep) {
		return usagef("--keep-tableau %s and -o %s lie in one another; give two directories", s.keepTableau, s.out)
	}
	return nil
}

// seedFile is the file with the seed that a protocol names, or "".
func seedFile(doc *schemas.Document) string {
	if doc.Protocol.Policy == nil || doc.Protocol.Policy.Seed == nil || doc.Protocol.Policy.Seed.File == "" {
		return ""
	}
	if name := doc.Protocol.Policy.Seed.File; filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(doc.Name), doc.Protocol.Policy.Seed.File)
}

// resolved is an absolute path without symbolic links, as far as it exists.
func resolved(path string) string {
	if link, err := filepath.EvalSymlinks(path); err == nil { // before it is cleaned: link/.. is not where link stands
		path = link
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	if link, err := filepath.EvalSymlinks(abs); err == nil {
		return link
	}
	if parent := filepath.Dir(abs); parent != abs {
		return filepath.Join(resolved(parent), filepath.Base(abs))
	}
	return abs
}

// within reports whether path is dir or lies below it, by their names.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// inside reports whether a resolved path is dir or lies below it, by its name,
// or by what stands there where one directory has two names: in a second mount,
// or in a file system that takes two spellings for one.
func inside(path, dir string) bool {
	if within(path, dir) {
		return true
	}
	want, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for at := path; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, want) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

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
