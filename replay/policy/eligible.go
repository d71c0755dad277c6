package policy

import (
	"math/bits"
	"math/rand/v2"
)

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
