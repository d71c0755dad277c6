package moments

import (
	"math"

	"banditaudit/analyze/stat/moments/simd"
)

const (
	// sortRows is how many rows are ordered by arm at a time, at least: a column
	// of them fits the first-level cache and all columns the second.
	sortRows = 2048
	// armRows is how many rows of each arm there should be among them, if the
	// chunk has as many, for tiles worth multiplying.
	armRows = 32
)

// AddByArm scatters the rows of a chunk: row t is added to dst[arm[t]].
// x[j][t] is covariate j of row t and y[t] its response; arm, y and every
// column have equal length, and every accumulator that is not nil has len(x)
// covariates; otherwise it panics. A row whose arm is negative, or whose
// accumulator is nil, is skipped. It returns an error that names the row if an
// arm is len(dst) or more; dst then is as it was before.
func AddByArm(dst []*Cross, arm []int32, x [][]float64, y []float64) error {
	return NewByArm(dst).Add(arm, x, y)
}

// ByArm scatters chunk after chunk to the accumulators of arms, as AddByArm
// does, and keeps its working memory. It is not safe for concurrent use.
type ByArm struct {
	dst    []*Cross
	p      int // covariates; −1 without accumulators
	kernel simd.Kernel
	sorter *sorter
	block  *block
}

// NewByArm returns what adds rows to dst. All accumulators that are not nil
// have the same number of covariates, otherwise NewByArm panics.
func NewByArm(dst []*Cross) *ByArm {
	s := &ByArm{dst: dst, p: -1, kernel: simd.New(), sorter: newSorter(len(dst))}
	for _, c := range dst {
		switch {
		case c == nil:
		case s.p < 0:
			s.p = c.P()
		case s.p != c.P():
			panic(badLength)
		}
	}
	return s
}

// Add adds a chunk, given and refused as by AddByArm.
func (s *ByArm) Add(arm []int32, x [][]float64, y []float64) error {
	for _, col := range x {
		if len(col) != len(y) {
			panic(badLength)
		}
	}
	if s.p >= 0 && len(x) != s.p {
		panic(badLength)
	}
	return s.scatter(arm, &chunk{x, 1, y})
}

// AddRows adds a chunk whose covariates are given row after row, as a list
// column holds them: covariate j of row t is x[t·p+j]. Other than the p values
// for each row, or 2³¹ values or more, make it panic; the rest is as of Add.
func (s *ByArm) AddRows(arm []int32, x, y []float64) error {
	p := max(s.p, 0)
	if s.p >= 0 && len(x) != p*len(y) || len(x) > math.MaxInt32 {
		panic(badLength)
	}
	cols := make([][]float64, p)
	for j := range cols {
		cols[j] = tail(x, j)
	}
	return s.scatter(arm, &chunk{cols, p, y})
}

func (s *ByArm) scatter(arm []int32, t *chunk) error {
	if len(arm) != len(t.y) {
		panic(badLength)
	}
	if err := checkArms(arm, len(s.dst)); err != nil || s.p < 0 {
		return err
	}
	size := min(max(sortRows, armRows*len(s.dst)), len(arm))
	if room := size + 4*min(size, len(s.dst)); s.block == nil || len(s.block.rows) < room {
		s.block = newBlock(s.p+1, room, s.kernel)
	}
	for start := 0; start < len(arm); start += size {
		end := min(start+size, len(arm))
		s.sorter.sort(s.block.rows, arm, start, end)
		for a, c := range s.dst {
			if c != nil {
				s.block.add(a, s.sorter.start(a), s.sorter.rows(a))
			}
		}
		s.block.run(s.dst, t, start, end)
	}
	return nil
}

// sorter orders rows by arm and keeps their order within an arm.
type sorter struct {
	count []int32 // of arm a at a+1; 0 counts the rows to be skipped
	next  []int32 // likewise: where the next row of the arm goes
}

func newSorter(arms int) *sorter {
	return &sorter{count: make([]int32, arms+1), next: make([]int32, arms+1)}
}

// sort is a counting sort of the rows from…to−1. The rows of each arm begin at
// a multiple of four, and dst has room for that; those to be skipped come last.
func (s *sorter) sort(dst, arm []int32, from, to int) {
	count, next, part := s.count, s.next, arm[from:to] // locals stay in registers
	clear(count)
	for _, a := range part {
		count[max(a, -1)+1]++
	}
	at := int32(0)
	for a, n := range count[1:] {
		next[a+1] = at
		at += (n + 3) &^ 3
	}
	next[0] = at
	for t, a := range part {
		a = max(a, -1) + 1
		place := next[a]
		next[a] = place + 1
		dst[place] = int32(from + t) //nolint:gosec // a chunk has at most 2³¹ rows
	}
}

// rows is the number of rows of an arm.
func (s *sorter) rows(arm int) int { return int(s.count[arm+1]) }

// start is where the rows of an arm begin.
func (s *sorter) start(arm int) int { return int(s.next[arm+1] - s.count[arm+1]) }
