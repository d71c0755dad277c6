// Package partial makes directories and files that are filled under a name of their own
// and are removed or renamed when they are complete. A lock beside a directory tells that
// somebody is still at work in it: what a process that was killed left behind is what
// has a lock that nobody holds, and the next run removes it. Numbers of processes do
// not tell, for containers share directories and not processes.
package partial

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

// Dir is a directory that this process works in.
type Dir struct {
	Path string
	lock *os.File
}

// Make makes a directory in parent whose name begins with prefix, and locks it. It is
// as readable as the umask lets mode be. Errors are those of the file system.
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
		locked, known := tryLock(f)
		if !known || locked && stands(f) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("partial: no lock could be held in %s", parent)
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
// names that begin with prefix, and returns its paths. A directory that one of them had
// moved aside, and not replaced yet, gets its name final back. What cannot be removed
// stays, and is no error: it is in nobody's way.
func Sweep(parent, prefix, final string) (removed []string) {
	locks, err := filepath.Glob(filepath.Join(escaped(parent), escaped(prefix)+"*"+lockSuffix))
	if err != nil {
		return nil
	}
	for _, name := range locks {
		f, ok := ownFile(name)
		if !ok {
			continue
		}
		if locked, _ := tryLock(f); locked && stands(f) {
			removed = append(removed, sweep(&Dir{strings.TrimSuffix(name, lockSuffix), f}, final)...)
			continue
		}
		_ = f.Close() // Its owner is at work.
	}
	return removed
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
