package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"
)

// outputDir is a directory that appears whole or not at all: it is filled
// under a temporary name beside its final one and renamed when complete.
type outputDir struct {
	final string
	temp  string
	force bool
}

// checkFree refuses an output that exists, unless it may be replaced.
func checkFree(path string, force bool) error {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return notWritten(err)
	case force:
		return nil
	}
	return usagef("%s exists; give --force to replace it, or another -o", path)
}

// ownMarks are, by command, files that stand together in every directory that
// it writes. One common name alone, such as manifest.json, shows nothing.
func ownMarks() [][]string {
	return [][]string{
		{"results.json", "_SUCCESS"},           // audit
		{"rounds.arrow", "manifest.json"},      // ingest
		{"replay.json", "transcript.arrow"},    // replay
		{"truth.json", "protocol.yaml", "log"}, // simulate
	}
}

// reportNames are all that report writes, of which a format has some.
func reportNames() []string { return []string{"report.html", "report.md", "figures", "tables"} }

// ownNames are all names that a directory of this program's can hold. A seed
// may have any name; then --force is refused, and its owner removes it.
func ownNames() []string {
	return append(reportNames(), "results.json", "_SUCCESS", "manifest.json", "protocol.effective.yaml", "run.json", "checksums.txt",
		"rounds.arrow", "replay.json", "transcript.arrow", "truth.json", "protocol.yaml", "log", "seed.hex")
}

// isOwn reports whether this program wrote a directory with these names in it,
// and nobody put anything beside them. An empty directory is nobody's.
func isOwn(names []string) bool {
	if slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(ownNames(), n) }) {
		return false
	}
	for _, marks := range ownMarks() {
		if !slices.ContainsFunc(marks, func(m string) bool { return !slices.Contains(names, m) }) {
			return true
		}
	}
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(reportNames(), n) })
}

// checkReplaceable refuses, even with --force, to replace a directory that this
// program did not write: "-o ." must not cost anybody their work.
func checkReplaceable(path string) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usagef("%s exists and is no directory; give another -o", path)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	if isOwn(names) {
		return nil
	}
	return usagef("%s holds files that banditaudit did not write, so --force does not replace it; give another -o", path)
}

// newOutputDir makes the temporary sibling of path.
func newOutputDir(path string, force bool) (*outputDir, error) {
	if err := checkFree(path, force); err != nil {
		return nil, err
	}
	if err := checkReplaceable(path); err != nil {
		return nil, err
	}
	path = filepath.Clean(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // an output directory is as readable as the user's umask lets it be
		return nil, notWritten(err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".partial-")
	if err != nil {
		return nil, notWritten(err)
	}
	if err := os.Chmod(temp, 0o755); err != nil { //nolint:gosec // as above: the finished directory is for others to read
		return nil, notWritten(errors.Join(err, os.RemoveAll(temp)))
	}
	return &outputDir{final: path, temp: temp, force: force}, nil
}

// path is the place of a file of the output while it is being written.
func (d *outputDir) path(name string) string { return filepath.Join(d.temp, name) }

// write puts one file, whole, into the output and makes it durable.
func (d *outputDir) write(name string, data []byte) error {
	path := d.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // see newOutputDir
		return notWritten(err)
	}
	return notWritten(renameio.WriteFile(path, data, 0o644))
}

// commit gives the output its final name. What it replaces is moved aside
// first and removed afterwards, so that at no moment the name is half-written.
func (d *outputDir) commit() error {
	aside := ""
	if _, err := os.Lstat(d.final); err == nil {
		if !d.force {
			return errors.Join(usagef("%s appeared while the run was under way; give --force to replace it", d.final), d.discard())
		}
		aside = d.temp + ".old"
		if err := os.Rename(d.final, aside); err != nil {
			return errors.Join(notWritten(err), d.discard())
		}
	}
	if err := os.Rename(d.temp, d.final); err != nil {
		if aside != "" {
			err = errors.Join(err, os.Rename(aside, d.final))
		}
		return errors.Join(notWritten(err), d.discard())
	}
	d.temp = ""
	if aside != "" {
		return notWritten(os.RemoveAll(aside))
	}
	return nil
}

// discard removes the unfinished output; after commit it does nothing.
func (d *outputDir) discard() error {
	if d.temp == "" {
		return nil
	}
	temp := d.temp
	d.temp = ""
	return os.RemoveAll(temp)
}

// writeFile writes one output file atomically.
func writeFile(path string, data []byte, force bool) error {
	if err := checkFree(path, force); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("%s is a directory; give the name of a file", path)
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(path)), 0o755); err != nil { //nolint:gosec // see newOutputDir
		return notWritten(err)
	}
	return notWritten(renameio.WriteFile(path, data, 0o644))
}
