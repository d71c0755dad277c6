//go:build !amd64 || noasm

package lanes

// New returns the kernel in Go, the only one of this build.
func New() Kernel { return Portable() }
