//go:build unix

package atomicdir

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock of an open file, and reports whether nobody else held it, and
// whether the file system knows locks. It is held until the file is closed, or its
// process is gone.
func tryLock(f *os.File) (locked, known bool) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err == nil, err == nil || errors.Is(err, syscall.EWOULDBLOCK)
}

// ownFile opens a regular file that belongs to this user; a link is none.
func ownFile(name string) (*os.File, bool) {
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) == os.Geteuid() {
			return f, true
		}
	}
	_ = f.Close()
	return nil, false
}
