package ingest

import (
	"context"
	"sync"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
)

// ahead decodes the blocks of one file ahead of their use, on goroutines of its
// own. A column of a row group is decoded from front to back, by one goroutine
// at a time; a goroutine takes the free column that is furthest behind, so that
// all work on one row group, and its buffers take no more memory than when one
// goroutine reads it. What the blocks hold and the order in which they come do
// not depend on the number of goroutines, nor does the error that ends them: it
// is the first by block, then by column.
type ahead struct {
	s     *scanner
	file  *logFile
	limit int64 // bytes of blocks beyond which nothing is decoded ahead
	block int64 // rows of a block

	mu      sync.Mutex
	ready   sync.Cond // the visitor waits for a block
	free    sync.Cond // the goroutines wait for something to do
	ring    []slot    // block k is in slot k mod len(ring)
	columns []aheadColumn
	group   groupSpan // being decoded
	used    int64     // blocks that were given back
	held    int64     // bytes of the blocks in the ring
	end     int64     // blocks of the file, once that is known; else -1
	endErr  error     // why there are no more
	stop    bool
	panicky error
	workers sync.WaitGroup
}

// slot is a block in the ring.
type slot struct {
	rows  rows
	bytes int64
}

// aheadColumn is a column that was asked for.
type aheadColumn struct {
	want   int
	cursor cell.Cursor
	next   int64 // block to be decoded next
	busy   bool  // a goroutine is at it
	err    error // of block next
}

// groupSpan says which rows and blocks of the file a row group has.
type groupSpan struct {
	number      int
	start, rows int64
	first, last int64 // blocks [first, last)
}

// aheadBlocks bounds the blocks that are decoded ahead: as many as make a row
// group of DuckDB, whose pages are as long as the group, so that the next group
// is inflated while this one is used.
const aheadBlocks = 16

// aheadShare and twoShare are the parts of the budget, as divisors, that blocks
// may take beside it: as many as are decoded ahead, and two of them, which is
// the least for decoding one while the other is used.
const (
	aheadShare = 24
	twoShare   = 8
)

// aheadSize returns how many blocks of a file fit, and the bytes beyond which
// nothing is decoded ahead because they turn out larger, as texts do.
func (s *scanner) aheadSize(f *logFile) (blocks int, limit int64) {
	row, budget := int64(1), s.log.budget.Limit()
	for i, b := range s.block.cols {
		switch {
		case b == nil:
		case f.shown[i].Kind == pages.Text:
			row += 48 * int64(max(s.width(i), 1))
		default:
			row += 9 * int64(max(s.width(i), 1))
		}
	}
	size := row * int64(rowsPerBlock(s.shapes))
	blocks = int(max(1, min(aheadBlocks, budget/aheadShare/size)))
	if blocks == 1 && 2*size <= budget/twoShare {
		blocks = 2
	}
	return blocks, max(budget/aheadShare, int64(blocks)*(size+size/2))
}

// newAhead prepares to decode a file.
func (s *scanner) newAhead(f *logFile) *ahead {
	blocks, limit := s.aheadSize(f)
	a := &ahead{s: s, file: f, limit: limit, block: int64(rowsPerBlock(s.shapes)), ring: make([]slot, blocks), end: -1}
	a.ready.L, a.free.L = &a.mu, &a.mu
	a.group.number = -1
	for i, b := range s.block.cols {
		if b != nil {
			a.columns = append(a.columns, aheadColumn{want: i})
		}
	}
	for i := range a.ring {
		r := &a.ring[i].rows
		*r = s.block
		r.cols = make([]*pages.Block, len(s.block.cols))
		for k := range a.columns {
			r.cols[a.columns[k].want] = new(pages.Block)
		}
	}
	return a
}

// start starts goroutines. Close must be called.
func (a *ahead) start(jobs int) {
	for range jobs {
		a.workers.Go(a.work)
	}
}

// run visits the blocks in order.
func (a *ahead) run(ctx context.Context, visit func(*rows) error) error {
	for {
		if err := fault.Stopped(ctx); err != nil {
			return err
		}
		block, err := a.wait()
		if err != nil || block == nil {
			return err
		}
		if err := visit(block); err != nil {
			return err
		}
		n := int64(block.n)
		a.giveBack()
		if a.s.progress != nil {
			a.s.progress(n)
		}
	}
}

// wait returns the next block once it is decoded; nil after the last.
func (a *ahead) wait() (*rows, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		switch {
		case a.panicky != nil:
			panic(a.panicky)
		case a.end >= 0 && a.used >= a.end:
			return nil, a.endErr
		case a.decoded():
			for i := range a.columns {
				if c := &a.columns[i]; c.err != nil && c.next == a.used {
					return nil, c.err
				}
			}
			return &a.ring[a.used%int64(len(a.ring))].rows, nil
		}
		a.ready.Wait()
	}
}

// decoded reports whether all columns of the block to be used next are decoded,
// or failed.
func (a *ahead) decoded() bool {
	for i := range a.columns {
		if c := &a.columns[i]; c.next <= a.used && c.err == nil {
			return false
		}
	}
	return a.used < a.group.last
}

// giveBack lets the memory of the block that was used be used again.
func (a *ahead) giveBack() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if slot := &a.ring[a.used%int64(len(a.ring))]; a.held > a.limit {
		for i := range a.columns {
			*slot.rows.cols[a.columns[i].want] = pages.Block{}
		}
		a.held -= slot.bytes
		slot.bytes = 0
	}
	a.used++
	a.free.Broadcast()
}

// close stops the goroutines and waits for them.
func (a *ahead) close() {
	a.mu.Lock()
	a.stop = true
	a.free.Broadcast()
	a.mu.Unlock()
	a.workers.Wait()
	a.closeCursors()
}

func (a *ahead) closeCursors() {
	for i := range a.columns {
		if c := &a.columns[i]; c.cursor != nil {
			c.cursor.Close()
			c.cursor = nil
		}
	}
}
