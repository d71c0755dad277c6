package ingest

import (
	"banditaudit/ingest/extsort"
)

// rowKey writes the place of a row in the final order as bytes that compare as
// it does:
//
//	index of the experiment · first order column · second · …
//
// Whole numbers take no more bytes than the first pass found their range to
// need, so that most keys compare in one step.
type rowKey struct {
	keys  *keys
	width int   // of the experiment's index
	wide  []int // by order column that is no text
}

func newRowKey(k *keys, experiments int) *rowKey {
	r := &rowKey{keys: k, width: extsort.Width(uint64(experiments))} //nolint:gosec // a count
	for j := range k.columns {
		c := &k.columns[j]
		r.wide = append(r.wide, extsort.Width(offset(c.most, c.least)))
	}
	return r
}

// offset is v − least, which is at most 2⁶⁴−1 where v is not smaller.
func offset(v, least int64) uint64 { return uint64(v) - uint64(least) } //nolint:gosec // wraps as it should

// append appends the key of row i of the loaded block.
func (r *rowKey) append(dst []byte, index int32, i int) []byte {
	dst = extsort.AppendUint(dst, uint64(index), r.width) //nolint:gosec // an index
	for j := range r.keys.columns {
		c := &r.keys.columns[j]
		if c.text {
			dst = extsort.AppendText(dst, c.texts[i])
		} else {
			dst = extsort.AppendUint(dst, offset(c.numbers[i], c.least), r.wide[j])
		}
	}
	return dst
}

// index is the experiment's index in a key.
func (r *rowKey) index(key []byte) (int32, error) {
	v, _, err := extsort.Uint(key, r.width)
	return int32(v), err //nolint:gosec // an index
}

// number is the first order column, a number, in a key, as a difference to its
// least value.
func (r *rowKey) number(key []byte) (uint64, error) {
	v, _, err := extsort.Uint(key[r.width:], r.wide[0])
	return v, err
}
