// Package atomicdir makes directories and files that are filled under a name of their own
// and are removed or renamed when they are complete. A lock beside a directory tells that
// somebody is still at work in it: what a process that was killed left behind is what
// has a lock that nobody holds, and the next run removes it. Numbers of processes do
// not tell, for containers share directories and not processes.
package atomicdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// lockSuffix and oldSuffix end the names of what stands beside a directory: its lock,
// and what it replaces.
const lockSuffix, oldSuffix = ".lock", ".old"

// Prefix begins the names of what is to be path and is not finished.
func Prefix(path string) string { return "." + filepath.Base(path) + ".partial-" }

// Dir is a directory that this process works in.
type Dir struct {
	Path string
	lock *os.File
}

// Make makes a directory in parent whose name begins with prefix, and locks it. It is
// as readable as the umask lets mode be. It returns errors of the file system.
func Make(parent, prefix string, mode fs.FileMode) (*Dir, error) {
	lock, err := makeLock(parent, prefix)
	if err != nil {
		return nil, err
	}
	d := &Dir{strings.TrimSuffix(lock.Name(), lockSuffix), lock}
	if err := os.Mkdir(d.Path, mode); err != nil {
		return nil, errors.Join(err, d.Release())
	}
	return d, nil
}

// makeLock makes a lock that this process holds. Whoever sweeps between its making and
// its locking may have removed it: then another is made. Where the file system knows no
// locks the directory goes without, and is never swept.
func makeLock(parent, prefix string) (*os.File, error) {
	for range 100 {
		f, err := os.CreateTemp(parent, prefix+"*"+lockSuffix)
		if err != nil {
			return nil, err
		}
		if hold(f) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("atomicdir: no lock could be held in %s", parent)
}

// hold locks a file that was just made, and reports whether nobody has swept it before. Where
// the file system knows no locks nobody has.
func hold(f *os.File) bool {
	locked, known := tryLock(f)
	return !known || locked && stands(f)
}

// stands reports whether the file that is open is still the one under its name.
func stands(f *os.File) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(here, there)
}

// Aside is where what the directory replaces is kept until it is let go of.
func (d *Dir) Aside() string { return d.Path + oldSuffix }

// Release gives up the lock. The directory is then somebody's to keep: it was removed,
// or renamed.
func (d *Dir) Release() error {
	err := os.Remove(d.lock.Name())
	closed := d.lock.Close()
	if err != nil {
		err = os.Remove(d.lock.Name()) // Windows removes no file that is open
	}
	return errors.Join(err, closed)
}

// Remove removes the directory with everything in it, and its lock.
func (d *Dir) Remove() error { return errors.Join(os.RemoveAll(d.Path), d.Release()) }

// Sweep removes from parent what processes of this user that are gone left there under
// names that begin with prefix, and returns its paths. With a final name a directory that one
// of them had moved aside, and not replaced yet, gets that name back, and a file that was to
// have it is removed. What cannot be removed stays, and is no error: it is in nobody's way.
func Sweep(parent, prefix, final string) (removed []string) {
	pattern := filepath.Join(escaped(parent), escaped(prefix))
	for _, name := range matches(pattern + "*" + lockSuffix) {
		if f := abandoned(name); f != nil {
			removed = append(removed, sweep(&Dir{strings.TrimSuffix(name, lockSuffix), f}, final)...)
		}
	}
	if final == "" {
		return removed
	}
	for _, name := range matches(pattern + strings.Repeat("[A-Z2-7]", randomLetters)) {
		if f := abandoned(name); f != nil {
			if os.Remove(name) == nil {
				removed = append(removed, name)
			}
			_ = f.Close() // Nothing was written to it.
		}
	}
	return removed
}

// matches are the names that fit a pattern of files.
func matches(pattern string) []string {
	names, _ := filepath.Glob(pattern) // a pattern of ours is one
	return names
}

// abandoned opens and locks a file of this user that nobody else has locked; nil where it
// is somebody's who is at work, or no such file.
func abandoned(name string) *os.File {
	f, ok := ownFile(name)
	if !ok {
		return nil
	}
	if locked, _ := tryLock(f); locked && stands(f) {
		return f
	}
	_ = f.Close() // Its owner is at work.
	return nil
}

// sweep removes one directory whose process is gone.
func sweep(d *Dir, final string) (removed []string) {
	if _, err := os.Lstat(final); final != "" && errors.Is(err, fs.ErrNotExist) {
		_ = os.Rename(d.Aside(), final) // There may be none.
	}
	for _, path := range []string{d.Path, d.Aside()} {
		if _, err := os.Lstat(path); err == nil && os.RemoveAll(path) == nil {
			removed = append(removed, path)
		}
	}
	_ = d.Release()
	return removed
}

// escaped is a text in which a pattern of file names has no signs.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(text)
}
