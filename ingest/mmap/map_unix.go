//go:build unix

package mmap

import (
	"errors"
	"math"
	"os"
	"syscall"
)

// mapBytes maps size bytes of a file read-only and returns them and what unmaps
// them.
func mapBytes(file *os.File, size int64) (data []byte, unmap func() error, err error) {
	if size > math.MaxInt {
		return nil, nil, errors.New("the file is larger than the address space")
	}
	data, err = syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}
