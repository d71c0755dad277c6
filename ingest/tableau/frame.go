package tableau

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
)

// Batch is a block of rows to append, as columns of n rows each. A column must
// be there exactly when the schema says so; X must have ContextDim columns, and
// the columns by arm hold the K·w values of row 0, then the values of row 1, and so on, arm
// by arm. Append copies, so the caller may use the slices again.
type Batch struct {
	Experiment []int32
	Round      []int64
	Arm        []int32
	Reward     []float64 // NaN where it is missing
	Propensity []float64
	X          [][]float64 // by column

	ContextByArm    []float64 // n·K·ContextByArm
	PropensityByArm []float64 // n·K
	ReleasedByArm   []float64 // n·K·ReleasedByArm
	RewardByArm     []float64 // n·K; NaN where it is missing
	ScoreByArm      []float64 // n·K
	Eligible        []bool    // n·K
	Batch           []int32
	Unit            []int64
	RewardRound     []int64
	RewardBefore    []int64
	Time            []int64
	Draws           []int64
	Targets         []float64 // n·Schema.Targets
	Position        []int64
	Stratum         []int64
	KeepProb        []float64
}

// given is one column of a Batch: its values as they lie in memory.
type given struct {
	name  string
	count int
	data  []byte
}

// bytesOf returns the memory of b: one byte, 0 or 1, for each.
func bytesOf(b []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b))), len(b)) //nolint:gosec // a bool is one byte, 0 or 1
}

// checkGiven compares the columns of a batch of n rows with those that are
// wanted.
func checkGiven(g []given, want []field, n int) error {
	for i := range max(len(g), len(want)) {
		switch {
		case i == len(g) || i < len(want) && g[i].name != want[i].name:
			return fmt.Errorf("tableau: a batch of %d rows without its column %q", n, want[i].name)
		case i == len(want):
			return fmt.Errorf("tableau: a batch with a column %q that the schema does not have", g[i].name)
		case int64(g[i].count) != int64(n)*want[i].perRow():
			return fmt.Errorf("tableau: column %q has %d values in a batch of %d rows with %d each", g[i].name, g[i].count, n, want[i].perRow())
		}
	}
	return nil
}

// frame holds the rows of one record batch until they are written.
type frame struct {
	rows    int64
	room    int64    // rows that the columns have room for
	columns [][]byte // by position, as Arrow has them
	failed  error    // what writing an earlier frame came to
}

// reserve makes room for the given number of rows, of at most limit.
func (f *frame) reserve(fields []field, rows, limit int64) {
	if rows <= f.room {
		return
	}
	f.room = min(limit, max(rows, 8*f.room, 1<<10)) // by eight, so that little is left behind
	if f.columns == nil {
		f.columns = make([][]byte, len(fields))
	}
	for i := range fields {
		words := make([]uint64, (fields[i].size(f.room)+7)/8) // so that columns are aligned
		wider := arrow.Uint64Traits.CastToBytes(words)
		copy(wider, f.columns[i][:min(int64(len(f.columns[i])), fields[i].size(f.rows))])
		f.columns[i] = wider
	}
}

// take copies rows [from, to) of the given columns, for which there is room.
func (f *frame) take(fields []field, g []given, from, to int64) {
	for i := range fields {
		per := fields[i].perRow()
		if fields[i].kind == kindBool {
			packBits(f.columns[i], f.rows*per, g[i].data[from*per:to*per])
			continue
		}
		width := per * fields[i].kind.bits() / 8
		copy(f.columns[i][f.rows*width:], g[i].data[from*width:to*width])
	}
	f.rows += to - from
}

// move takes over the rows of another frame from row from on.
func (f *frame) move(fields []field, other *frame, from, limit int64) {
	n := other.rows - from
	f.reserve(fields, n, limit)
	for i := range fields {
		per := fields[i].perRow()
		if fields[i].kind == kindBool {
			packBits(f.columns[i], 0, unpackBits(other.columns[i], from*per, n*per))
			if rest := from * per % 8; rest > 0 {
				other.columns[i][from*per/8] &^= 0xFF << rest
			}
			continue
		}
		width := per * fields[i].kind.bits() / 8
		copy(f.columns[i], other.columns[i][from*width:other.rows*width])
	}
	f.rows, other.rows = n, from
}

// unpackBits is the inverse of packBits: n bits of src from bit at on.
func unpackBits(src []byte, at, n int64) []byte {
	out := make([]byte, n)
	for i := range out {
		bit := at + int64(i)
		out[i] = src[bit/8] >> (bit % 8) & 1
	}
	return out
}

// packBits writes src, bytes of 0 or 1, to the bits of dst from bit at on. Bits
// behind the last one, of the byte that holds it, become zero.
func packBits(dst []byte, at int64, src []byte) {
	for ; at%8 != 0 && len(src) > 0; at++ {
		dst[at/8] = dst[at/8]&^(0xFF<<(at%8)) | src[0]<<(at%8)
		src = src[1:]
	}
	for ; len(src) >= 8; at += 8 {
		b := src[:8:8]
		dst[at/8] = b[0] | b[1]<<1 | b[2]<<2 | b[3]<<3 | b[4]<<4 | b[5]<<5 | b[6]<<6 | b[7]<<7
		src = src[8:]
	}
	if len(src) > 0 {
		last := byte(0)
		for i, b := range src {
			last |= b << i
		}
		dst[at/8] = last
	}
}
