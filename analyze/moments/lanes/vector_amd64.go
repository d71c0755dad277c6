//go:build !noasm

package lanes

import "golang.org/x/sys/cpu"

// New returns the fastest kernel that the processor can run.
func New() Kernel {
	if !cpu.X86.HasAVX {
		return Portable()
	}
	k := Kernel{Gather: gatherAVX, Solve: solveAVX, Scale: scaleAVX}
	k.Square[0], k.Square[1], k.Square[2] = square1AVX, square2AVX, square3AVX
	k.Cross[0], k.Cross[1], k.Cross[2] = cross1AVX, cross2AVX, cross3AVX
	return k
}
