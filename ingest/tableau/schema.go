package tableau

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// BatchRows is the number of rows of every record batch but the last. It is a
// power of two, so that a row's batch is a shift.
const BatchRows = 1 << batchShift

const batchShift = 16

// MinPropensity is the least propensity that a tableau holds. The weight 1/p of
// a smaller one, its square and sums of squares would leave the range of
// float64, and findings made of them would be NaN: with p ≥ 10⁻¹⁰⁰, 2⁶³ squares
// of weights add up to less than 10²²⁰. An action that was taken had a
// probability far above it: 2⁶³ rounds would not be enough to see a rarer one.
const MinPropensity = 1e-100

// maxContextDim bounds the width of a file's schema; a footer that claims more
// columns than this is not one that Writer made.
const maxContextDim = 1 << 15

// Range is one experiment's rows: [Offset, Offset+Rows).
type Range struct {
	ID     string // as in the manifest
	Offset int64  // first row, ≥ 0
	Rows   int64  // ≥ 1
}

// Schema is what a reader must know of a tableau before it opens the file; it
// stands in the manifest. A writer needs Propensity and ContextDim only.
type Schema struct {
	Propensity  bool       // a propensity was logged
	ContextDim  int        // number of columns x0, x1, …; ≥ 0
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

func (s *Schema) validateColumns() error {
	if s.ContextDim < 0 || s.ContextDim > maxContextDim {
		return fmt.Errorf("tableau: %d context columns; there may be 0 to %d", s.ContextDim, maxContextDim)
	}
	return nil
}

// kind is the physical type of a column.
type kind uint8

const (
	kindInt32 kind = iota
	kindInt64
	kindFloat64
)

func (k kind) String() string { return [...]string{"int32", "int64", "float64"}[k] }

// width is the number of bytes of one value.
func (k kind) width() int64 { return [...]int64{4, 8, 8}[k] }

// field is one column of the file.
type field struct {
	name string
	kind kind
}

// Positions of the columns that every tableau has.
const (
	colExperiment = iota
	colRound
	colArm
	colReward
	fixedColumns
)

// fields lists the file's columns in order.
func (s *Schema) fields() []field {
	fs := []field{{"experiment", kindInt32}, {"round", kindInt64}, {"arm", kindInt32}, {"reward", kindFloat64}}
	if s.Propensity {
		fs = append(fs, field{"propensity", kindFloat64})
	}
	for i := range s.ContextDim {
		fs = append(fs, field{"x" + strconv.Itoa(i), kindFloat64})
	}
	return fs
}

// colPropensity is the position of the propensity column, or -1.
func (s *Schema) colPropensity() int {
	if s.Propensity {
		return fixedColumns
	}
	return -1
}

// colContext is the position of x0.
func (s *Schema) colContext() int {
	if s.Propensity {
		return fixedColumns + 1
	}
	return fixedColumns
}

// RowBytes is the size of one row in the file: 24 bytes, 8 for a propensity
// and 8 for every context column.
func (s *Schema) RowBytes() int64 {
	n := int64(0)
	for _, f := range s.fields() {
		n += f.kind.width()
	}
	return n
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
