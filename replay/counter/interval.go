package counter

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"sync"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

var (
	_ Counter       = (*interval)(nil)
	_ ledger.Coster = (*interval)(nil)
)

// interval releases a running sum at intervals, with noise that grows slower
// than the sum: the releases of DP-UCB-INT (Tossou and Dimitrakakis, Algorithms
// for differentially private multi-armed bandits, AAAI 2016, algorithm 3,
// arXiv:1511.08681), for streams of known length T. With
//
//	f = ⌈1/ε⌉
//
// the sum of all rows so far is released after N = f, 2f, 3f, … rows, once
// each, with fresh noise; until the next release that sum and N stand. For
// sensitivity 1
//
//	1 × Lap(N^{v/2}),  variance 2N^v,  in a sum of N rows
//
// with the exponent v in (1, 3/2], 11/10 unless declared: noise N^{v/2−1} on
// the mean. Release k = N/f takes draw k of the stream.
//
// # Rounding
//
// N^{v/2} is irrational. The noise is the discrete Laplace law with parameter
// t/s = 2^E/w_N in units of the grid, where, with the sensitivity Δ,
//
//	w_N = ⌊2^E/(Δ·2^m·n^{v/2})⌋,   n = N rounded up to 14 significant bits,
//	E = min(56, 35 + bits(⌈Δ·2^m⌉)), 56 at the default grid and Δ = 1
//
// and w_N at most 2^E. It is computed in integers: with v/2 = a/b and Δ = p/q
// in lowest terms w_N is the whole part of the b-th root of
// (2^{E−m}·q)^b/(p^b·n^a). So the scale is N^{v/2} rounded up: by rounding N,
// less than one part in 10^4, and not at all where N ≤ 2^14; by the root, less
// than one part in w_N, which New wants to be at least 2^10.
//
// Costs go by the rounded scale: a release costs a row ε_N = bound·2^m·w_N/2^E. They have one
// denominator and are summed exactly.
//
// # Cost
//
// Row n is in every release after it. ε is not what a row costs, but sets the
// interval only: the first f rows of a stream of N cost
//
//	Σ_{k=1}^{⌊N/f⌋} ε_{kf} ≈ Σ (kf)^{−v/2},
//
// which grows like N^{1−v/2}/f without a bound; Epsilon is its value at T.
type interval struct {
	lattice
	every    int64     // f
	horizon  int64     // T
	exponent *big.Rat  // v
	bits     uint      // E
	blocks   []weights // of releases 1 … max(1, ⌊T/f⌋)
	onceRho  func() float64
}

// weights says that the releases after the block before it and up to release last have the
// same w, and that all up to there sum to total. With n ≥ 1 and v/2 ≥ 1/2 that is at most
// 2^37·Σ 1/√k, below 2^59.
type weights struct {
	last, w, total int64
}

// Bounds of the rounding.
const (
	intervalBits   = 14             // of N
	leastWeight    = int64(1) << 10 // of w_N
	maxDenominator = 100            // of v: roots are at most 200th ones
)

func newInterval(s Spec) (Counter, error) {
	l, faults := newLattice(s)
	c := &interval{lattice: l, horizon: s.Horizon, exponent: s.Exponent}
	c.fresh = c.stream
	if c.exponent == nil {
		c.exponent = big.NewRat(11, 10)
	}
	faults = append(faults, needHorizon(s, &l), needEpsilon(s), c.fit(s.Epsilon))
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	if err := c.fill(); err != nil {
		return nil, err
	}
	c.onceRho = sync.OnceValue(c.sumRho)
	return c, nil
}

// fit sets f and E, and returns the faults of the exponent and of a tiny ε.
func (c *interval) fit(epsilon *big.Rat) error {
	var faults []error
	v := c.exponent
	if v.Cmp(big.NewRat(1, 1)) <= 0 || v.Cmp(big.NewRat(3, 2)) > 0 || v.Denom().Cmp(big.NewInt(maxDenominator)) > 0 {
		faults = append(faults, &ParamError{
			"exponent", v.RatString(),
			fmt.Sprintf("it must lie above 1, be at most 3/2, and have a denominator of at most %d", maxDenominator), "write 1.1",
		})
	}
	if epsilon != nil && epsilon.Sign() > 0 {
		f := new(big.Int).Add(epsilon.Denom(), epsilon.Num())
		f.Quo(f.Sub(f, big.NewInt(1)), epsilon.Num())
		if !f.IsInt64() || f.Int64() > longestStream {
			faults = append(faults, &ParamError{"epsilon", epsilon.RatString(), "the interval counter releases every ⌈1/ε⌉ rows, and a stream has at most 2^40", "take a larger ε"})
		} else {
			c.every = f.Int64()
		}
	}
	move := new(big.Rat).Mul(c.sensitivity, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), c.m)))
	up := new(big.Int).Sub(new(big.Int).Add(move.Num(), move.Denom()), big.NewInt(1))
	c.bits = uint(min(56, 35+up.Quo(up, move.Denom()).BitLen()))
	return errors.Join(faults...)
}

