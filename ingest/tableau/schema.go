package tableau

import (
	"errors"
	"fmt"
	"math"
)

// MinPropensity is the least propensity that a tableau holds. The weight 1/p of
// a smaller one, its square and sums of squares would leave the range of
// float64, and findings made of them would be NaN: with p ≥ 10⁻¹⁰⁰, 2⁶³ squares
// of weights add up to less than 10²²⁰. An action that was taken had a
// probability far above it: 2⁶³ rounds would not be enough to see a rarer one.
const MinPropensity = 1e-100

// MostDraws is the largest number of draws by which a propensity was estimated:
// recomputed propensities are not exact enough to be told from shares of more.
const MostDraws = 1_000_000_000

// MostStrata bounds the strata of an experiment, each of which has a state of the policy.
const MostStrata = 1 << 16

// maxContextDim bounds the width of a file's schema; a footer that claims more
// columns than this is not one that Writer made.
const maxContextDim = 1 << 15

// maxListLength bounds the arms and the values for every arm of a schema with
// such columns, so that products of them do not overflow.
const maxListLength = BatchBytes

// Range is one experiment's rows: [Offset, Offset+Rows).
type Range struct {
	ID     string // as in the manifest
	Offset int64  // first row, ≥ 0
	Rows   int64  // ≥ 1
}

// Schema is what a reader must know of a tableau before it opens the file; it
// stands in the manifest. A writer does not need Reward and Experiments, and
// Arms only where a column has values for every arm.
type Schema struct {
	Propensity      bool  // a propensity was logged
	ContextDim      int   // number d of columns x0, x1, …; ≥ 0
	ContextByArm    int   // context values of every arm; 0 where there are none
	PropensityByArm bool  // the propensity of every arm was logged
	ReleasedByArm   int   // values that the policy saw of every arm; 0 where there are none
	RewardByArm     bool  // the reward of every arm is known
	ScoreByArm      bool  // what the policy compared of every arm was logged
	Eligible        bool  // which arms could be chosen was logged
	Batch           bool  // rounds belong to batches
	Unit            bool  // rounds belong to units
	RewardRound     bool  // rewards became known later
	RewardBefore    bool  // and how many rounds were played before that moment, and not at it, is known; only with RewardRound
	MissingReward   bool  // a reward may be missing
	Time            bool  // when rounds were played was logged
	Targets         int   // probabilities of evaluated policies in a row; 0 where there are none
	Positions       int64 // that a unit can have by the declared hash; 0 where none is declared
	Stratum         bool  // rounds belong to strata, in each of which the policy has a state of its own
	Draws           bool  // by how many draws propensities were estimated was logged, row by row
	KeepProb        bool  // with which probability a row of the deployment is in the log is known, row by row

	Arms        int        // K ≥ 1; arms are in [0, K)
	Reward      [2]float64 // rewards are in [Reward[0], Reward[1]]; [0, 0] asks for finiteness only
	Experiments []Range    // adjacent, in file order, from row 0 to the last
}

// Rows returns the number of rows that the experiments span.
func (s *Schema) Rows() int64 {
	if len(s.Experiments) == 0 {
		return 0
	}
	last := s.Experiments[len(s.Experiments)-1]
	return last.Offset + last.Rows
}

// Validate reports every fault of s as a reader's schema, joined. Special
// cases are:
//
//	no experiments is a fault
//	experiments that overlap, leave a gap or do not begin at row 0 are faults
//	fewer than one arm is a fault
//	values for every arm that make a row longer than BatchBytes are a fault
//	a reward range with a NaN, an infinity or Reward[0] > Reward[1] is a fault
func (s *Schema) Validate() error {
	faults := []error{s.validateColumns()}
	if s.Arms < 1 || s.Arms > math.MaxInt32 {
		faults = append(faults, fmt.Errorf("tableau: %d arms; there must be at least one and at most %d", s.Arms, math.MaxInt32))
	}
	lo, hi := s.Reward[0], s.Reward[1]
	if !finite(lo) || !finite(hi) || lo > hi {
		faults = append(faults, fmt.Errorf("tableau: reward range [%g, %g]; both ends must be finite and in order", lo, hi))
	}
	if len(s.Experiments) == 0 {
		faults = append(faults, errors.New("tableau: no experiments; a tableau has at least one"))
	}
	next := int64(0)
	for i, e := range s.Experiments {
		if e.Offset != next || e.Rows < 1 || e.Rows > math.MaxInt64-e.Offset {
			faults = append(faults, fmt.Errorf("tableau: experiment %d (%q) has offset %d and %d rows; it must begin at row %d and have at least one row", i, e.ID, e.Offset, e.Rows, next))
			break
		}
		next = e.Offset + e.Rows
	}
	return errors.Join(faults...)
}

// validateColumns reports every fault of what a writer needs.
func (s *Schema) validateColumns() error {
	faults := s.widths()
	if s.RewardBefore && !s.RewardRound {
		faults = append(faults, errors.New("tableau: reward_before without reward_round"))
	}
	if s.Positions < 0 {
		faults = append(faults, fmt.Errorf("tableau: %d positions of units", s.Positions))
	}
	if s.byArm() && (s.Arms < 1 || s.Arms > maxListLength) {
		faults = append(faults, fmt.Errorf("tableau: %d arms; columns that have values for every arm need 1 to %d", s.Arms, maxListLength))
	}
	if err := errors.Join(faults...); err != nil {
		return err // before a width is computed of numbers that could overflow
	}
	if n := s.RowBytes(); n > BatchBytes {
		return fmt.Errorf("tableau: a row of %d bytes; it may have at most %d, so declare fewer arms or fewer values for every arm", n, BatchBytes)
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
