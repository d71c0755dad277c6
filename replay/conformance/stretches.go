package conformance

import (
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

const (
	// mostBatches bounds PropensityReplay.Batches.
	mostBatches = 512
	// mostStretches bounds it where no batches are logged.
	mostStretches = 100
	// leastStretch is the length of a stretch of rounds where no batches are
	// logged, unless the log is too long for that.
	leastStretch = 100
)

// stretches cut a log into what the comparison is reported by: its batches, or
// where none are logged stretches of equal length, of
//
//	max(100, ⌈T/100⌉) rounds.
//
// Of B > 512 batches ⌈B/512⌉ neighbours are one stretch.
type stretches struct {
	batches bool
	width   int64 // batches, or rounds, of a stretch
	at      int64 // number of the present stretch
	out     []schemas.PropensityBatch
}

func newStretches(s *tableau.Slice) *stretches {
	if n := int64(s.BatchCount()); s.Schema().Batch && n > 0 {
		return &stretches{batches: true, width: (n + mostBatches - 1) / mostBatches, at: -1}
	}
	return &stretches{width: max(leastStretch, (s.Rows()+mostStretches-1)/mostStretches), at: -1}
}

// round adds a round with the given largest deviation.
func (s *stretches) round(l *logged, size float64, beyond bool) {
	number := l.chunk.Start + int64(l.row)
	if s.batches {
		number = int64(l.chunk.Batch[l.row])
	}
	if number /= s.width; number != s.at {
		s.at = number
		s.out = append(s.out, schemas.PropensityBatch{First: l.round()})
	}
	b := &s.out[len(s.out)-1]
	b.Last = l.round()
	b.Rounds++
	b.Largest = max(b.Largest, size)
	if beyond {
		b.Beyond++
	}
}
