//go:build unix

package files

import (
	"os"
	"syscall"
)

// fileID is what tells files apart: the file system and its number there, which
// all names of a file share, be they symbolic links or hard ones.
type fileID struct{ device, inode uint64 }

// identify returns the identity of the file at path; false where there is none.
func identify(path string) (fileID, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return fileID{}, false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}, false
	}
	return fileID{uint64(st.Dev), uint64(st.Ino)}, true //nolint:unconvert // of other types on other systems
}
