package ingest

import (
	"encoding/binary"
	"fmt"
	"math"

	"banditaudit/ingest/cell"
)

// rowCodec writes rows of a converted block as bytes, and reads them back. The
// experiment is not among them: the sort's key has it. The widths of columns
// that hold several values per row are taken from the first block.
type rowCodec struct {
	known bool
	x     int
	float [floatColumns]int // values per row; 0 where the column is not there
	bools int
	batch bool
	longs [longColumns]bool
	size  int // bytes per row
}

const (
	floatColumns = 9
	longColumns  = 7
)

// floats are the columns of floats of a block that are not contexts.
func (c *converted) floats() [floatColumns]*[]float64 {
	return [...]*[]float64{&c.Reward, &c.Propensity, &c.ContextByArm, &c.PropensityByArm, &c.ReleasedByArm, &c.RewardByArm, &c.ScoreByArm, &c.Targets, &c.KeepProb}
}

// longs are the columns of whole numbers of 64 bits.
func (c *converted) longs() [longColumns]*[]int64 {
	return [...]*[]int64{&c.Unit, &c.RewardRound, &c.RewardBefore, &c.Time, &c.Draws, &c.Position, &c.Stratum}
}

// learn takes the widths from a block with rows.
func (k *rowCodec) learn(c *converted) {
	n := len(c.Arm)
	if k.known || n == 0 {
		return
	}
	*k = rowCodec{known: true, x: len(c.X), bools: len(c.Eligible) / n, batch: len(c.Batch) > 0}
	k.size = 4 + 8*k.x + (k.bools+7)/8
	for j, column := range c.floats() {
		k.float[j] = len(*column) / n
		k.size += 8 * k.float[j]
	}
	for j, column := range c.longs() {
		if k.longs[j] = len(*column) > 0; k.longs[j] {
			k.size += 8
		}
	}
	if k.batch {
		k.size += 4
	}
}

// fits reports a block whose columns are not as wide as in the first block.
func (k *rowCodec) fits(c *converted) error {
	n := len(c.Arm)
	ok := len(c.X) == k.x && len(c.Eligible) == n*k.bools && (len(c.Batch) == n) == k.batch
	for j, column := range c.floats() {
		ok = ok && len(*column) == n*k.float[j]
	}
	for j, column := range c.longs() {
		ok = ok && (len(*column) == n) == k.longs[j]
	}
	if !ok {
		return fmt.Errorf("ingest: a block of %d rows does not have the columns of the first", n)
	}
	return nil
}

// append appends row i of a block.
func (k *rowCodec) append(dst []byte, c *converted, i int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.Arm[i])) //nolint:gosec // the bits
	for _, x := range c.X {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x[i]))
	}
	for j, column := range c.floats() {
		for _, v := range (*column)[i*k.float[j] : (i+1)*k.float[j]] {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
	}
	dst = appendBits(dst, c.Eligible[i*k.bools:(i+1)*k.bools])
	for j, column := range c.longs() {
		if k.longs[j] {
			dst = binary.LittleEndian.AppendUint64(dst, uint64((*column)[i])) //nolint:gosec // the bits
		}
	}
	if k.batch {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(c.Batch[i])) //nolint:gosec // the bits
	}
	return dst
}

// appendBits appends booleans, eight to a byte, the first in the lowest bit.
func appendBits(dst []byte, bits []bool) []byte {
	for ; len(bits) > 0; bits = bits[min(8, len(bits)):] {
		b := byte(0)
		for i, bit := range bits[:min(8, len(bits))] {
			if bit {
				b |= 1 << i
			}
		}
		dst = append(dst, b)
	}
	return dst
}

// resize makes room for n rows in a block.
func (k *rowCodec) resize(c *converted, n int) {
	c.Experiment, c.Arm = cell.Resize(c.Experiment, n), cell.Resize(c.Arm, n)
	if c.X == nil {
		c.X = make([][]float64, k.x)
	}
	for j := range c.X {
		c.X[j] = cell.Resize(c.X[j], n)
	}
	for j, column := range c.floats() {
		if k.float[j] > 0 {
			*column = cell.Resize(*column, n*k.float[j])
		}
	}
	for j, column := range c.longs() {
		if k.longs[j] {
			*column = cell.Resize(*column, n)
		}
	}
	if k.bools > 0 {
		c.Eligible = cell.Resize(c.Eligible, n*k.bools)
	}
	if k.batch {
		c.Batch = cell.Resize(c.Batch, n)
	}
}

// read reads a row that append wrote, to row i of a block that has room for it.
func (k *rowCodec) read(src []byte, c *converted, i int) error {
	if len(src) != k.size {
		return fmt.Errorf("ingest: a sorted row has %d bytes, not %d", len(src), k.size)
	}
	c.Arm[i] = int32(binary.LittleEndian.Uint32(src)) //nolint:gosec // the bits
	src = src[4:]
	for _, x := range c.X {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(src))
		src = src[8:]
	}
	for j, column := range c.floats() {
		for l := i * k.float[j]; l < (i+1)*k.float[j]; l++ {
			(*column)[l] = math.Float64frombits(binary.LittleEndian.Uint64(src))
			src = src[8:]
		}
	}
	for b := range k.bools {
		c.Eligible[i*k.bools+b] = src[b/8]>>(b%8)&1 == 1
	}
	src = src[(k.bools+7)/8:]
	for j, column := range c.longs() {
		if k.longs[j] {
			(*column)[i] = int64(binary.LittleEndian.Uint64(src)) //nolint:gosec // the bits
			src = src[8:]
		}
	}
	if k.batch {
		c.Batch[i] = int32(binary.LittleEndian.Uint32(src)) //nolint:gosec // the bits
	}
	return nil
}

// cut shortens a block to its first n rows.
func (k *rowCodec) cut(c *converted, n int) { k.resize(c, n) }
