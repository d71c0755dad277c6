package counter

import (
	"errors"
	"math/big"
	"math/bits"
	"math/rand/v2"
)

// errAborted ends a run in which the sampler met an event of probability below
// e^{−250}. It is returned rather than a number from a cut tail, because a cut
// tail would not be pure differential privacy.
var errAborted = errors.New("counter: the noise sampler aborted: a draw left the range of 54 bits; run again with another seed, and suspect the random source")

// Limits under which every step of the sampler fits its integers.
const (
	maxTrials  = 255             // K of expBernoulli
	maxNum     = uint64(1) << 56 // t: t·maxTrials stays below 2^64
	maxScale   = uint64(1) << 46 // t/s: a noise of 2^54 needs V ≥ 255
	noiseBound = uint64(1) << 54 // |Y|
	maxSteps   = uint64(1) << 20 // V
)

// discreteLaplace is the discrete Laplace law, from which every counter draws
// its noise, with parameter num/den in lowest terms:
//
//	P(n) = ((1−q)/(1+q))·q^|n|,   q = e^{−den/num}
//	variance 2q/(1−q)²
type discreteLaplace struct{ num, den uint64 }

// newDiscreteLaplace returns the law whose parameter is the positive rational
// scale, and false when the sampler's integers would not hold it.
func newDiscreteLaplace(scale *big.Rat) (discreteLaplace, bool) {
	limit := new(big.Rat).SetInt(new(big.Int).SetUint64(maxScale))
	if scale.Sign() <= 0 || scale.Cmp(limit) > 0 || !scale.Num().IsUint64() || !scale.Denom().IsUint64() {
		return discreteLaplace{}, false
	}
	l := discreteLaplace{num: scale.Num().Uint64(), den: scale.Denom().Uint64()}
	return l, l.num <= maxNum
}

// draw returns one number from the law, by the steps of the package comment,
// and 0 without a source. It fails only with errAborted.
func (l discreteLaplace) draw(src rand.Source) (int64, error) {
	if src == nil {
		return 0, nil
	}
	for {
		u := uniform(src, l.num)
		keep, err := expBernoulli(src, u, l.num)
		if err != nil {
			return 0, err
		}
		if !keep {
			continue
		}
		v, err := geometric(src)
		if err != nil {
			return 0, err
		}
		y, ok := l.quotient(u, v)
		if !ok {
			return 0, errAborted
		}
		negative := src.Uint64()&1 == 1 // uniform(2)
		if negative && y == 0 {
			continue // zero would otherwise be counted twice
		}
		n := int64(y) //nolint:gosec // y is below 2^54
		if negative {
			n = -n
		}
		return n, nil
	}
}

// quotient returns ⌊(u + num·v)/den⌋, and false when it is noiseBound or more.
func (l discreteLaplace) quotient(u, v uint64) (uint64, bool) {
	hi, lo := bits.Mul64(l.num, v)
	lo, carry := bits.Add64(lo, u, 0)
	hi += carry
	if hi >= l.den {
		return 0, false
	}
	y, _ := bits.Div64(hi, lo, l.den)
	return y, y < noiseBound
}

// geometric returns v ≥ 0 with probability (1−1/e)·e^{−v}: the number of times
// that expBernoulli(1, 1) is true in a row. Its K = 1 draws nothing, and K = 2
// one word, the last bit of which ends the row.
func geometric(src rand.Source) (uint64, error) {
	for v := uint64(0); ; v++ {
		if src.Uint64()&1 == 1 {
			return v, nil
		}
		more, err := trials(src, 1, 1, 3)
		if err != nil {
			return 0, err
		}
		if !more {
			return v, nil
		}
		if v == maxSteps {
			return 0, errAborted
		}
	}
}

// expBernoulli returns true with probability e^{−num/den}, 0 ≤ num ≤ den
// (Canonne, Kamath and Steinke, algorithm 1): the first K that fails
// Bernoulli(γ/K) has P(K > k) = γ^k/k!, and the alternating sum over odd K is
// the series of e^{−γ}.
func expBernoulli(src rand.Source, num, den uint64) (bool, error) {
	if den > 1 {
		return trials(src, num, den, 1)
	}
	if num == 0 { // uniform(1) draws nothing and is 0
		return true, nil
	}
	return trials(src, num, den, 2)
}

// trials is expBernoulli from some K on, with den·K > 1: uniform(den·K) is
// drawn in place.
func trials(src rand.Source, num, den, k uint64) (bool, error) {
	for n := den * k; k <= maxTrials; k, n = k+1, n+den {
		mask := ^uint64(0) >> bits.LeadingZeros64(n-1)
		w := src.Uint64() & mask
		for w >= n {
			w = src.Uint64() & mask
		}
		if w >= num {
			return k&1 == 1, nil
		}
	}
	return false, errAborted
}

// uniform returns a number from {0, …, n−1}, each with probability exactly
// 1/n, by masking and rejection:
//
//	n = 1: 0, and nothing is drawn
//	n > 1: words, cut to bits.Len64(n−1) low bits, until one is below n
//
// At most half of the words are rejected on average. It must not be called
// with n = 0.
func uniform(src rand.Source, n uint64) uint64 {
	if n == 1 {
		return 0
	}
	mask := uint64(1)<<bits.Len64(n-1) - 1
	for {
		if w := src.Uint64() & mask; w < n {
			return w
		}
	}
}
