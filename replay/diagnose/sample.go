package diagnose

import "slices"

// Hypotheses are tried on rows of a window that begins with the log and ends
// windowRows rounds after the first mismatch: what a policy shows depends on all
// that it saw before. Of the window at most evenRows rows are taken at equal
// distances, and at most as many of those that are beyond tolerance, fewer where
// there are many arms, so that a sample has about sampleCells propensities.
const (
	windowRows  = 20_000
	evenRows    = 1024
	leastRows   = 64
	sampleCells = 1 << 19
)

// Sample chooses the rows on which hypotheses are tried. It looks at no more
// than which rows are beyond tolerance, and in what order they come.
type Sample struct {
	rows   int64 // of the log
	most   int   // rows of either kind
	window int64 // rows of the log before its end; 0: there is no mismatch yet
	found  []int64
	seen   int64 // rows beyond tolerance within the window
	every  int64 // of these, one out of every rows is kept
}

// NewSample begins the sample of a log of the given numbers of rows and arms.
func NewSample(rows int64, arms int) *Sample {
	return &Sample{rows: rows, most: max(leastRows, min(evenRows, sampleCells/max(1, arms))), every: 1}
}

// Beyond says that a row, from 0, is beyond tolerance. Rows come in order.
func (s *Sample) Beyond(row int64) {
	if s.window == 0 {
		s.window = min(s.rows, row+windowRows)
	}
	if row >= s.window {
		return
	}
	if s.seen%s.every == 0 {
		if len(s.found) == s.most { // keep every second, from the first on
			for i := 0; i < len(s.found); i += 2 {
				s.found[i/2] = s.found[i]
			}
			s.found = s.found[:(len(s.found)+1)/2]
			s.every *= 2
		}
		if s.seen%s.every == 0 {
			s.found = append(s.found, row)
		}
	}
	s.seen++
}

// First returns the first row beyond tolerance; there must be one.
func (s *Sample) First() int64 { return s.found[0] }

// Chosen returns the rows of the sample in order.
func (s *Sample) Chosen() []int64 {
	rows := slices.Clone(s.found)
	n := min(int64(s.most), s.window)
	for i := range n {
		rows = append(rows, i*s.window/n)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}
