package kit

import (
	"os"
	"path/filepath"
	"strings"
)

// CheckApart refuses an output that holds an input, which replacing it would
// destroy, and one inside a directory that is read, which would change it.
// inputs are files and directories; read are the operands of which everything
// inside is read. "" stands for none.
func CheckApart(out string, inputs, read []string) error {
	if out == "" {
		return nil
	}
	out = Resolved(filepath.Clean(out))
	for _, in := range append(append([]string{}, inputs...), read...) {
		if in != "" && Inside(Resolved(in), out) {
			return Usagef("%s holds the input %s and would replace it; give another -o", out, in)
		}
	}
	for _, dir := range read {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && Inside(out, Resolved(dir)) {
			return Usagef("%s lies inside the input %s, where the next run would read it; give another -o", out, dir)
		}
	}
	return nil
}

// Resolved is an absolute path without symbolic links, as far as it exists.
func Resolved(path string) string {
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
		return filepath.Join(Resolved(parent), filepath.Base(abs))
	}
	return abs
}

// within reports whether path is dir or lies below it, by their names.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Inside reports whether a resolved path is dir or lies below it, by its name,
// or by what stands there where one directory has two names: in a second mount,
// or in a file system that takes two spellings for one.
func Inside(path, dir string) bool {
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