// fill computes the weights of all releases: at most 2^13 for each doubling of
// N, and 2^14 before.
func (c *interval) fill() error {
	half := new(big.Rat).Quo(c.exponent, big.NewRat(2, 1))
	a, b := half.Num().Int64(), half.Denom().Int64()
	power := func(x *big.Int, n int64) *big.Int { return new(big.Int).Exp(x, big.NewInt(n), nil) }
	top := power(new(big.Int).Lsh(c.sensitivity.Denom(), c.bits-c.m), b)
	top.Quo(top, power(c.sensitivity.Num(), b))

	var total int64
	for k, releases := int64(1), max(1, c.releases(c.horizon)); k <= releases; {
		n := roundUp(k*c.every, intervalBits)
		w := int64(1) << c.bits
		if x := new(big.Int).Quo(top, power(big.NewInt(n), a)); x.BitLen() <= int(c.bits)*int(b) { // else its root is no less than 2^E
			w = integerRoot(x, b)
		}
		if w < leastWeight {
			return &ParamError{
				"horizon", strconv.FormatInt(c.horizon, 10),
				fmt.Sprintf("with the grid 2^-%d the noise of a sum of %d rows does not fit the sampler's integers (scale at most 2^%d)", c.m, k*c.every, c.bits-10),
				"declare a coarser grid, a smaller exponent, or a shorter horizon",
			}
		}
		last := min(releases, n/c.every)
		total += (last - k + 1) * w
		c.blocks = append(c.blocks, weights{last: last, w: w, total: total})
		k = last + 1
	}
	return nil
}

// roundUp returns the smallest whole number with this number of significant bits that is
// not less than n ≥ 1.
func roundUp(n int64, significant int) int64 {
	drop := max(0, bits.Len64(uint64(n))-significant) //nolint:gosec // n is positive
	return (n + int64(1)<<drop - 1) >> drop << drop
}

// releases returns how many releases a stream of size rows has made.
func (c *interval) releases(size int64) int64 { return min(size, c.horizon) / c.every }

// Name returns "interval".
func (*interval) Name() string { return "interval" }

// Noise returns 1 × the rounded N^{v/2}, where N is the smallest multiple of f
// that is not less than n: no other sum is ever released.
//
// Special cases are:
//
//	n < 1 or n above the horizon gives nil
//	n above the last release before the horizon gives the noise of the last one
func (c *interval) Noise(n int64) []Noise {
	if n < 1 || n > c.horizon {
		return nil
	}
	k := min((n-1)/c.every+1, c.blocks[len(c.blocks)-1].last)
	return []Noise{{Scale: nearest(c.scale(c.loss(c.blocks[c.block(k)].w))), Count: 1}}
}

// Shape returns 0.
func (*interval) Shape(int64) int { return 0 }

// Shapes returns 0: every n has a noise of its own.
func (*interval) Shapes() int { return 0 }

func (c *interval) stream(src rand.Source) stream { return &intervalStream{counter: c, src: src} }

type intervalStream struct {
	counter   *interval
	src       rand.Source
	rows, sum int64 // sum is exact, in units of the grid; it never leaves the stream
	released  int64 // the last release
	made      int64 // how many there were
	at        int   // the block of the next one
}

// add appends z and returns the last release.
func (s *intervalStream) add(z int64) (sum, rows int64, err error) {
	if s.rows == s.counter.horizon {
		return 0, 0, beyond(s.counter.Name(), s.counter.horizon)
	}
	s.rows++
	s.sum += z
	if s.rows-s.made*s.counter.every == s.counter.every {
		s.made++
		if s.made > s.counter.blocks[s.at].last {
			s.at++
		}
		noise, err := s.counter.noise(s.counter.blocks[s.at].w).draw(s.src)
		if err != nil {
			return 0, 0, err
		}
		s.released = s.sum + noise
	}
	return s.released, s.made * s.counter.every, nil
}

// noise returns the law with parameter 2^E/w in lowest terms.
func (c *interval) noise(w int64) discreteLaplace {
	common := min(bits.TrailingZeros64(uint64(w)), int(c.bits))                               //nolint:gosec // w is positive
	return discreteLaplace{num: uint64(1) << int(c.bits) >> common, den: uint64(w) >> common} //nolint:gosec // w is positive
}

// Costs computes the cost of a group when its first row comes.
func (c *interval) Costs(size int64) func(n int64) float64 {
	releases := c.releases(size)
	g, last, all := group(releases), int64(-1), c.total(releases)
	up := 0.0
	return func(n int64) float64 {
		if n < 1 || n > releases*c.every {
			return 0
		}
		m := (n - 1) / c.every
		if m -= m % g; m != last {
			last, up = m, c.cost(all-c.total(m)).Up()
		}
		return up
	}
}

// Capacity returns the horizon.
func (c *interval) Capacity() int64 { return c.horizon }

func describeInterval() Descriptor {
	return Descriptor{
		Counter: param.Counter{
			Name: "interval", Noise: true, Horizon: param.HorizonNeeded, Exponent: true, Paced: true, Fresh: true,
			Doc: "a release after every ⌈1/ε⌉ rewards, with noise of scale N^(v/2) on the sum of N, v = 1.1: the declared ε sets the interval alone; what the releases cost is more and grows with T, its ρ does not",
		},
		New: newInterval,
	}
}

// Recover returns a Recovery: every release has a draw of its own, and no other.
func (c *interval) Recover() Recovery { return &intervalRecovery{counter: c} }

type intervalRecovery struct {
	counter *interval
	made    int64 // releases up to the one seen last
	result  [1]Draw
}

// See returns the noise of the release that stands after n rows, once.
func (r *intervalRecovery) See(n int64, residue float64) []Draw {
	made := n / r.counter.every
	if n < 1 || n > r.counter.horizon || made <= r.made {
		return nil
	}
	r.made = made
	rows := made * r.counter.every
	scale := nearest(r.counter.scale(r.counter.loss(r.counter.blocks[r.counter.block(made)].w)))
	r.result[0] = Draw{Row: rows, Rows: rows, Scale: scale, Count: 1, Value: residue}
	return r.result[:]
}
