//go:build !unix

package tableau

import (
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
)

// mapFile reads the whole file, where mapping is not to be had. The buffer is
// made of words, so that columns of float64 are aligned in it.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	info, err := os.Stat(path) // before it is opened: opening a pipe would wait for its writer
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size == 0 {
		return nil, nil, fmt.Errorf("%w: not a regular file with something in it", ErrDamaged)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	data = arrow.Uint64Traits.CastToBytes(make([]uint64, (size+7)/8))[:size]
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}
