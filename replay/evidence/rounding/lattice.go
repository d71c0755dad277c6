package rounding

import (
	"fmt"
	"math"
)

// lattice finds the coarsest lattice of multiples of 1/q on which all values lie:
//
//	q a power of two up to 2³⁰, exactly
//	q ≤ 1,000 to 10⁻¹² of the number of steps, as sums of thirds are rounded
//
// It keeps q and a count. newLattice begins one; the zero value holds no value.
type lattice struct {
	q      int64 // 0: the values lie on no such lattice
	values int64 // that are not 0
}

// Bounds of q.
const (
	mostPowers = 30
	mostSteps  = 1000
	onSteps    = 1e-12
)

func newLattice() lattice { return lattice{q: 1} }

// take makes the lattice fine enough for v.
func (l *lattice) take(v float64) {
	if v == 0 || l.q == 0 {
		return
	}
	l.values++
	if onMultiple(v, l.q) {
		return
	}
	l.q = l.finer(v)
}

// finer returns the least multiple q·k whose lattice holds v, and 0 where none does.
func (l *lattice) finer(v float64) int64 {
	q := l.q
	for k := int64(2); q*k <= mostSteps; k++ {
		if onMultiple(v, q*k) {
			return q * k
		}
	}
	if q&(q-1) != 0 {
		return 0
	}
	for ; q <= 1<<mostPowers; q *= 2 {
		if onMultiple(v, q) {
			return q
		}
	}
	return 0
}

// onMultiple reports whether v is a multiple of 1/q.
func onMultiple(v float64, q int64) bool {
	steps := float64(v * float64(q))
	whole := math.RoundToEven(steps)
	if q&(q-1) == 0 {
		return steps == whole
	}
	return math.Abs(steps-whole) <= float64(onSteps*max(1, math.Abs(whole)))
}

// surprising is the log₂ of one over the probability with which values of a finer
// lattice may lie on a coarser one by chance.
const surprising = 40

// coarser returns q where the values lie on a lattice coarser than the declared one
// of step grid, and 0 where they do not, or are too few to tell: a value on the
// declared lattice lies on the lattice of 1/q with probability about q·grid.
func (l *lattice) coarser(grid float64) int64 {
	if l.q == 0 || grid == 0 {
		return 0
	}
	share := float64(l.q) * grid
	if share > 0.5 || float64(-float64(l.values)*math.Log2(share)) < surprising {
		return 0
	}
	return l.q
}

// StepWords writes the step 1/q as a protocol does: 1, 2^-10, 1/3.
func StepWords(q int64) string {
	if q == 1 {
		return "1"
	}
	if q&(q-1) == 0 {
		return fmt.Sprintf("2^-%d", math.Ilogb(float64(q)))
	}
	return fmt.Sprintf("1/%d", q)
}
