package kit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"banditaudit/cmd/kit/atomicdir"
)

// OutputDir is a directory that appears whole or not at all: it is filled
// under a temporary name beside its final one and renamed when complete.
type OutputDir struct {
	Final  string
	Temp   string // "" once it is settled or discarded
	work   *atomicdir.Dir
	aside  string // what stood under the final name, until settle
	placed bool   // stands under its final name, not settled yet
	force  bool
}

// CheckFree refuses an output that exists, unless it may be replaced.
func CheckFree(path string, force bool) error {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return Usagef("%s cannot be: what stands above it is a file, not a directory; give another -o", path)
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EINVAL):
		return Usagef("%s; give another -o", err)
	case err != nil:
		return NotWritten(err)
	case force:
		return nil
	}
	return Usagef("%s exists; give --force to replace it, or another -o", path)
}

// isOwn reports whether this program wrote a directory with these names in it,
// and nobody put anything beside them. An empty directory is nobody's.
func isOwn(names []string) bool {
	if slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(OwnNames(), n) }) {
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
		return Usagef("%s exists and is no directory; give another -o", path)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	if isOwn(names) {
		return nil
	}
	return Usagef("%s holds files that banditaudit and banditlab did not write, so --force does not replace it; give another -o", path)
}

// CheckPlace refuses a place for a directory in which something stands that may
// not be replaced. "" stands for no place.
func CheckPlace(path string, force bool) error {
	if path == "" {
		return nil
	}
	path = Followed(path)
	if err := CheckFree(path, force); err != nil {
		return err
	}
	return checkReplaceable(path)
}

// Followed is the place that a path stands for where it is a symbolic link, also one
// to nothing yet: the link stays, and what it points to is written. A chain of more
// than 40 links is left as it is, and refused where it is opened.
func Followed(path string) string {
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

// NewOutputDir makes the temporary sibling of path. It is as readable as the umask lets it be;
// where it replaces a directory, as that one is.
func NewOutputDir(path string, force bool) (*OutputDir, error) {
	path = Followed(path) // first, so that what is checked is what is replaced
	if err := CheckPlace(path, force); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // an output directory is as readable as the user's umask lets it be
		return nil, NotWritten(err)
	}
	mode, replaces := ModeOf(path)
	work, err := atomicdir.Make(filepath.Dir(path), atomicdir.Prefix(path), mode)
	if err != nil {
		return nil, NotWritten(err)
	}
	d := &OutputDir{Final: path, Temp: work.Path, work: work, force: force}
	if replaces {
		if err := os.Chmod(d.Temp, mode); err != nil {
			return nil, errors.Join(NotWritten(err), d.Discard())
		}
	}
	return d, nil
}

// ModeOf is the mode of a directory that stands at path, which its owner can fill; of none it
// is everybody's.
func ModeOf(path string) (mode fs.FileMode, stands bool) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return 0o777, false
	}
	return info.Mode().Perm() | 0o700, true
}

// Sweep removes what runs that were killed left beside outputs, and in the directory of
// temporary files under these prefixes. "" stands for no output.
func (s *Settings) Sweep(outputs []string, prefixes ...string) {
	var removed []string
	for _, path := range outputs {
		if path != "" {
			path = Followed(path)
			removed = append(removed, atomicdir.Sweep(filepath.Dir(path), atomicdir.Prefix(path), path)...)
		}
	}
	for _, prefix := range prefixes {
		removed = append(removed, atomicdir.Sweep(os.TempDir(), prefix, "")...)
	}
	if len(removed) > 0 {
		s.Warn("removed what a run that was killed had left: %s", strings.Join(removed, ", "))
	}
}

// Path is the place of a file of the output while it is being written.
func (d *OutputDir) Path(name string) string { return filepath.Join(d.Temp, name) }

// Write puts one file, whole, into the output and makes it durable.
func (d *OutputDir) Write(name string, data []byte) error {
	path := d.Path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // see newOutputDir
		return NotWritten(err)
	}
	return NotWritten(atomicdir.WriteFile(path, data, 0o644))
}

