//go:build !unix

package mmap

import (
	"errors"
	"os"
)

// mapBytes says that files are not mapped here.
func mapBytes(*os.File, int64) (data []byte, unmap func() error, err error) {
	return nil, nil, errors.New("files are not mapped on this system")
}
