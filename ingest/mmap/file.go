package mmap

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrNoFile is wrapped by errors about what is not a regular file with at
// least one byte in it: only such a file can be mapped.
var ErrNoFile = errors.New("not a regular file with something in it")

// File is a file whose bytes are at hand. Its methods are safe for concurrent
// use, except Close.
type File struct {
	path  string
	state os.FileInfo // when it was opened
	data  []byte
	unmap func() error
}

// Open makes the bytes of the file at path available. Where the system does not
// map files they are read into memory. Errors wrap ErrNoFile or come from the file system.
func Open(path string) (*File, error) {
	info, err := os.Stat(path) // before it is opened: opening a pipe would wait for its writer
	if err != nil {
		return nil, err
	}
	if err = mappable(info); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f, err := Map(file)
	if errors.Is(err, errors.ErrUnsupported) {
		return load(file, info)
	}
	return f, err
}

// Map maps an open file as long as it is now. The mapping stays when the file
// is closed. Where the system does not map files, or not this one, the error
// wraps errors.ErrUnsupported, and the caller reads the file instead.
func Map(file *os.File) (*File, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if err = mappable(info); err != nil {
		return nil, err
	}
	data, unmap, err := mapBytes(file, info.Size())
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: file.Name(), Err: fmt.Errorf("%w: %w", errors.ErrUnsupported, err)}
	}
	return &File{path: file.Name(), state: info, data: data, unmap: unmap}, nil
}

func mappable(info os.FileInfo) error {
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return fmt.Errorf("%s: %w", info.Name(), ErrNoFile)
	}
	return nil
}

// load reads a whole file. The buffer is made of words, so that the numbers of
// a file that aligns them are aligned in memory too.
func load(file *os.File, info os.FileInfo) (*File, error) {
	size := info.Size()
	data := bytesOf(make([]uint64, (size+7)/8))[:size]
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return &File{path: file.Name(), state: info, data: data, unmap: func() error { return nil }}, nil
}

// Bytes are the file's bytes. They may not be written to, and not be used after
// Close.
func (f *File) Bytes() []byte { return f.data }

// ReadAt copies bytes under a guard, as io.ReaderAt says.
func (f *File) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: reading at %d: %w", f.path, off, os.ErrInvalid)
	}
	if off >= int64(len(f.data)) {
		return 0, io.EOF
	}
	err = f.Guard(func() error {
		n = copy(p, f.data[off:])
		return nil
	})
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Guard is the function Guard for the bytes of the file, whose name is part of
// the error.
func (f *File) Guard(read func() error) error {
	err := Guard(f.data, read)
	if errors.Is(err, ErrFault) {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return err
}

// Close gives the bytes back. A second call does nothing.
func (f *File) Close() error {
	if f.unmap == nil {
		return nil
	}
	unmap := f.unmap
	f.unmap, f.data = nil, nil
	if err := unmap(); err != nil {
		return fmt.Errorf("unmapping %s: %w", f.path, err)
	}
	return nil
}
