//go:build !unix

package atomicdir

import "os"

// tryLock knows no locks: nothing is swept.
func tryLock(*os.File) (locked, known bool) { return false, false }

// ownFile finds nothing to sweep.
func ownFile(string) (*os.File, bool) { return nil, false }
