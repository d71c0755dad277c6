package atomicdir

import "golang.org/x/sys/unix"

// Exchange exchanges the names of two directories of one file system in one step, so
// that at no moment either name stands for nothing. Where the file system cannot, it
// is an error and nothing has changed.
func Exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
