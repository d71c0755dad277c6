//go:build linux || openbsd || dragonfly || solaris

package mmap

import (
	"os"
	"syscall"
)

// sameChange reports whether the system changed neither of two states of a file
// after the other. Who writes to a file can set its modification time back, and
// cannot set this one.
func sameChange(a, b os.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, also := b.Sys().(*syscall.Stat_t)
	return !ok || !also || x.Ctim == y.Ctim
}
