package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"banditaudit/cmd/banditaudit/atomicdir"
	"banditaudit/ingest/tableaudir"
)

// outputDir is a directory that appears whole or not at all: it is filled
// under a temporary name beside its final one and renamed when complete.
type outputDir struct {
	final  string
	temp   string // "" once it is settled or discarded
	work   *atomicdir.Dir
	aside  string // what stood under the final name, until settle
	placed bool   // stands under its final name, not settled yet
	force  bool
}

// checkFree refuses an output that exists, unless it may be replaced.
func checkFree(path string, force bool) error {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return usagef("%s cannot be: what stands above it is a file, not a directory; give another -o", path)
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EINVAL):
		return usagef("%s; give another -o", err)
	case err != nil:
		return notWritten(err)
	case force:
		return nil
	}
	return usagef("%s exists; give --force to replace it, or another -o", path)
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

// checkPlace refuses a place for a directory in which something stands that may
// not be replaced. "" stands for no place.
func checkPlace(path string, force bool) error {
	if path == "" {
		return nil
	}
	path = followed(path)
	if err := checkFree(path, force); err != nil {
		return err
	}
	return checkReplaceable(path)
}

// followed is the place that a path stands for where it is a symbolic link, also one
// to nothing yet: the link stays, and what it points to is written. A chain of more
// than 40 links is left as it is, and refused where it is opened.
func followed(path string) string {
	at := filepath.Clean(path)
	for range 40 {
		to, err := os.Readlink(at)
		if err != nil {
			return at
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		at = filepath.Clean(to)
	}
	return path
}

// newOutputDir makes the temporary sibling of path. It is as readable as the umask lets it be;
// where it replaces a directory, as that one is.
func newOutputDir(path string, force bool) (*outputDir, error) {
	path = followed(path) // first, so that what is checked is what is replaced
	if err := checkPlace(path, force); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // an output directory is as readable as the user's umask lets it be
		return nil, notWritten(err)
	}
	mode, replaces := modeOf(path)
	work, err := atomicdir.Make(filepath.Dir(path), atomicdir.Prefix(path), mode)
	if err != nil {
		return nil, notWritten(err)
	}
	d := &outputDir{final: path, temp: work.Path, work: work, force: force}
	if replaces {
		if err := os.Chmod(d.temp, mode); err != nil {
			return nil, errors.Join(notWritten(err), d.discard())
		}
	}
	return d, nil
}

// modeOf is the mode of a directory that stands at path, which its owner can fill; of none it
// is everybody's.
func modeOf(path string) (mode fs.FileMode, stands bool) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return 0o777, false
	}
	return info.Mode().Perm() | 0o700, true
}

// sweep removes what runs that were killed left where this one writes.
func sweep(n notes, s *settings) {
	var removed []string
	outputs := []string{s.keepTableau}
	if s.out != "" {
		outputs = append(outputs, s.out, failureFile(s.out))
	}
	for _, path := range outputs {
		if path != "" {
			path = followed(path)
			removed = append(removed, atomicdir.Sweep(filepath.Dir(path), atomicdir.Prefix(path), path)...)
		}
	}
	for _, prefix := range []string{scratchPrefix, againPrefix, programPrefix} {
		removed = append(removed, atomicdir.Sweep(os.TempDir(), prefix, "")...)
	}
	if len(removed) > 0 {
		n.warn("removed what a run that was killed had left: %s", strings.Join(removed, ", "))
	}
}

// path is the place of a file of the output while it is being written.
func (d *outputDir) path(name string) string { return filepath.Join(d.temp, name) }

// write puts one file, whole, into the output and makes it durable.
func (d *outputDir) write(name string, data []byte) error {
	path := d.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // see newOutputDir
		return notWritten(err)
	}
	return notWritten(atomicdir.WriteFile(path, data, 0o644))
}

// create opens a file of the output for writing in pieces. Closing it makes it
// durable.
func (d *outputDir) create(name string) (io.WriteCloser, error) {
	path := d.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // see newOutputDir
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // as readable as what write leaves
	return durable{f}, err
}

// durable is a file that is on the disk when Close returns.
type durable struct{ *os.File }

// Close syncs and closes.
func (f durable) Close() error { return errors.Join(f.Sync(), f.File.Close()) }

// commit gives the output its final name, for good.
func (d *outputDir) commit() error {
	if err := d.place(); err != nil {
		return err
	}
	return d.settle()
}

// shown gives the output its final name, shows its summary, and takes it back
// where that cannot be printed: beside exit code 5, which asks for a retry, the
// retry would find it there.
func (d *outputDir) shown(show func() error) error {
	if err := d.place(); err != nil {
		return err
	}
	if err := show(); err != nil {
		return errors.Join(err, d.discard())
	}
	return d.settle()
}

// place gives the output its final name. What it replaces changes names with it, in one
// step where the file system can, and is moved aside first elsewhere: at no moment the
// name is half-written. It stays there until settle: discard can still take everything
// back.
func (d *outputDir) place() error {
	if _, err := os.Lstat(d.final); err == nil {
		if !d.force {
			return errors.Join(appeared(d.final), d.discard())
		}
		if atomicdir.Exchange(d.temp, d.final) == nil {
			d.aside, d.placed = d.temp, true
			return nil
		}
		if err := os.Rename(d.final, d.work.Aside()); err != nil {
			return errors.Join(notWritten(err), d.discard())
		}
		d.aside = d.work.Aside()
	}
	if err := os.Rename(d.temp, d.final); err != nil {
		return errors.Join(notWritten(err), d.discard())
	}
	d.placed = true
	return nil
}

