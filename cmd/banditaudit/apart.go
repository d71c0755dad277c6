package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkApart refuses an output that holds an input, which replacing it would
// destroy, and one inside a log's directory, where the next run would read it
// as part of the log. inputs are files and directories; logs are the operands
// of a command that reads a log. "" stands for none.
func checkApart(out string, inputs, logs []string) error {
	if out == "" {
		return nil
	}
	out = resolved(out)
	for _, in := range append(append([]string{}, inputs...), logs...) {
		if in != "" && within(resolved(in), out) {
			return usagef("%s holds the input %s and would replace it; give another -o", out, in)
		}
	}
	for _, log := range logs {
		if info, err := os.Stat(log); err == nil && info.IsDir() && within(out, resolved(log)) {
			return usagef("%s lies inside the log %s, where the next run would read it; give another -o", out, log)
		}
	}
	return nil
}

// checkLogApart keeps the outputs of a command that reads a log away from it.
func checkLogApart(s *settings, logs []string) error {
	for _, out := range []string{s.out, s.keepTableau} {
		if err := checkApart(out, []string{s.protocol}, logs); err != nil {
			return err
		}
	}
	if s.keepTableau != "" && (within(resolved(s.keepTableau), resolved(s.out)) || within(resolved(s.out), resolved(s.keepTableau))) {
		return usagef("--keep-tableau %s and -o %s lie in one another; give two directories", s.keepTableau, s.out)
	}
	return nil
}

// resolved is an absolute path without symbolic links, as far as it exists.
func resolved(path string) string {
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

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// maxDocument bounds a JSON document that is read whole.
const maxDocument = 2 << 30

// readDocument reads a regular file of bounded size: a device or a pipe would
// give bytes without end.
func readDocument(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > maxDocument:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read", path, info.Size(), int64(maxDocument))
	}
	return os.ReadFile(path)
}
