package extsort

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// entry is a record of an arena and eight bytes of its key.
type entry struct {
	prefix uint64
	slab   uint32
	at     uint32
}

// fewEntries is the number below which entries are compared and not counted.
const fewEntries = 64

// prefixBytes is the number of bytes of a key in an entry.
const prefixBytes = 8

func (a *arena) key(e *entry) []byte {
	slab := a.slabs[e.slab][e.at:]
	k, n := binary.Uvarint(slab)
	_, m := binary.Uvarint(slab[n:])
	return slab[n+m:][:k]
}

// order sorts entries, whose keys share their first bytes, stably by their
// keys: by the next eight bytes with a radix sort, least digit first, and then
// each group of entries that agree in those.
func (a *arena) order(es []entry, shared int) {
	if len(es) < fewEntries {
		a.compare(es, shared)
		return
	}
	for i := range es {
		es[i].prefix = prefix(a.key(&es[i])[shared:])
	}
	radix(es, a.spare[:len(es)])
	for from := 0; from < len(es); {
		to := from + 1
		for to < len(es) && es[to].prefix == es[from].prefix {
			to++
		}
		if to-from > 1 {
			a.group(es[from:to], shared)
		}
		from = to
	}
}

// group sorts entries of keys that share the first bytes and agree in the eight
// after them, filled with zeros where they end before. Keys of one length that
// have nothing after those are equal, and in order.
func (a *arena) group(es []entry, shared int) {
	first := a.key(&es[0])
	next, equal := len(first), true
	for i := range es[1:] {
		key := a.key(&es[i+1])
		equal = equal && len(key) == len(first)
		next = common(first[:next], key)
	}
	switch {
	case equal && next == len(first):
	case next < shared+prefixBytes: // some key ends here
		a.compare(es, next)
	default:
		a.order(es, next)
	}
}

// compare sorts entries stably by what follows the bytes that they share.
func (a *arena) compare(es []entry, shared int) {
	slices.SortStableFunc(es, func(x, y entry) int { return bytes.Compare(a.key(&x)[shared:], a.key(&y)[shared:]) })
}

// prefix is the first eight bytes of a key as a number that compares as they
// do; a shorter key is filled with zeros.
func prefix(key []byte) uint64 {
	if len(key) >= prefixBytes {
		return binary.BigEndian.Uint64(key)
	}
	var p [prefixBytes]byte
	copy(p[:], key)
	return binary.BigEndian.Uint64(p[:])
}

// radix sorts entries stably by prefix. Digits that all entries share cost
// nothing but the counting.
func radix(es, spare []entry) {
	var counts [prefixBytes][256]uint32
	for i := range es {
		p := es[i].prefix
		for d := range counts {
			counts[d][byte(p>>(8*d))]++ //nolint:gosec // one digit
		}
	}
	from, to := es, spare
	for d := range counts {
		count := &counts[d]
		if count[byte(from[0].prefix>>(8*d))] == uint32(len(es)) { //nolint:gosec // an arena has fewer records
			continue
		}
		sum := uint32(0)
		for k, n := range count {
			count[k] = sum
			sum += n
		}
		for i := range from {
			k := byte(from[i].prefix >> (8 * d)) //nolint:gosec // one digit
			to[count[k]] = from[i]
			count[k]++
		}
		from, to = to, from
	}
	if &from[0] != &es[0] {
		copy(es, from)
	}
}
