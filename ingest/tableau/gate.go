package tableau

import (
	"fmt"
	"math"
	"slices"
)

// Book is told of every use of rewards before it happens. An error refuses the
// use.
type Book interface {
	// Release books that the mechanism with the given law is fed with the
	// rewards of the given number of rows.
	Release(law string, rows int64) error
	// Disclose books one exact read of the rewards of the given number of rows. columns lists
	// the columns read together: "reward", then the public ones.
	Disclose(purpose string, rows int64, columns []string) error
}

// Adder takes one reward of one arm: what a mechanism is fed through.
type Adder interface {
	Add(arm int, reward float64)
}

// Rewards are the rewards of one experiment, disclosed for one purpose.
type Rewards struct {
	s       *Slice
	allArms bool
}

// Disclose books one exact read of the experiment's rewards for the purpose,
// such as "test:H1", beside the columns named, and returns them. It books once,
// however often the rewards are then walked over. It returns errors of the book; ErrDamaged
// when a reward is not finite or outside the schema's range, missing where none may be, or
// not the reward of the logged arm in reward_by_arm; and ErrFault. The rewards are checked
// at the first use of the experiment's and not again while the tableau is open. A column
// RewardByArm that the schema does not have is an error.
func (s *Slice) Disclose(book Book, purpose string, columns ...string) (*Rewards, error) {
	all := slices.Contains(columns, RewardByArm)
	if all && s.t.layout.at[colRewardByArm] < 0 {
		return nil, fmt.Errorf("tableau: experiment %q has no %s to disclose", s.rng.ID, RewardByArm)
	}
	read := append([]string{Reward}, columns...)
	if err := book.Disclose(purpose, s.rng.Rows, read); err != nil {
		return nil, fmt.Errorf("tableau: experiment %q: %w", s.rng.ID, err)
	}
	if err := s.checkRewards(); err != nil {
		return nil, err
	}
	return &Rewards{s, all}, nil
}

// Chunk returns the rewards of the rows of Slice.Chunk(i), NaN where one is
// missing. Nothing is copied; what holds for the slices of a Chunk holds here.
func (r *Rewards) Chunk(i int) []float64 {
	b, from, to, _ := r.s.cut(i)
	return b.float64s(colReward, from, to)
}

// Arms returns the arms of the rows of Slice.Chunk(i) with -1 where the reward
// is missing: the chunk's own slice where none is, and a copy else.
func (r *Rewards) Arms(i int) []int32 {
	b, from, to, start := r.s.cut(i)
	arms := b.int32s(colArm, from, to)
	if !r.s.gate().missing(r.s.batchAt(start)) {
		return arms
	}
	arms = slices.Clone(arms)
	for j, y := range b.float64s(colReward, from, to) {
		if math.IsNaN(y) {
			arms[j] = -1
		}
	}
	return arms
}

// Missing returns the number of rows whose reward is missing.
func (r *Rewards) Missing() int64 { return r.s.gate().rows }

// AllArms returns the n·K rewards of every arm, by row, then arm, of the rows
// of Slice.Chunk(i), NaN where one is missing; nil unless Disclose was told
// that RewardByArm is read. Nothing is copied.
func (r *Rewards) AllArms(i int) []float64 {
	if !r.allArms {
		return nil
	}
	b, from, to, _ := r.s.cut(i)
	k := int64(r.s.t.schema.Arms)
	return b.float64s(r.s.t.layout.at[colRewardByArm], from*k, to*k)
}

// Feed hands rewards to a mechanism, one row at a time.
type Feed struct {
	to     Adder
	s      *Slice
	arm    [][]int32   // by chunk
	reward [][]float64 // by chunk
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
	f := &Feed{to: to, s: s}
	for i := range s.Chunks() {
		b, from, to, _ := s.cut(i)
		f.arm = append(f.arm, b.int32s(colArm, from, to))
		f.reward = append(f.reward, b.float64s(colReward, from, to))
	}
	return f, nil
}

// To feeds another run of the same mechanism, for what the feed was booked for.
func (f *Feed) To(other Adder) *Feed {
	out := *f
	out.to = other
	return &out
}

// errRow is the message of Row's panic, a broken invariant of the caller.
const errRow = "tableau: row outside the experiment"

// Row hands the reward and the arm of one row, in [0, Rows()) within the
// experiment, to the mechanism, and returns whether there was one to hand over:
// a missing reward is never added. It panics on a row outside.
func (f *Feed) Row(row int64) bool {
	if row < 0 || row >= f.s.rng.Rows {
		panic(errRow)
	}
	i, j := f.s.Locate(row)
	y := f.reward[i][j]
	if math.IsNaN(y) {
		return false
	}
	f.to.Add(int(f.arm[i][j]), y)
	return true
}
