package kit

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Progress draws one line on a terminal for anything that takes longer than
// two seconds: rows, or what else is counted, by second too, share, time left. Rows are counted each
// time that they are read, sorted or hashed, as the stage reports them.
type Progress struct {
	p     *Process
	stage string
	Unit  string // what is counted
	on    bool
	mu    sync.Mutex
	start time.Time
	drawn time.Time
	done  atomic.Int64 // by count
}

const (
	progressDelay = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

// NewProgress starts the line of a stage, which counts rows.
func (s *Settings) NewProgress(stage string) *Progress {
	return &Progress{p: s.Process, stage: stage, Unit: "rows", on: s.progress, start: s.Process.Now()}
}

// Count is update by n more, of nobody knows how many.
func (b *Progress) Count(n int64) { b.Update(b.done.Add(n), 0) }

// Update draws that done of total are done; a total of 0 is not known.
func (b *Progress) Update(done, total int64) {
	if !b.on {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.p.Now()
	elapsed := now.Sub(b.start)
	if elapsed < progressDelay || now.Sub(b.drawn) < progressEvery || done <= 0 {
		return
	}
	b.drawn = now
	rate := float64(done) / elapsed.Seconds()
	if total == 0 {
		fmt.Fprintf(b.p.Stderr, "\r\x1b[K%s: %s %s read, %s %s/s, %s", b.stage, shortNumber(float64(done)), b.Unit, shortNumber(rate), b.Unit, elapsed.Round(time.Second))
		return
	}
	done = min(done, total)
	left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
	fmt.Fprintf(b.p.Stderr, "\r\x1b[K%s: %s of %s %s (%.0f %%), %s %s/s, %s left",
		b.stage, shortNumber(float64(done)), shortNumber(float64(total)), b.Unit, 100*float64(done)/float64(max(total, 1)), shortNumber(rate), b.Unit, left)
}

// shortNumber is a count that is read at a glance: 9999, 10.0 k, 1.2 M.
func shortNumber(v float64) string {
	const plain = 10_000
	if v < plain {
		return fmt.Sprintf("%.0f", v)
	}
	unit := ""
	for _, next := range []string{"k", "M", "G", "T"} {
		if v < 1000 {
			break
		}
		v, unit = v/1000, next
	}
	if v < 100 {
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.0f %s", v, unit)
}

// Again is update of a stage that there may be many times, or never: each begins where
// nothing is done, and its line is wiped where all is.
func (b *Progress) Again(done, total int64) {
	switch done {
	case 0:
		b.mu.Lock()
		b.start = b.p.Now()
		b.mu.Unlock()
	case total:
		b.End()
	default:
		b.Update(done, total)
	}
}

// End wipes the line.
func (b *Progress) End() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.drawn.IsZero() {
		fmt.Fprint(b.p.Stderr, "\r\x1b[K")
		b.drawn = time.Time{}
	}
}
