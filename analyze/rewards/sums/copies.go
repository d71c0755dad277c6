package rewards

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/tableau"
)

// rowsPrinted is how many rows of an experiment are known again in another.
const rowsPrinted = 4096

// rowPrint is a hash of the actions and rewards of rows in their order,
//
//	Σ_t x_t·B^(n−1−t) mod 2⁶¹ − 1,
//
// x_t of action and reward of row t, which does not depend on how the rows are cut
// into chunks.
type rowPrint struct{ sum, power uint64 }

const (
	printModulus = 1<<61 - 1
	printBase    = 0x9e3779b97f4a7c15 % printModulus
)

// times is a product modulo printModulus, of factors below it.
func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, rest := bits.Div64(hi, lo, printModulus)
	return rest
}

// add takes up a row.
func (p *rowPrint) add(arm int32, reward uint64) {
	x := (reward ^ uint64(arm)<<56) * 0xbf58476d1ce4e5b9 //nolint:gosec // an arm is not negative
	x ^= x >> 29
	p.sum = (times(p.sum, printBase) + x%printModulus) % printModulus
	p.power = times(max(p.power, 1), printBase)
}

// merge joins the rows after these.
func (p *rowPrint) merge(o rowPrint) {
	if o.power == 0 {
		return
	}
	p.sum = (times(p.sum, o.power) + o.sum) % printModulus
	p.power = times(max(p.power, 1), o.power)
}

// printRows takes up the first rows of an experiment, where there are others to
// hold them against.
func printRows(log publiclog.LogScope, part *Sums, c *tableau.Chunk, known []int32, y []float64) {
	if log.Experiments < 2 {
		return
	}
	for t := range known {
		switch {
		case c.Start+int64(t) >= rowsPrinted:
			return
		case known[t] < 0:
			part.print.add(c.Arm[t], 1) // the bits of no reward that matters
		default:
			part.print.add(c.Arm[t], math.Float64bits(y[t]))
		}
	}
}

// Two rewards of one law, of range 1 and variance s², agree with probability at
// most 1 − 2s² ≤ e^(−2s²), since 2s² = E(X − X')² ≤ P(X ≠ X'). Rows are known again
// where that leaves fewer than e^−copyNats, with room for every pair of
// experiments.
const copyNats = 20

// RowsPrint is what the rows of the experiment are known again by in another one
// of the log; 0 where rewards vary too little for that.
func (s *Sample) RowsPrint() uint64 {
	squares := 0.0
	for _, arm := range s.Scalar {
		squares += arm.M2
	}
	rounds := float64(s.Facts.Pub.Rounds)
	nats := 2 * squares / float64(publiclog.RangeWidth(s.Protocol)*publiclog.RangeWidth(s.Protocol)) * min(1, rowsPrinted/rounds)
	if n := float64(s.Facts.Whole().Experiments); n < 2 || !(nats >= copyNats+float64(2*math.Log(n))) {
		return 0
	}
	b := binary.LittleEndian.AppendUint64(nil, s.print.sum)
	for _, v := range append([]int64{s.Facts.Pub.Rounds}, s.Facts.Pub.Pulls...) {
		b = binary.LittleEndian.AppendUint64(b, uint64(v)) //nolint:gosec // a count
	}
	h := fnv.New64a()
	_, _ = h.Write(b) // to memory
	return max(h.Sum64(), 1)
}
