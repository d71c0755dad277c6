package ingest

import "banditaudit/schemas"

// DefaultMaxMemory is the limit on memory when none is given: 512 MiB.
const DefaultMaxMemory = 512 << 20

// Options are the settings of Ingest that the log and the protocol do not
// decide.
type Options struct {
	Jobs int          // goroutines; the bytes written do not depend on it. Defaults to 1.
	Tool schemas.Tool // goes to the manifest
	// MaxMemory bounds the anonymous memory of the process, in bytes; the mapped
	// tableau does not count. Buffers, labels, and rows when they have to be
	// sorted, take at most three quarters of it; what is left is for the runtime:
	// blocks of rows, stacks, and what the garbage collector has not freed yet.
	// The collector keeps to the bound only where the caller has set it with
	// debug.SetMemoryLimit too. Defaults to DefaultMaxMemory.
	MaxMemory int64
	// Progress, where it is not nil, is called now and then from one goroutine
	// with the rows done and the rows to do, over all walks over the log: two
	// passes, one more where the rows are sorted, and those that number units and
	// the rounds of rewards. What is to do grows once, after the first pass, where
	// the rows turn out to be in no order.
	Progress func(done, total int64)
	// At, where it is not nil, says where a key stands, as "p.yaml:7:3", for messages on
	// columns that the log does not have.
	At func(key string) string

	sortMemory int64 // of every sort, where it is not 0: tests make it small
}

// Budget is the part of MaxMemory that is booked.
func (o *Options) Budget() int64 {
	limit := int64(DefaultMaxMemory)
	if o.MaxMemory > 0 {
		limit = o.MaxMemory
	}
	return limit - limit/4
}
