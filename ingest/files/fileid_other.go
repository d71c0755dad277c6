//go:build !unix

package files

import "path/filepath"

// fileID is what tells files apart: the path without symbolic links.
type fileID struct{ path string }

// identify returns the identity of the file at path; false where there is none.
func identify(path string) (fileID, bool) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fileID{}, false
	}
	target, err = filepath.Abs(target)
	return fileID{target}, err == nil
}
