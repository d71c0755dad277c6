package tableau

import "github.com/apache/arrow/go/v17/arrow"

// Slice is one experiment of a tableau: a unit that can be replayed and
// analysed alone. Its methods are safe for concurrent use.
type Slice struct {
	t   *Tableau
	rng Range
}

// Chunk is a block of consecutive rows of one experiment: the public columns,
// without the reward. The slices point into the mapped file: they must not be
// written to, nor used after Close, and are best read under Slice.Guard.
type Chunk struct {
	Start      int64       // row of the first within the experiment, from 0
	Round      []int64     // strictly increasing, from 1
	Arm        []int32     // in [0, K)
	Propensity []float64   // in [MinPropensity, 1]; nil when none was logged
	X          [][]float64 // by column: d slices of len(Arm) finite values
}

// ID returns the experiment's id.
func (s *Slice) ID() string { return s.rng.ID }

// Rows returns the number of rows, at least 1.
func (s *Slice) Rows() int64 { return s.rng.Rows }

// Arms returns the number K of arms.
func (s *Slice) Arms() int { return s.t.schema.Arms }

// ContextDim returns the number d of context columns.
func (s *Slice) ContextDim() int { return s.t.schema.ContextDim }

// HasPropensity reports whether a propensity was logged.
func (s *Slice) HasPropensity() bool { return s.t.schema.Propensity }

// Chunks returns the number of chunks: the record batches that the experiment
// touches. It depends on the experiment's place in the file alone.
func (s *Slice) Chunks() int {
	first, last := s.rng.Offset>>batchShift, (s.rng.Offset+s.rng.Rows-1)>>batchShift
	return int(last - first + 1)
}

// Chunk returns chunk i, in [0, Chunks()): record batch i of those that the
// experiment touches, cut at the experiment's ends. Nothing is copied.
func (s *Slice) Chunk(i int) Chunk {
	b, from, to, start := s.cut(i)
	c := Chunk{
		Start: start,
		Round: arrow.Int64Traits.CastFromBytes(b.columns[colRound])[from:to:to],
		Arm:   arrow.Int32Traits.CastFromBytes(b.columns[colArm])[from:to:to],
		X:     make([][]float64, s.t.schema.ContextDim),
	}
	if p := s.t.schema.colPropensity(); p >= 0 {
		c.Propensity = arrow.Float64Traits.CastFromBytes(b.columns[p])[from:to:to]
	}
	for j := range c.X {
		c.X[j] = arrow.Float64Traits.CastFromBytes(b.columns[s.t.schema.colContext()+j])[from:to:to]
	}
	return c
}

// cut returns the batch of chunk i, the rows [from, to) of it that belong to
// the experiment, and the row within the experiment of the first.
func (s *Slice) cut(i int) (b *batch, from, to, start int64) {
	index := s.rng.Offset>>batchShift + int64(i)
	first := index << batchShift // row in the file of the batch's first row
	from = max(0, s.rng.Offset-first)
	b = &s.t.batches[index]
	to = min(b.rows, s.rng.Offset+s.rng.Rows-first)
	return b, from, to, first + from - s.rng.Offset
}
