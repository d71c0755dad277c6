package atomicdir

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that appears under its name when it is complete: until then it stands
// beside it under a name of its own.
type File struct {
	*os.File

	final string
	done  bool
}

// NewFile opens a file that is to be path. It is as readable as the umask lets mode be;
// where a regular file stands there, as that one is. It returns errors of the file system.
func NewFile(path string, mode fs.FileMode) (*File, error) {
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		return newFile(path, info.Mode().Perm(), true)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return newFile(path, mode, false)
}

// randomLetters end the name of a file that is not placed yet.
const randomLetters = 10

// newFile opens a file of a mode, and locks it. exact says that the umask does not narrow
// it; nothing ever widens it before the umask has had its say.
func newFile(path string, mode fs.FileMode, exact bool) (*File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), Prefix(path)+rand.Text()[:randomLetters]) // which nobody else has
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return nil, err
		}
		if !hold(f) {
			_ = f.Close() // It was swept.
			continue
		}
		out := &File{File: f, final: path}
		if exact {
			if err = f.Chmod(mode); err != nil {
				return nil, errors.Join(err, out.Cleanup())
			}
		}
		return out, nil
	}
}

// Place puts what was written onto the disk and gives the file its name, in one step: at
// no moment the name is half-written, or stands for nothing.
func (f *File) Place() error {
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	err := os.Rename(f.Name(), f.final) // while it is locked, so that nobody sweeps it
	closed := f.Close()
	if err != nil {
		err = os.Rename(f.Name(), f.final) // Windows renames no file that is open
	}
	f.done = err == nil
	return errors.Join(err, closed)
}

// PlaceNew is Place where nothing may stand under the name: the error then has
// fs.ErrExist in its chain, and the file is not placed. Where the file system knows no
// hard links, what appears at the same moment is not seen.
func (f *File) PlaceNew() error {
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	err := os.Link(f.Name(), f.final)
	switch {
	case err == nil:
		return f.Cleanup()
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, err = os.Lstat(f.final); err == nil {
		return &fs.PathError{Op: "place", Path: f.final, Err: fs.ErrExist}
	}
	return f.Place()
}

// Cleanup removes a file that was not placed; after Place it does nothing.
func (f *File) Cleanup() error {
	if f.done {
		return nil
	}
	f.done = true
	err := f.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// NewSecret opens a file that is to be path, of this mode, whatever stands there and
// whatever the umask is. No moment leaves it with a wider one.
func NewSecret(path string, mode fs.FileMode) (*File, error) { return newFile(path, mode, true) }

// WriteFile writes a whole file as NewFile makes it.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	return writeFile(path, data, mode, (*File).Place)
}

// WriteNew is WriteFile where nothing may stand under the name; see PlaceNew.
func WriteNew(path string, data []byte, mode fs.FileMode) error {
	return writeFile(path, data, mode, (*File).PlaceNew)
}

func writeFile(path string, data []byte, mode fs.FileMode, place func(*File) error) error {
	f, err := NewFile(path, mode)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = place(f)
	}
	return errors.Join(err, f.Cleanup())
}