// Create opens a file of the output for writing in pieces. Closing it makes it
// durable.
func (d *OutputDir) Create(name string) (io.WriteCloser, error) {
	path := d.Path(name)
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

// Commit gives the output its final name, for good.
func (d *OutputDir) Commit() error {
	if err := d.Place(); err != nil {
		return err
	}
	return d.Settle()
}

// Shown gives the output its final name, shows its summary, and takes it back
// where that cannot be printed: beside exit code 5, which asks for a retry, the
// retry would find it there.
func (d *OutputDir) Shown(show func() error) error {
	if err := d.Place(); err != nil {
		return err
	}
	if err := show(); err != nil {
		return errors.Join(err, d.Discard())
	}
	return d.Settle()
}

// Place gives the output its final name. What it replaces changes names with it, in one
// step where the file system can, and is moved aside first elsewhere: at no moment the
// name is half-written. It stays there until settle: discard can still take everything
// back.
func (d *OutputDir) Place() error {
	if _, err := os.Lstat(d.Final); err == nil {
		if !d.force {
			return errors.Join(Appeared(d.Final), d.Discard())
		}
		if atomicdir.Exchange(d.Temp, d.Final) == nil {
			d.aside, d.placed = d.Temp, true
			return nil
		}
		if err := os.Rename(d.Final, d.work.Aside()); err != nil {
			return errors.Join(NotWritten(err), d.Discard())
		}
		d.aside = d.work.Aside()
	}
	if err := os.Rename(d.Temp, d.Final); err != nil {
		return errors.Join(NotWritten(err), d.Discard())
	}
	d.placed = true
	return nil
}

// Settle lets go of what the output replaced.
func (d *OutputDir) Settle() error {
	aside := d.aside
	d.Temp, d.aside, d.placed = "", "", false
	var err error
	if aside != "" {
		err = os.RemoveAll(aside)
	}
	return NotWritten(errors.Join(err, d.work.Release()))
}

// Discard removes an output that is not settled and puts back what it replaced;
// after commit it does nothing.
func (d *OutputDir) Discard() error {
	if d.Temp == "" {
		return nil
	}
	temp, aside, placed := d.Temp, d.aside, d.placed
	d.Temp, d.aside, d.placed = "", "", false
	var err error
	switch {
	case placed && aside == temp:
		err = atomicdir.Exchange(temp, d.Final)
	case placed:
		err = os.Rename(d.Final, temp)
	}
	if err == nil && aside != "" && aside != temp {
		err = os.Rename(aside, d.Final)
	}
	return NotWritten(errors.Join(err, d.work.Remove()))
}

// NewPendingFile opens an output file that appears when it is complete; what it
// replaces has been checked.
func NewPendingFile(path string) (*atomicdir.File, error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	f, err := atomicdir.NewFile(Followed(path), 0o644)
	return f, NotWritten(err)
}

// checkFile refuses a directory, a device or a pipe in the place of an output file, and
// makes the directory it goes into.
func checkFile(path string) error {
	switch info, err := os.Stat(path); {
	case err != nil || info.Mode().IsRegular():
	case info.IsDir():
		return Usagef("%s is a directory; give the name of a file", path)
	default:
		return Usagef("%s is no regular file, and is not replaced by one; give the name of a file", path)
	}
	return NotWritten(os.MkdirAll(filepath.Dir(filepath.Clean(path)), 0o755)) //nolint:gosec // see newOutputDir
}

// CheckFreeFile refuses a place for a file in which something stands that may not be
// replaced.
func CheckFreeFile(path string, force bool) error {
	if err := CheckFree(Followed(path), force); err != nil {
		return err
	}
	return checkFile(path)
}

// OwnFile refuses to replace, even by force, a file that is no document of this program's
// with that schema, and reports whether one stands there.
func OwnFile(path, schema, what string) (stands bool, err error) {
	b, err := ReadStart(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil && len(b) == 0: // which nobody misses
		return true, nil
	case err != nil || !bytes.Contains(b, []byte(`"`+schema+`"`)):
		return true, Usagef("%s exists and is no %s that banditaudit wrote; remove it, or give another -o", path, what)
	}
	return true, nil
}

// WriteFile writes one output file atomically.
func WriteFile(path string, data []byte, force bool) error {
	if err := CheckFreeFile(path, force); err != nil {
		return err
	}
	if force {
		return NotWritten(atomicdir.WriteFile(Followed(path), data, 0o644))
	}
	err := atomicdir.WriteNew(Followed(path), data, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return Appeared(path)
	}
	return NotWritten(err)
}

// ShowFile writes one output file whole, shows what is said of it, and gives it its name. Where
// that cannot be shown the file is not left: exit code 5 asks for a retry.
func ShowFile(path string, data []byte, force bool, show func() error) (err error) {
	if err = CheckFreeFile(path, force); err != nil {
		return err
	}
	f, err := NewPendingFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, NotWritten(f.Cleanup())) }()
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return NotWritten(err)
	}
	if err = show(); err != nil {
		return err
	}
	if _, absent := os.Lstat(Followed(path)); absent == nil && !force {
		return Appeared(path)
	}
	return NotWritten(f.Place())
}

// Appeared is the error of an output under whose name something stands since the run began.
func Appeared(path string) error {
	return Usagef("%s appeared while the run was under way; give --force to replace it", path)
}

// NoTemporary is the error of a directory that cannot be made where temporary files go.
func NoTemporary(what string, err error, or string) error {
	return NotWritten(fmt.Errorf("no directory for temporary files (%s) can be made in %s, which TMPDIR names: %w; set TMPDIR to a directory that exists and can be written to%s", what, os.TempDir(), err, or))
}
