//go:build unix

package tableau

import (
	"errors"
	"fmt"
	"math"
	"os"
	"syscall"
)

// mapFile maps the file read-only and returns its bytes and what unmaps them.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	info, err := os.Stat(path) // before it is opened: opening a pipe would wait for its writer
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size == 0 || size > math.MaxInt {
		return nil, nil, fmt.Errorf("%w: not a regular file with something in it", ErrDamaged)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	data, err = syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, func() error {
		if err := syscall.Munmap(data); err != nil {
			return errors.Join(errors.New("munmap"), err)
		}
		return nil
	}, nil
}
