package tableau

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// Book is told of every use of rewards before it happens. An error refuses the
// use.
type Book interface {
	// Release books that the mechanism with the given law is fed with the
	// rewards of so many rows.
	Release(law string, rows int64) error
	// Disclose books one exact read of the rewards of so many rows. Columns
	// are those read together: "reward", then the public ones.
	Disclose(purpose string, rows int64, columns []string) error
}

// Adder takes one reward of one arm: what a mechanism is fed through.
type Adder interface {
	Add(arm int, reward float64)
}

// Rewards are the rewards of one experiment, disclosed for one purpose.
type Rewards struct {
	s *Slice
}

// Disclose books one exact read of the experiment's rewards for the purpose,
// such as "test:H1", beside the public columns named, and returns them. It
// books once, however often the rewards are then walked over. Errors are those
// of the book; ErrDamaged when a reward is not finite or outside the schema's
// range; and ErrFault.
func (s *Slice) Disclose(book Book, purpose string, columns ...string) (*Rewards, error) {
	read := append([]string{"reward"}, columns...)
	if err := book.Disclose(purpose, s.rng.Rows, read); err != nil {
		return nil, fmt.Errorf("tableau: experiment %q: %w", s.rng.ID, err)
	}
	if err := s.checkRewards(); err != nil {
		return nil, err
	}
	return &Rewards{s}, nil
}

// Chunk returns the rewards of the rows of Slice.Chunk(i). Nothing is copied;
// what holds for the slices of a Chunk holds here.
func (r *Rewards) Chunk(i int) []float64 {
	b, from, to, _ := r.s.cut(i)
	return arrow.Float64Traits.CastFromBytes(b.columns[colReward])[from:to:to]
}

// Feed hands rewards to a mechanism, one row at a time.
type Feed struct {
	to     Adder
	offset int64
	rows   int64
	arm    [][]int32   // by record batch
	reward [][]float64 // by record batch
}

// Feed books once that the mechanism of the given law is fed with the
// experiment's rewards, and returns what feeds it. Errors are as of Disclose.
func (s *Slice) Feed(book Book, law string, to Adder) (*Feed, error) {
	if err := book.Release(law, s.rng.Rows); err != nil {
		return nil, fmt.Errorf("tableau: experiment %q: %w", s.rng.ID, err)
	}
	if err := s.checkRewards(); err != nil {
		return nil, err
	}
	first := s.rng.Offset >> batchShift
	f := &Feed{to: to, offset: s.rng.Offset - first<<batchShift, rows: s.rng.Rows}
	for i := range s.Chunks() {
		b := &s.t.batches[first+int64(i)]
		f.arm = append(f.arm, arrow.Int32Traits.CastFromBytes(b.columns[colArm]))
		f.reward = append(f.reward, arrow.Float64Traits.CastFromBytes(b.columns[colReward]))
	}
	return f, nil
}

// errRow is the message of Row's panic, a broken invariant of the caller.
const errRow = "tableau: row outside the experiment"

// Row hands the reward and the arm of one row, in [0, Rows()) within the
// experiment, to the mechanism. It panics on a row outside.
func (f *Feed) Row(row int64) {
	if row < 0 || row >= f.rows {
		panic(errRow)
	}
	at := f.offset + row
	i, j := at>>batchShift, at&(BatchRows-1)
	f.to.Add(int(f.arm[i][j]), f.reward[i][j])
}

// checkRewards reports the first reward of the slice that is not finite or
// lies outside the declared range, by its row and never by its value.
func (s *Slice) checkRewards() error {
	lo, hi := s.t.schema.Reward[0], s.t.schema.Reward[1]
	if lo == 0 && hi == 0 {
		lo, hi = -maxFinite, maxFinite
	}
	return s.Guard(func() error {
		for i := range s.Chunks() {
			b, from, to, start := s.cut(i)
			for j, y := range arrow.Float64Traits.CastFromBytes(b.columns[colReward])[from:to] {
				if !(y >= lo && y <= hi) { // so that NaN fails
					return fmt.Errorf("tableau: %s: %w: experiment %q, row %d: the reward is not in the declared range", s.t.path, ErrDamaged, s.rng.ID, start+int64(j))
				}
			}
		}
		return nil
	})
}

// maxFinite is the largest finite float64.
const maxFinite = 0x1p1023 * (1 + (1 - 0x1p-52))
