package tableau

// Slice is one experiment of a tableau: a unit that can be replayed and
// analysed alone. Its methods are safe for concurrent use.
type Slice struct {
	t     *Tableau
	index int
	rng   Range
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

// Schema returns what the tableau was opened with: which columns it has.
func (s *Slice) Schema() Schema { return s.t.schema }

// BatchCount returns the number of batches; 0 where the tableau has none.
func (s *Slice) BatchCount() int { return int(s.t.counts[s.index].batches) }

// UnitCount returns the number of units; 0 where the tableau has none.
func (s *Slice) UnitCount() int64 { return s.t.counts[s.index].units }

// Chunks returns the number of chunks: the record batches that the experiment
// touches. It depends on the experiment's place in the file alone.
func (s *Slice) Chunks() int {
	shift := s.t.layout.shift
	first, last := s.rng.Offset>>shift, (s.rng.Offset+s.rng.Rows-1)>>shift
	return int(last - first + 1)
}

// Locate returns where a row, in [0, Rows()), lies: in row at of Chunk(chunk).
func (s *Slice) Locate(row int64) (chunk, at int) {
	shift := s.t.layout.shift
	first := s.rng.Offset >> shift << shift // row in the file of chunk 0's batch
	batch := (s.rng.Offset + row - first) >> shift
	if batch == 0 {
		return 0, int(row)
	}
	return int(batch), int(s.rng.Offset + row - first - batch<<shift)
}

// cut returns the batch of chunk i, the rows [from, to) of it that belong to
// the experiment, and the row within the experiment of the first.
func (s *Slice) cut(i int) (b *batch, from, to, start int64) {
	shift := s.t.layout.shift
	index := s.rng.Offset>>shift + int64(i)
	first := index << shift // row in the file of the batch's first row
	from = max(0, s.rng.Offset-first)
	b = &s.t.batches[index]
	to = min(b.rows, s.rng.Offset+s.rng.Rows-first)
	return b, from, to, first + from - s.rng.Offset
}
