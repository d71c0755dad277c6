package policy

import (
	"math/bits"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
)

// categorical draws an eligible arm i with probability w_i/W, W = Σ w_j over the
// eligible arms j, with one word of src:
//
//	u = ⌊word/2¹¹⌋·2⁻⁵³, and the first eligible i with w_1 ⊕ … ⊕ w_i > u ⊗ W
//
// summed over the eligible arms in index order, W likewise. Where rounding
// leaves no such arm it is the last eligible one with a weight above 0. An arm
// of weight 0 is never drawn, because it does not move the sum. The probability
// of an arm differs from w_i/W by at most (K+1)·2⁻⁵³, from the step of u and
// the rounding of the sums.
//
// Weights are finite and not negative; at least one eligible arm has a weight above 0, and
// so W is above 0. W is finite.
func categorical(src rand.Source, s *State, weights []float64) int {
	target := float64(bitexact.Unit(src) * total(s, weights))
	last, sum := 0, 0.0
	for i, w := range weights {
		if !(w > 0) || !s.CanPlay(i) {
			continue
		}
		last = i
		if sum += w; sum > target {
			break
		}
	}
	return last
}

// total returns the sum of the weights of the eligible arms, in index order.
func total(s *State, weights []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		if s.CanPlay(i) {
			sum += w
		}
	}
	return sum
}

// normalise writes w_i ⊘ W for every eligible arm, and 0 for the others: the
// probabilities with which categorical draws. dst may be weights.
func normalise(s *State, weights, dst []float64) {
	all := total(s, weights)
	for i, w := range weights {
		dst[i] = 0
		if s.CanPlay(i) {
			dst[i] = w / all
		}
	}
}

// eligible counts the arms that may be played in the round.
func eligible(s *State) int {
	if len(s.Eligible) == 0 {
		return len(s.Pulls)
	}
	m := 0
	for _, e := range s.Eligible {
		if e {
			m++
		}
	}
	return m
}

// nth returns the n-th eligible arm, from 0.
func nth(s *State, n int) int {
	if len(s.Eligible) == 0 {
		return n
	}
	for i, e := range s.Eligible {
		if !e {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return 0
}

// below returns one of 0, …, n−1, each with probability exactly 1/n:
//
//	n = 1: 0, and nothing is drawn
//	n > 1: 64-bit words, cut to bits.Len64(n−1) low bits, until one is below n
func below(src rand.Source, n int) int {
	if n <= 1 {
		return 0
	}
	limit := uint64(n)
	mask := uint64(1)<<bits.Len64(limit-1) - 1
	for {
		if w := src.Uint64() & mask; w < limit {
			return int(w) //nolint:gosec // w is below n
		}
	}
}
