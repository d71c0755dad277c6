package counter

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

var _ Counter = exact{}

// exact releases running sums without noise: the counter of a bandit that
// makes no claim of privacy. Every row costs ∞. The sum of a stream is the
// running float64 sum of its rewards in the order in which they came.
type exact struct{ unbounded bool }

func newExact(s Spec) (Counter, error) {
	var faults []error
	if s.Epsilon != nil {
		faults = append(faults, &ParamError{"epsilon", s.Epsilon.RatString(), "the exact counter adds no noise and has no ε", "leave it out, or declare hybrid"})
	}
	if s.Horizon != 0 || s.Exponent != nil {
		faults = append(faults, &ParamError{"horizon", strconv.FormatInt(s.Horizon, 10), "the exact counter has no parameters", "leave it out, or declare hybrid"})
	}
	if s.Grid != nil {
		faults = append(faults, &ParamError{"grid", s.Grid.RatString(), "the exact counter adds no noise and has no grid", "leave it out, or declare hybrid"})
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return exact{}, nil
}

// Name returns "exact".
func (exact) Name() string { return "exact" }

// Epsilon returns ∞.
func (exact) Epsilon() ledger.Loss { return ledger.Infinite() }

// Rho returns +Inf.
func (exact) Rho() float64 { return math.Inf(1) }

// Cost returns ∞ for every row of the stream, and 0 outside it.
func (exact) Cost(n, size int64) ledger.Loss {
	if n < 1 || n > size {
		return ledger.Loss{}
	}
	return ledger.Infinite()
}

// Levels returns the single level ∞.
func (exact) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	return []ledger.Level{{Cost: ledger.Infinite(), Rows: size}}
}

// Releases returns one family of size sums of scale 0.
func (exact) Releases(size int64) []ledger.Release {
	if size < 1 {
		return nil
	}
	return []ledger.Release{{Name: "exact running sum", Scale: new(big.Rat), Sensitivity: 1, Count: size, Epsilon: ledger.Infinite()}}
}

// Noise returns nil: there is none.
func (exact) Noise(int64) []Noise { return nil }

// Shape returns 0.
func (exact) Shape(int64) int { return 0 }

// Shapes returns 1.
func (exact) Shapes() int { return 1 }

// Recover returns nil: there are no draws.
func (exact) Recover() Recovery { return nil }

// Bank returns one running sum per element of src; no source is drawn from.
func (e exact) Bank(src []rand.Source) Bank {
	return &exactBank{arms: make([]exactStream, len(src)), unbounded: e.unbounded}
}

// Unbounded returns the counter for rewards of any size.
func (exact) Unbounded() Counter { return exact{unbounded: true} }

// VectorBank returns one running vector per element of src; no source is drawn
// from.
func (exact) VectorBank(src []rand.Source, d int) VectorBank { return newExactVectors(len(src), d) }

type exactStream struct {
	sum  float64
	rows int64
}

type exactBank struct {
	arms      []exactStream
	unbounded bool
}

// Add returns the exact running sum.
func (b *exactBank) Add(arm int, y float64) (sum float64, rows int64, err error) {
	if !(y >= 0 && y <= 1) && !(b.unbounded && y-y == 0) {
		return 0, 0, rewardError(arm, y)
	}
	s := &b.arms[arm]
	s.sum += y
	s.rows++
	return s.sum, s.rows, nil
}

// Capacity returns MaxInt64: a running sum has no end.
func (exact) Capacity() int64 { return math.MaxInt64 }

// Fits returns true: nothing is scaled for a bound.
func (exact) Fits([]float64) bool { return true }

// Share returns 1: every row costs ∞.
func (exact) Share([]float64) float64 { return 1 }

func describeExact() Descriptor {
	return Descriptor{
		Counter: param.Counter{Name: "exact", Doc: "the sums themselves: nothing is hidden, but by what a policy draws"},
		New:     newExact,
	}
}
