package noise

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// variable is a draw as the tests see it.
type variable struct {
	Stream
	stream    int // its number
	row, rows int64
	scale     float64 // declared
	count     int
	mixed     *mixture // the law where scales differ; nil otherwise
	grid      float64  // 0 where the law is taken as continuous
	lattice   float64  // on which it lies; 0: none
	k         float64  // |value| in units of it
	size      float64  // |value|, spread over its cell where grid is 0
	sign      int
	err       float64 // of size, by rounding
	above     int     // Draw.Above
	u         float64 // where in its atom the probability integral lies
}

// Steps of a lattice, over the scale, below which a draw spread evenly over its
// cell is taken as continuous: the integral is then off by about the square.
const (
	fineStep     = 1e-4
	fineStepMany = 1e-3
)

// mostExact bounds the variables of a sum whose law is computed exactly.
const mostExact = 256

// newVariable takes one coin, and returns false for a draw whose law is not
// computed: more than mostExact variables on a coarse lattice, or no number.
func newVariable(d Draw, mixed *mixture, coin float64) (variable, bool) {
	v := variable{
		Stream: d.Stream, row: d.Row, rows: d.Rows, scale: d.Scale, count: d.Count, mixed: mixed,
		grid: d.Grid, lattice: d.Grid, size: math.Abs(d.Value), above: d.Above, u: coin,
	}
	usable := d.Scale > 0 && !math.IsInf(d.Scale, 0) && d.Count >= 1 && !math.IsNaN(d.Value) && !math.IsInf(d.Value, 0) && d.Grid >= 0 && d.Error >= 0
	if !usable {
		return variable{}, false
	}
	if d.Value > 0 {
		v.sign = 1
	} else if d.Value < 0 {
		v.sign = -1
	}
	if d.Grid == 0 {
		v.err = d.Error
		if d.Lattice > 0 {
			v.lattice, v.k = d.Lattice, math.RoundToEven(v.size/d.Lattice)
		}
		return v, true
	}
	v.k = math.RoundToEven(v.size / d.Grid)
	if d.Error > 0 { // what lies in the cell is not known either
		v.grid, v.err = 0, d.Error+float64(d.Grid/2)
		return v, true
	}
	if v.k == 0 {
		v.sign = 0
	}
	step := d.Grid / d.Scale
	many := d.Count > mostExact
	if step < fineStep || step < fineStepMany && many || mixed != nil {
		v.grid = 0
		v.size = (v.k - 0.5 + coin) * d.Grid
		if v.k == 0 {
			v.size = coin * d.Grid / 2
		}
		return v, true
	}
	return v, !many
}

// linear says that w is size/scale, whatever the ratio.
func (v *variable) linear() bool { return v.count == 1 && v.grid == 0 && v.mixed == nil }

// coins is the stream behind randomised probability integrals: the same draws
// give the same result. It is begun by a hash of the draws, and of a salt that
// names the log, by which logs differ whose draws are all 0. Taken as a random
// function it gives logs that differ independent coins, so that with Y for the
// draws, and any set A of draws and coins,
//
//	Σ_y P(Y = y)·1{(y, u(y)) ∈ A}
//
// has mean P((Y, U) ∈ A) for independent coins U, and a standard deviation of at
// most ½·√max_y P(Y = y): p is uniform but for the root of the probability of
// the likeliest log, as it has to be where a log is always given the same p. That
// is much only for few draws on a lattice on which most are 0, and where the salt
// is the same. One stream for all logs has no such bound: its error is the same in
// each of them, and on a lattice of two scales a test of 300 draws then has
// p ≤ 0.05 in 16% of logs.
func coins(draws []Draw, salt string) func() float64 {
	h := fnv.New128a()
	h.Write([]byte(salt))
	var b [8]byte
	for i := range draws {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(draws[i].Value))
		h.Write(b[:])
	}
	sum := h.Sum(nil)
	src := rand.NewPCG(binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:]))
	return func() float64 { return (float64(src.Uint64()>>11) + 0.5) * 0x1p-53 }
}
