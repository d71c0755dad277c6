//go:build !noasm

package simd

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

// Predict is predictGo, as fast as the processor can.
func Predict(p *[6][12]float64, y []float64) {
	if cpu.X86.HasAVX2 {
		predictAVX2(p, y)
	} else {
		predictGo(p, y)
	}
}

// Settle is settleGo, likewise.
func Settle(p *[6][12]float64) {
	if cpu.X86.HasAVX2 {
		settleAVX2(p)
	} else {
		settleGo(p)
	}
}

// Bet is betGo, likewise.
func Bet(product *[2][16]float64, size *[16]float64, x []float64) {
	if cpu.X86.HasAVX {
		betAVX(product, size, x)
	} else {
		betGo(product, size, x)
	}
}

// AddLogs is addLogsGo, likewise.
func AddLogs(sum, of []float64) {
	if cpu.X86.HasAVX2 {
		addLogsAVX2(sum, of)
	} else {
		addLogsGo(sum, of)
	}
}

// Runs is runsGo, likewise. It may write up to 16 values behind the column.
func Runs(col []float64, at []int, y, after []float64, first float64) {
	if cpu.X86.HasAVX {
		runsAVX(col, at, y, after, first)
	} else {
		runsGo(col, at, y, after, first)
	}
}

// Sums is sumsGo, likewise.
func Sums(cols []float64, stride, rows int, e *[3][12]float64) {
	quads := 0
	if cpu.X86.HasAVX {
		quads = rows &^ 3
		sumsAVX(cols, stride, quads, e)
	}
	sumsGo(cols[quads:], stride, rows-quads, e)
}

// Spreads is spreadsGo, likewise.
func Spreads(cols []float64, stride int, other []float64, center float64, e *[3][12]float64) {
	quads := 0
	if cpu.X86.HasAVX {
		quads = len(other) &^ 3
		spreadsAVX(cols, stride, other[:quads], center, e)
	}
	spreadsGo(cols[quads:], stride, other[quads:], center, e)
}
