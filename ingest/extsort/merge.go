package extsort

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
)

// Sizes of the buffers of a merge.
const (
	mergeBuffer = 64 << 10  // with less, more runs are not merged at once
	largeBuffer = 256 << 10 // more is no faster
	leastRead   = 64        // longer than the lengths of a record
)

// fanIn is the number of runs that are merged at once.
func fanIn(memory int64) int { return int(max(2, memory/mergeBuffer-1)) }

// merge merges runs: a tournament whose inner nodes hold the loser of the match
// played there, so that the next record takes one match for every level.
type merge struct {
	readers []reader
	losers  []int // by inner node, 1 to n−1; losers[0] is the winner
	left    int   // runs that are not at their end
	account *account
}

// newMerge opens runs that lie in one file, in the order of their records'
// adding.
func newMerge(d *disk, spans []span, memory int64, a *account) (*merge, error) {
	m := &merge{readers: make([]reader, len(spans)), losers: make([]int, len(spans)), left: len(spans), account: a}
	size := max(leastRead, min(memory/int64(len(spans)+1), largeBuffer))
	for size > leastRead && a.take(size*int64(len(spans))) != nil {
		size = max(leastRead, size/2)
	}
	for i := range m.readers {
		r := &m.readers[i]
		*r = reader{file: d.file, dir: d.dir, rest: spans[i], account: a, run: i, buffer: make([]byte, size)}
		if size > leastRead {
			r.booked = size
		}
	}
	for i := range m.readers {
		if err := m.advance(&m.readers[i]); err != nil {
			m.free()
			return nil, err
		}
	}
	m.losers[0] = m.play(1)
	return m, nil
}

// play plays all matches below a node and returns the winner.
func (m *merge) play(node int) int {
	if node >= len(m.readers) {
		return node - len(m.readers)
	}
	a, b := m.play(2*node), m.play(2*node+1)
	if m.before(b, a) {
		a, b = b, a
	}
	m.losers[node] = b
	return a
}

// before reports whether the record of run a comes before the record of run b. A run at its
// end comes after all; of equal keys, the earlier run's is first.
func (m *merge) before(a, b int) bool {
	x, y := &m.readers[a], &m.readers[b]
	switch {
	case x.record == nil || y.record == nil:
		return y.record == nil && (x.record != nil || a < b)
	case x.prefix != y.prefix:
		return x.prefix < y.prefix
	}
	return cmp.Or(bytes.Compare(x.key, y.key), cmp.Compare(a, b)) < 0
}

// advance moves a run to its next record.
func (m *merge) advance(r *reader) error {
	err := r.next()
	if errors.Is(err, io.EOF) {
		r.record, r.key = nil, nil
		m.left--
		return nil
	}
	if err != nil {
		return fmt.Errorf("extsort: %w", err)
	}
	return nil
}

// top is the run whose record is next.
func (m *merge) top() *reader { return &m.readers[m.losers[0]] }

// next moves beyond the record of the top.
func (m *merge) next() error {
	winner := m.losers[0]
	if err := m.advance(&m.readers[winner]); err != nil {
		return err
	}
	for node := (winner + len(m.readers)) / 2; node > 0; node /= 2 {
		if m.before(m.losers[node], winner) {
			winner, m.losers[node] = m.losers[node], winner
		}
	}
	m.losers[0] = winner
	return nil
}

func (m *merge) free() {
	for i := range m.readers {
		m.readers[i].free()
	}
}
