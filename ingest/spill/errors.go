package spill

import "fmt"

// DiskError says that the temporary file could not be made, written or read:
// the disk is full, or failing. The cause is wrapped.
type DiskError struct {
	Dir string // where the file is
	Err error
}

// Error names the directory and says what to do.
func (e *DiskError) Error() string {
	return fmt.Sprintf("sorting needs temporary space in %s: %v; free some there, raise --max-memory, or write the output to another disk", e.Dir, e.Err)
}

// Unwrap returns the cause.
func (e *DiskError) Unwrap() error { return e.Err }
