package main

import (
	"fmt"
	"sync"
	"time"
)

// progress draws one line on a terminal for anything that takes longer than
// two seconds: rows, rows per second, share, time left.
type progress struct {
	p     *process
	stage string
	on    bool
	mu    sync.Mutex
	start time.Time
	drawn time.Time
}

const (
	progressDelay = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

func newProgress(p *process, s *settings, stage string) *progress {
	return &progress{p: p, stage: stage, on: s.progress, start: p.now()}
}

func (b *progress) update(done, total int64) {
	if !b.on {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.p.now()
	elapsed := now.Sub(b.start)
	if elapsed < progressDelay || now.Sub(b.drawn) < progressEvery || done <= 0 {
		return
	}
	b.drawn = now
	rate := float64(done) / elapsed.Seconds()
	left := time.Duration(float64(max(total-done, 0)) / rate * float64(time.Second)).Round(time.Second)
	fmt.Fprintf(b.p.stderr, "\r\x1b[K%s: %d of %d rows (%.0f %%), %.3g rows/s, %s left", b.stage, done, total, 100*float64(done)/float64(max(total, 1)), rate, left)
}

// end wipes the line.
func (b *progress) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.drawn.IsZero() {
		fmt.Fprint(b.p.stderr, "\r\x1b[K")
	}
}
