//go:build !linux

package extsort

import (
	"errors"
	"os"
)

// nameless opens a temporary file that never has a name, which only Linux does.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }
