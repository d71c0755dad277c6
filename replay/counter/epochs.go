package counter

import (
	"errors"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

var (
	_ Counter       = (*epochs)(nil)
	_ ledger.Coster = (*epochs)(nil)
)

// epochs releases every reward once, in the sum of its epoch, and forgets what
// came before (the doubling epochs of Sajed and Sheffet, An optimal private
// stochastic-MAB algorithm based on an optimal private stopping rule, ICML
// 2019, and of Azize and Basu, NeurIPS 2022). Epoch e = 0, 1, … of a stream
// holds the 2^e rows
//
//	2^e, …, 2^{e+1}−1          1 | 2 3 | 4 5 6 7 | 8 …
//
// When its last row arrives, the sum of its rows alone is released:
//
//	1 × Lap(1/ε),  variance 2/ε²,  in a sum of 2^e rows
//
// for sensitivity 1. Until the next epoch ends, that sum and 2^e stand. A row
// is in one release, so it costs ε once its epoch is over and nothing before.
// The end of epoch e takes draw e+1 of the stream.
type epochs struct {
	lattice
	epsilon *big.Rat
	noise   discreteLaplace
}

func newEpochs(s Spec) (Counter, error) {
	l, faults := newLattice(s)
	c := &epochs{lattice: l}
	c.fresh = c.stream
	var more []error
	c.epsilon, c.noise, more = c.whole(s, "an epoch")
	if err := errors.Join(append(faults, more...)...); err != nil {
		return nil, err
	}
	return c, nil
}

// ended returns how many epochs a stream of size ≥ 0 rows has completed:
// ⌊log2(size+1)⌋.
func ended(size int64) int { return bits.Len64(uint64(size)+1) - 1 } //nolint:gosec // size is not negative

// Name returns "epochs".
func (*epochs) Name() string { return "epochs" }

// Epsilon returns ε·bound/sensitivity.
func (c *epochs) Epsilon() ledger.Loss { return ledger.NewLoss(c.spent(c.epsilon)) }

// Rho returns ρ(ε).
func (c *epochs) Rho() float64 { return c.rho(c.epsilon) }

// Cost returns ε for a row of an epoch that a stream of size rows has
// completed, 0 for a row of the last, unfinished one.
//
// Special cases are:
//
//	n < 1 or n > size costs 0
func (c *epochs) Cost(n, size int64) ledger.Loss {
	if n < 1 || n > size || n >= int64(1)<<ended(size) {
		return ledger.Loss{}
	}
	return c.Epsilon()
}

// Levels returns 0 for the rows of the unfinished epoch and ε for the others.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *epochs) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	done := int64(1)<<ended(size) - 1
	return ledger.Merge([]ledger.Level{{Rows: size - done}, {Cost: c.Epsilon(), Rows: done}})
}

// Releases returns one family, of the sums of completed epochs.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *epochs) Releases(size int64) []ledger.Release {
	if size < 1 {
		return nil
	}
	return []ledger.Release{{Name: "sum of an epoch", Scale: c.scale(c.epsilon), Sensitivity: nearest(c.bound), Count: int64(ended(size)), Epsilon: c.Epsilon()}}
}

// Noise returns 1 × 1/ε, whatever n.
//
// Special cases are:
//
//	n < 1 gives nil
func (c *epochs) Noise(n int64) []Noise {
	if n < 1 {
		return nil
	}
	return []Noise{{Scale: nearest(c.scale(c.epsilon)), Count: 1}}
}

// Shape returns 0.
func (*epochs) Shape(int64) int { return 0 }

// Shapes returns 1.
func (*epochs) Shapes() int { return 1 }

func (c *epochs) stream(src rand.Source) stream { return &epochsStream{counter: c, src: src} }

type epochsStream struct {
	counter  *epochs
	src      rand.Source
	rows     int64
	sum      int64 // exact, of the current epoch; it never leaves the stream
	released int64 // sum of the last complete epoch, with noise
}

// add appends z and returns the sum of the last complete epoch.
func (s *epochsStream) add(z int64) (sum, rows int64, err error) {
	if s.rows == s.counter.longest() {
		return 0, 0, s.counter.full(s.counter.Name(), s.rows)
	}
	s.rows++
	s.sum += z
	if s.rows&(s.rows+1) == 0 {
		noise, err := s.counter.noise.draw(s.src)
		if err != nil {
			return 0, 0, err
		}
		s.released, s.sum = s.sum+noise, 0
	}
	return s.released, int64(1) << (ended(s.rows) - 1), nil
}

// Costs returns ε for the rows of completed epochs.
func (c *epochs) Costs(size int64) func(n int64) float64 {
	return constant(c.Epsilon(), int64(1)<<ended(max(size, 0))-1)
}

// Capacity returns the longest stream on the lattice.
func (c *epochs) Capacity() int64 { return c.longest() }

func describeEpochs() Descriptor {
	return Descriptor{
		Counter: param.Counter{
			Name: "epochs", Noise: true, Forgets: true, Fresh: true,
			Doc: "epochs of doubling length: each reward is released once, in the sum of its epoch, with Lap(1/ε)",
		},
		New: newEpochs,
	}
}

// Recover returns a Recovery: every release has a draw of its own, and no other.
func (c *epochs) Recover() Recovery {
	return &epochsRecovery{most: c.longest(), scale: nearest(c.scale(c.epsilon))}
}

type epochsRecovery struct {
	most   int64
	scale  float64
	ended  int // epochs, at what was seen last
	result [1]Draw
}

// See returns the noise of the epoch whose sum stands after n rows, once.
func (r *epochsRecovery) See(n int64, residue float64) []Draw {
	if n < 1 || n > r.most || ended(n) == r.ended {
		return nil
	}
	r.ended = ended(n)
	rows := int64(1) << (r.ended - 1)
	r.result[0] = Draw{Row: 2*rows - 1, Rows: rows, Scale: r.scale, Count: 1, Value: residue}
	return r.result[:]
}

// Nodes returns the sums of completed epochs, of the unit ε.
func (c *epochs) Nodes(size int64) (ledger.Nodes, bool) {
	out := ledger.Nodes{Unit: c.Epsilon(), Steps: c.limit}
	for e := range ended(max(size, 0)) {
		first := int64(1) << e
		out.List = append(out.List, ledger.Node{Before: first - 1, Last: 2*first - 1, Used: 2*first - 1, Loss: 1})
	}
	return out, true
}