// settle lets go of what the output replaced.
func (d *outputDir) settle() error {
	aside := d.aside
	d.temp, d.aside, d.placed = "", "", false
	var err error
	if aside != "" {
		err = os.RemoveAll(aside)
	}
	return notWritten(errors.Join(err, d.work.Release()))
}

// discard removes an output that is not settled and puts back what it replaced;
// after commit it does nothing.
func (d *outputDir) discard() error {
	if d.temp == "" {
		return nil
	}
	temp, aside, placed := d.temp, d.aside, d.placed
	d.temp, d.aside, d.placed = "", "", false
	var err error
	switch {
	case placed && aside == temp:
		err = atomicdir.Exchange(temp, d.final)
	case placed:
		err = os.Rename(d.final, temp)
	}
	if err == nil && aside != "" && aside != temp {
		err = os.Rename(aside, d.final)
	}
	return notWritten(errors.Join(err, d.work.Remove()))
}

// newPendingFile opens an output file that appears when it is complete; what it
// replaces has been checked.
func newPendingFile(path string) (*atomicdir.File, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	f, err := atomicdir.NewFile(followed(path), 0o644)
	return f, notWritten(err)
}

// checkFile refuses a directory, a device or a pipe in the place of an output file, and
// makes the directory it goes into.
func checkFile(path string) error {
	switch info, err := os.Stat(path); {
	case err != nil || info.Mode().IsRegular():
	case info.IsDir():
		return usagef("%s is a directory; give the name of a file", path)
	default:
		return usagef("%s is no regular file, and is not replaced by one; give the name of a file", path)
	}
	return notWritten(os.MkdirAll(filepath.Dir(filepath.Clean(path)), 0o755)) //nolint:gosec // see newOutputDir
}

// checkFreeFile refuses a place for a file in which something stands that may not be
// replaced.
func checkFreeFile(path string, force bool) error {
	if err := checkFree(followed(path), force); err != nil {
		return err
	}
	return checkFile(path)
}

// ownFile refuses to replace, even by force, a file that is no document of this program's
// with that schema, and reports whether one stands there.
func ownFile(path, schema, what string) (stands bool, err error) {
	b, err := readStart(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil && len(b) == 0: // which nobody misses
		return true, nil
	case err != nil || !bytes.Contains(b, []byte(`"`+schema+`"`)):
		return true, usagef("%s exists and is no %s that banditaudit wrote; remove it, or give another -o", path, what)
	}
	return true, nil
}

// writeFile writes one output file atomically.
func writeFile(path string, data []byte, force bool) error {
	if err := checkFreeFile(path, force); err != nil {
		return err
	}
	if force {
		return notWritten(atomicdir.WriteFile(followed(path), data, 0o644))
	}
	err := atomicdir.WriteNew(followed(path), data, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return appeared(path)
	}
	return notWritten(err)
}

// appeared is the error of an output under whose name something stands since the run began.
func appeared(path string) error {
	return usagef("%s appeared while the run was under way; give --force to replace it", path)
}

// The names of what stands in the directories that this program writes, beside
// the names of ingest. A name that is written and not among them makes --force refuse to
// replace the directory.
const (
	resultsFile    = "results.json"
	successFile    = "_SUCCESS"
	effectiveFile  = "protocol.effective.yaml"
	runFile        = "run.json"
	checksumsFile  = "checksums.txt"
	junitFile      = "junit.xml"
	commitmentFile = "commitment.dsse.json"
	lineageFile    = "openlineage.json"
	replayFile     = "replay.json"
	transcriptFile = "transcript.arrow"
	truthFile      = "truth.json"
	protocolFile   = "protocol.yaml"
	seedHexFile    = "seed.hex"
	htmlFile       = "report.html"
	markdownFile   = "report.md"
	planFile       = "plan.json"
	planPage       = "plan.md"
	reproduceFile  = "reproduce.json"
	reproducePage  = "reproduce.md"
	logDir         = "log"
	figuresDir     = "figures"
	tablesDir      = "tables"
)

// ownMarks are, by command, files that stand together in every directory that
// it writes. One common name alone, such as the manifest's, shows nothing.
func ownMarks() [][]string {
	return [][]string{
		{resultsFile, successFile},                       // audit
		{tableaudir.RoundsFile, tableaudir.ManifestFile}, // ingest
		{replayFile, transcriptFile},                     // replay
		{truthFile, protocolFile, logDir},                // simulate
		{planFile, planPage},                             // plan
		{reproduceFile, reproducePage},                   // reproduce
	}
}

// volatileFiles hold what is no function of the inputs: they are in checksums.txt, and in
// no comparison and no signature.
func volatileFiles() []string { return []string{runFile, lineageFile} }

// reportNames lists all files and directories that report writes, of which a format has some.
func reportNames() []string { return []string{htmlFile, markdownFile, figuresDir, tablesDir} }

// ownNames are all names that a directory of this program's can hold. A seed
// may have any name; then --force is refused, and its owner removes it.
func ownNames() []string {
	return append(reportNames(), resultsFile, successFile, tableaudir.ManifestFile, effectiveFile, runFile, checksumsFile, junitFile, lineageFile, commitmentFile,
		tableaudir.RoundsFile, tableaudir.UnitsFile, replayFile, transcriptFile, truthFile, protocolFile, logDir, seedHexFile,
		reproduceFile, reproducePage, planFile, planPage)
}
