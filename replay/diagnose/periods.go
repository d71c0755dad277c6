package diagnose

import (
	"slices"

	"banditaudit/ingest/tableau"
)

// periods are the stretches between two updates of a declared schedule, within
// a window of rounds 1, …, end−1. Rounds are counted within the experiment.
type periods struct {
	every  int64   // a period begins in rounds 1, 1+every, …; 0: in starts
	starts []int64 // first rounds of batches, ascending from 1
	end    int64
}

// batchStarts finds the periods of a log whose policy learns by batches, within
// rows rows.
func batchStarts(s *tableau.Slice, rows int64) *periods {
	p := &periods{end: rows + 1, starts: []int64{1}}
	last := int32(0)
	for i := range s.Chunks() {
		c := s.Chunk(i)
		if c.Start >= rows {
			break
		}
		for row, batch := range c.Batch {
			if t := c.Start + int64(row) + 1; t > 1 && t <= rows && batch != last {
				p.starts = append(p.starts, t)
			}
			last = batch
		}
	}
	return p
}

// of returns the period [from, to) of round t.
func (p *periods) of(t int64) (from, to int64) {
	if p.every > 0 {
		from = t - (t-1)%p.every
		return from, from + p.every
	}
	i, found := slices.BinarySearch(p.starts, t)
	if !found {
		i--
	}
	to = p.end
	if i+1 < len(p.starts) {
		to = p.starts[i+1]
	}
	return p.starts[i], to
}

// begins reports whether a period begins with round t.
func (p *periods) begins(t int64) bool {
	from, _ := p.of(t)
	return from == t
}

// shifted returns a schedule that learns by rounds after the periods begin; before it,
// where by is below 0.
func (p *periods) shifted(by int64) func(t int64) bool {
	return func(t int64) bool { return t-by >= 1 && t-by < p.end && p.begins(t-by) }
}

// halved returns a schedule that learns when a period begins, and once more in
// its middle: up or down from it, where there is none.
func (p *periods) halved(up bool) func(t int64) bool {
	return func(t int64) bool {
		from, to := p.of(t)
		half := (to - from) / 2
		if up {
			half = (to - from + 1) / 2
		}
		return t == from || t == from+half
	}
}
