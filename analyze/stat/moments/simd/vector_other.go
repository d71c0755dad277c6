//go:build !amd64 || noasm

package simd

// New returns the kernel in Go, the only one of this build.
func New() Kernel { return Portable() }

// Predict is predictGo.
func Predict(p *[6][12]float64, y []float64) { predictGo(p, y) }

// Settle is settleGo.
func Settle(p *[6][12]float64) { settleGo(p) }

// Bet is betGo.
func Bet(product *[2][16]float64, size *[16]float64, x []float64) { betGo(product, size, x) }

// AddLogs is addLogsGo.
func AddLogs(sum, of []float64) { addLogsGo(sum, of) }

// Runs is runsGo.
func Runs(col []float64, at []int, y, after []float64, first float64) {
	runsGo(col, at, y, after, first)
}

// Sums is sumsGo.
func Sums(cols []float64, stride, rows int, e *[3][12]float64) { sumsGo(cols, stride, rows, e) }

// Spreads is spreadsGo.
func Spreads(cols []float64, stride int, other []float64, center float64, e *[3][12]float64) {
	spreadsGo(cols, stride, other, center, e)
}
