package extsort

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// maxSlab is the size in which an arena grows.
const maxSlab = 1 << 20

// arena holds records in slabs, one after the other:
//
//	uvarint(len(key)) uvarint(len(payload)) key payload
//
// which is also how they lie on disk.
type arena struct {
	slabSize int
	account  *account
	slabs    [][]byte // cap is what was allocated; those after at are empty
	at       int      // the slab being filled
	bytes    int64    // allocated
	count    int
	room     int // records whose entries are booked
	entries  []entry
	spare    []entry
}

// entryBytes is what sorting a record takes beside it: two entries.
const entryBytes = 2 * 16

// grain is the number of records whose entries are booked at once.
const grain = 64

// headBytes is the most that the two lengths of a record take.
const headBytes = 2 * binary.MaxVarintLen64

// fits reports whether a record can be added without passing limit.
func (a *arena) fits(size int, limit int64) bool {
	need := a.bytes + int64(a.room)*entryBytes
	if a.count == a.room {
		need += grain * entryBytes
	}
	if !a.hasRoom(size + headBytes) {
		need += int64(max(a.slabSize, size+headBytes))
	}
	return need <= limit
}

// hasRoom reports whether n bytes go into a slab that is there already.
func (a *arena) hasRoom(n int) bool { return a.find(n) >= 0 }

// find returns the slab that a record of n bytes goes to, the current one or
// the next, or -1.
func (a *arena) find(n int) int {
	for k := a.at; k < min(a.at+2, len(a.slabs)); k++ {
		if cap(a.slabs[k])-len(a.slabs[k]) >= n {
			return k
		}
	}
	return -1
}

// add adds a record, or returns the budget's error and adds none.
func (a *arena) add(key, payload []byte) error {
	if a.count == a.room {
		if err := a.account.take(grain * entryBytes); err != nil {
			return err
		}
		a.room += grain
	}
	slab, err := a.slab(len(key) + len(payload) + headBytes)
	if err != nil {
		return err
	}
	*slab = binary.AppendUvarint(*slab, uint64(len(key)))
	*slab = binary.AppendUvarint(*slab, uint64(len(payload)))
	*slab = append(*slab, key...)
	*slab = append(*slab, payload...)
	a.count++
	return nil
}

// slab returns a slab with room for n bytes: of those that are there, or a new
// one, which goes after the current one, so that the slabs stay in order.
func (a *arena) slab(n int) (*[]byte, error) {
	k := a.find(n)
	if k < 0 {
		size := max(a.slabSize, n)
		if err := a.account.take(int64(size)); err != nil {
			return nil, err
		}
		a.bytes += int64(size)
		k = min(a.at+1, len(a.slabs))
		a.slabs = slices.Insert(a.slabs, k, make([]byte, 0, size))
	}
	a.at = k
	return &a.slabs[k], nil
}

// reset forgets the records and keeps the memory, but for slabs made for large
// records.
func (a *arena) reset() {
	kept := a.slabs[:0]
	for _, s := range a.slabs {
		if cap(s) > a.slabSize {
			a.bytes -= int64(cap(s))
			a.account.give(int64(cap(s)))
			continue
		}
		kept = append(kept, s[:0])
	}
	clear(a.slabs[len(kept):])
	a.slabs, a.at, a.count = kept, 0, 0
}

// free gives all memory back.
func (a *arena) free() {
	a.account.give(a.bytes + int64(a.room)*entryBytes)
	*a = arena{slabSize: a.slabSize, account: a.account}
}

// split cuts a record in two. The record is one that add wrote.
func split(record []byte) (key, payload []byte) {
	k, n := binary.Uvarint(record)
	_, m := binary.Uvarint(record[n:])
	rest := record[n+m:]
	return rest[:k], rest[k:]
}

// recordAt returns the record that begins at an offset of a slab, and where the
// next one begins.
func recordAt(slab []byte, at int) (record []byte, next int) {
	k, n := binary.Uvarint(slab[at:])
	p, m := binary.Uvarint(slab[at+n:])
	next = at + n + m + int(k+p) //nolint:gosec // lengths that add wrote
	return slab[at:next], next
}

// sort orders the records. Where they are in order already, it makes no entries.
func (a *arena) sort() ordered {
	sorted, shared := a.survey()
	if sorted {
		return ordered{arena: a}
	}
	if cap(a.entries) < a.count {
		a.entries, a.spare = make([]entry, a.room), make([]entry, a.room)
	}
	a.entries = a.entries[:0]
	for k, slab := range a.slabs {
		for at := 0; at < len(slab); {
			a.entries = append(a.entries, entry{slab: uint32(k), at: uint32(at)})
			_, at = recordAt(slab, at)
		}
	}
	a.order(a.entries, shared)
	return ordered{arena: a, entries: a.entries, indexed: true}
}

// survey reports whether the records are in order, and how many bytes all keys
// share at their beginning.
func (a *arena) survey() (sorted bool, shared int) {
	var first, last []byte
	sorted = true
	for _, slab := range a.slabs {
		for at := 0; at < len(slab); {
			var record []byte
			record, at = recordAt(slab, at)
			key, _ := split(record)
			if first == nil {
				first, last, shared = key, key, len(key)
				continue
			}
			sorted = sorted && bytes.Compare(last, key) <= 0
			shared = common(first[:shared], key)
			last = key
		}
	}
	return sorted, shared
}

// common is the number of bytes that a and b share at their beginning.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	if bytes.Equal(a[:n], b[:n]) {
		return n
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return i
}

// ordered walks the records of an arena in order.
type ordered struct {
	arena   *arena
	entries []entry
	indexed bool
	slab    int
	at      int
	record  []byte
	touched byte // so that what touch does is not left out
}

// next moves to the next record, if there is one.
func (o *ordered) next() bool {
	if o.indexed {
		if len(o.entries) == 0 {
			return false
		}
		if len(o.entries)%aheadEntries == 0 {
			o.touch()
		}
		e := &o.entries[0]
		o.record, _ = recordAt(o.arena.slabs[e.slab], int(e.at))
		o.entries = o.entries[1:]
		return true
	}
	for ; o.slab < len(o.arena.slabs); o.slab, o.at = o.slab+1, 0 {
		if slab := o.arena.slabs[o.slab]; o.at < len(slab) {
			o.record, o.at = recordAt(slab, o.at)
			return true
		}
	}
	return false
}

// aheadEntries is the number of records that are touched together.
const aheadEntries = 32

// lineBytes is the size of a cache line.
const lineBytes = 64

// touch reads a byte of every cache line, up to four, of the next records. They
// lie anywhere in memory; read one after the other, each would wait for its own
// way to it, but loads that do not depend on each other wait together.
func (o *ordered) touch() {
	sum := byte(0)
	for i := range o.entries[:min(aheadEntries, len(o.entries))] {
		e := &o.entries[i]
		rest := o.arena.slabs[e.slab][e.at:]
		for at := 0; at < min(len(rest), 4*lineBytes); at += lineBytes {
			sum += rest[at]
		}
	}
	o.touched = sum
}

// ends returns the first and the last key; there is at least one record.
func (o *ordered) ends() (first, last []byte) {
	walk := *o
	for walk.next() {
		if first == nil {
			first, _ = split(walk.record)
			if walk.indexed {
				walk.entries = walk.entries[max(0, len(walk.entries)-1):]
			}
		}
		last, _ = split(walk.record)
	}
	return first, last
}
