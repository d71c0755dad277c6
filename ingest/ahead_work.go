package ingest

import (
	"fmt"
	"io"
	"runtime/debug"

	"banditaudit/ingest/pages"
)

// work is what a goroutine does. A panic goes to the visitor's goroutine.
func (a *ahead) work() {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			a.panicky = fmt.Errorf("decoding: %v\n%s", p, debug.Stack())
			a.stop = true
			a.ready.Signal()
			a.free.Broadcast()
		}
	}()
	for !a.stop {
		if c := a.pick(); c != nil {
			a.decode(c)
		} else if !a.nextGroup() {
			a.free.Wait()
		}
	}
}

// pick returns the column to go on with, or nil where there is none now.
func (a *ahead) pick() *aheadColumn {
	window := int64(len(a.ring))
	if a.held > a.limit {
		window = 1
	}
	last := min(a.group.last, a.used+window)
	var behind *aheadColumn
	for i := range a.columns {
		c := &a.columns[i]
		if !c.busy && c.err == nil && c.next < last && (behind == nil || c.next < behind.next) {
			behind = c
		}
	}
	return behind
}

// decode decodes the next block of a column. The lock is not held meanwhile.
func (a *ahead) decode(c *aheadColumn) {
	slot := &a.ring[c.next%int64(len(a.ring))]
	r, at := &slot.rows, (c.next-a.group.first)*a.block
	r.group, r.start, r.n = a.group.number, a.group.start+at, int(min(a.block, a.group.rows-at))
	r.first = a.s.block.first + r.start
	block, n, group := r.cols[c.want], r.n, r.group
	c.busy = true
	a.mu.Unlock()
	locked := false
	defer func() {
		if !locked { // a panic is on its way
			a.mu.Lock()
		}
	}()
	before := block.Size()
	got, err := c.cursor.Next(block, n)
	if err == nil && got != n {
		err = &pages.FormatError{Group: group, Column: a.file.shown[c.want].Path, Err: io.ErrUnexpectedEOF}
	}
	more := block.Size() - before
	a.mu.Lock()
	locked = true
	c.busy, c.err = false, err
	if err == nil {
		c.next++
	}
	slot.bytes += more
	a.held += more
	if a.decoded() {
		a.ready.Signal()
	}
}

// nextGroup begins the next row group once all columns are done with this one,
// and reports whether it did anything.
func (a *ahead) nextGroup() bool {
	if a.end >= 0 {
		return false
	}
	for i := range a.columns {
		if c := &a.columns[i]; c.busy || c.err != nil || c.next < a.group.last {
			return false
		}
	}
	a.closeCursors()
	g := groupSpan{number: a.group.number + 1, start: a.group.start + a.group.rows, first: a.group.last}
	if g.number == a.file.pages.Groups() {
		a.finish(nil)
		return true
	}
	for i := range a.columns {
		c := &a.columns[i]
		var err error
		if c.cursor, err = a.s.cursor(a.file, g.number, c.want); err != nil {
			a.finish(err)
			return true
		}
	}
	g.rows = a.file.pages.GroupRows(g.number)
	g.last = g.first + g.rows/a.block
	if g.rows%a.block > 0 {
		g.last++
	}
	a.group = g
	a.free.Broadcast()
	return true
}

// finish notes that no block follows the blocks of the current group.
func (a *ahead) finish(err error) {
	a.end, a.endErr = a.group.last, err
	a.ready.Signal()
}
