package atomicdir

import "golang.org/x/sys/unix"

// Exchange exchanges the names of two directories of one file system in one step. Where
// the file system cannot, it is an error and nothing has changed.
func Exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }
