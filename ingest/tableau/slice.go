package tableau

import (
	"math/bits"
	"slices"
)

// Slice is one experiment of a tableau: a unit that can be replayed and
// analysed alone. Its methods are safe for concurrent use.
type Slice struct {
	t     *Tableau
	index int
	rng   Range
	first int   // the record batch in which it begins
	at    int64 // its first row there: 0, unless all its rows are of that batch
	shift uint  // log₂ of the rows of a chunk, at most log₂ of a record batch's
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
func (s *Slice) BatchCount() int { return int(s.counts().batches) }

// UnitCount returns the number of units; 0 where the tableau has none.
func (s *Slice) UnitCount() int64 { return s.counts().units }

func (s *Slice) counts() (c counts) {
	if s.t.counts != nil {
		c = s.t.counts[s.index]
	}
	return c
}

// Strata returns the number of strata, of which it looks at every row; 1 where the tableau has
// none.
func (s *Slice) Strata() int64 {
	n := int64(1)
	for i := 0; s.t.schema.Stratum && i < s.Chunks(); i++ {
		n = max(n, slices.Max(s.Chunk(i).Stratum)+1)
	}
	return n
}

// Chunks returns the number of chunks: the record batches that the experiment
// touches, ⌈Rows() / Schema.BatchRows⌉, or of a Finer slice parts of them.
func (s *Slice) Chunks() int { return int((s.rng.Rows-1)>>s.shift) + 1 }

// Finer returns the experiment in chunks of at most the given number of rows, or of one
// row.
func (s *Slice) Finer(rows int) *Slice {
	f := *s
	f.shift = min(s.shift, uint(bits.Len(uint(max(1, rows)))-1))
	return &f
}

// Locate returns where a row, in [0, Rows()), lies: in row at of Chunk(chunk).
func (s *Slice) Locate(row int64) (chunk, at int) {
	return int(row >> s.shift), int(row & (1<<s.shift - 1))
}

// cut returns the batch of chunk i, the rows [from, to) of it that belong to
// the experiment, and the row within the experiment of the first.
func (s *Slice) cut(i int) (b *batch, from, to, start int64) {
	start = int64(i) << s.shift
	b, from = &s.t.batches[s.first+s.batchAt(start)], s.at+start&(s.t.layout.batchRows()-1)
	return b, from, min(b.rows, from+min(1<<s.shift, s.rng.Rows-start)), start
}

// batchAt is which of its record batches a row of the experiment is in, from 0.
func (s *Slice) batchAt(row int64) int { return int(row >> s.t.layout.shift) }

// Firsts says which rows are the first of their unit. It goes over the chunks of
// an experiment in order, and holds one bit for each unit. The zero value is not
// to be used; see Slice.Firsts.
type Firsts struct {
	seen []uint64
	mask []bool
	n    int64
}

// Firsts begins before the first chunk. It panics where the tableau has no units.
func (s *Slice) Firsts() *Firsts {
	if !s.t.schema.Unit {
		panic(errNoUnits)
	}
	const word = 64
	return &Firsts{seen: make([]uint64, (s.UnitCount()+word-1)/word)}
}

// Next says of every row of the next chunk whether it is the first of its unit.
// What is returned is used again by the next call.
func (f *Firsts) Next(c *Chunk) []bool {
	const word = 64
	f.mask = append(f.mask[:0], make([]bool, len(c.Unit))...)
	for row, unit := range c.Unit {
		bit := uint64(1) << (unit % word)
		if f.seen[unit/word]&bit == 0 {
			f.seen[unit/word] |= bit
			f.mask[row] = true
			f.n++
		}
	}
	return f.mask
}

// Count is how many units have been met.
func (f *Firsts) Count() int64 { return f.n }
