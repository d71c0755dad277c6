package counter

import (
	"errors"
	"math/big"
	"math/rand/v2"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

var (
	_ Counter       = (*perRow)(nil)
	_ ledger.Coster = (*perRow)(nil)
)

// perRow is the counter "laplace"; the law of one noise is discreteLaplace.
// Every reward is released once, with noise of its own (Dwork, McSherry, Nissim and Smith, Calibrating noise to
// sensitivity in private data analysis, TCC 2006), and sums are sums of what
// was released. With sensitivity 1 the sum of n rows has
//
//	n × Lap(1/ε)
//	variance 2n/ε²
//
// A row is in one release, so it costs ε. Row t of a stream takes its t-th
// draw. It is the counter with the most noise in long sums; whoever gets the
// noisy rewards themselves has seen no more than this.
//
// The noises of n rows add up without a bound, so a stream ends where the
// integers could: with the parameter b of the noise, in units of the grid,
//
//	P(|Σ of n noises| > λ) ≤ 2·exp(−λ²/(8nb²))     for λ ≤ 2√2·nb
//
// (Chan, Shi and Song 2011; the moments of discrete noise are no larger, see
// policy.Chernoff). At λ = 2^61 and n·b² ≤ 2^111 that is below e^{−250},
// and fewer rows are safer still.
type perRow struct {
	lattice
	epsilon *big.Rat
	noise   discreteLaplace
	most    int64 // rows of a stream
}

func newPerRow(s Spec) (Counter, error) {
	l, faults := newLattice(s)
	c := &perRow{lattice: l}
	c.fresh = c.stream
	var more []error
	c.epsilon, c.noise, more = c.whole(s, "a row")
	c.most = l.mostNoises(c.noise)
	if err := errors.Join(append(faults, more...)...); err != nil {
		return nil, err
	}
	return c, nil
}

// mostNoises returns min(longest, ⌊2^111/b²⌋) for the law with parameter b, 0
// for the zero law.
func (l *lattice) mostNoises(law discreteLaplace) int64 {
	if law.num == 0 {
		return 0
	}
	num, den := new(big.Int).SetUint64(law.num), new(big.Int).SetUint64(law.den)
	n := den.Lsh(den.Mul(den, den), 111)
	n.Quo(n, num.Mul(num, num))
	if !n.IsInt64() {
		return l.longest()
	}
	return min(n.Int64(), l.longest())
}

// Name returns "laplace".
func (*perRow) Name() string { return "laplace" }

// Epsilon returns ε·bound/sensitivity.
func (c *perRow) Epsilon() ledger.Loss { return ledger.NewLoss(c.spent(c.epsilon)) }

// Rho returns ρ(ε).
func (c *perRow) Rho() float64 { return c.rho(c.epsilon) }

// Cost returns ε: a row is released when it arrives, and never again.
//
// Special cases are:
//
//	n < 1 or n > size costs 0
func (c *perRow) Cost(n, size int64) ledger.Loss {
	if n < 1 || n > size {
		return ledger.Loss{}
	}
	return c.Epsilon()
}

// Levels returns the single level ε.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *perRow) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	return []ledger.Level{{Cost: c.Epsilon(), Rows: size}}
}

// Releases returns one family of size rows.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *perRow) Releases(size int64) []ledger.Release {
	if size < 1 {
		return nil
	}
	return []ledger.Release{{Name: "single row", Scale: c.scale(c.epsilon), Sensitivity: nearest(c.bound), Count: size, Epsilon: c.Epsilon()}}
}

// Noise returns n × 1/ε.
//
// Special cases are:
//
//	n < 1 gives nil
func (c *perRow) Noise(n int64) []Noise {
	if n < 1 {
		return nil
	}
	return []Noise{{Scale: nearest(c.scale(c.epsilon)), Count: int(n)}}
}

// Shape returns 0.
func (*perRow) Shape(int64) int { return 0 }

// Shapes returns 0: every n has a noise of its own.
func (*perRow) Shapes() int { return 0 }

func (c *perRow) stream(src rand.Source) stream { return &perRowStream{counter: c, src: src} }

// perRowStream remembers what it has released and nothing of the rewards.
type perRowStream struct {
	counter       *perRow
	src           rand.Source
	rows, release int64
}

// add releases z with its noise, and returns the sum of what was released.
func (s *perRowStream) add(z int64) (sum, rows int64, err error) {
	if s.rows == s.counter.most {
		return 0, 0, s.counter.full(s.counter.Name(), s.counter.most)
	}
	noise, err := s.counter.noise.draw(s.src)
	if err != nil {
		return 0, 0, err
	}
	s.rows++
	s.release += z + noise
	if s.release >= maxRelease || s.release <= -maxRelease {
		return 0, 0, errAborted
	}
	return s.release, s.rows, nil
}

// maxRelease bounds a sum of released rows: 2^60 of rewards, 2^61 of noise, and
// one row more cannot leave 63 bits.
const maxRelease = int64(1) << 62

// Costs returns ε.
func (c *perRow) Costs(size int64) func(n int64) float64 { return constant(c.Epsilon(), size) }

// Capacity returns the longest stream whose sums of noise stay within the
// integers.
func (c *perRow) Capacity() int64 { return c.most }

func describePerRow() Descriptor {
	return Descriptor{
		Counter: param.Counter{Name: "laplace", Doc: "each reward is released once with Lap(1/ε), and the sum is that of the releases", Noise: true, PerRow: true},
		New:     newPerRow, Renews: true,
	}
}

// Recover returns a Recovery: the noise of n rows less the noise of the rows seen before is
// the noise of the rows in between.
func (c *perRow) Recover() Recovery {
	return &perRowRecovery{most: c.most, scale: nearest(c.scale(c.epsilon))}
}

type perRowRecovery struct {
	most         int64
	scale, noise float64
	seen         int64
	result       [1]Draw
}

// See returns one Draw of as many variables as rows have come.
func (r *perRowRecovery) See(n int64, residue float64) []Draw {
	if n <= r.seen || n > r.most {
		return nil
	}
	r.result[0] = Draw{Row: n, Rows: n, Scale: r.scale, Count: int(n - r.seen), Value: residue - r.noise}
	r.seen, r.noise = n, residue
	return r.result[:]
}

// Nodes returns one node for each row, of the unit ε.
func (c *perRow) Nodes(size int64) (ledger.Nodes, bool) {
	out := ledger.Nodes{Unit: c.Epsilon(), Steps: c.limit}
	for n := int64(1); n <= size; n++ {
		out.List = append(out.List, ledger.Node{Before: n - 1, Last: n, Used: n, Loss: 1})
	}
	return out, true
}
