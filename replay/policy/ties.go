package policy

import (
	"math/bits"
	"math/rand/v2"
)

// ties decides between eligible arms of equal, largest score.
//
//	src nil: the first of them
//	otherwise, of m: arm number ⌊word·m/2⁶⁴⌋ among them, in index order, with one
//	word from src in every round, also where m = 1
//
// so that a seeded stream stays in step with the round. The probability of an
// arm differs from 1/m by less than 2⁻⁶⁴.
type ties struct{ src rand.Source }

// argmax returns an eligible arm with the largest score. Scores are not NaN.
func (t ties) argmax(s *State, scores []float64) int {
	first, m := largest(s, scores)
	if t.src == nil {
		return first
	}
	n, _ := bits.Mul64(t.src.Uint64(), uint64(m)) //nolint:gosec // m counts arms
	for i := first; ; i++ {
		if s.CanPlay(i) && scores[i] == scores[first] {
			if n == 0 {
				return i
			}
			n--
		}
	}
}

// shares writes the probability with which argmax returns each arm.
func (t ties) shares(s *State, scores, dst []float64) {
	clear(dst)
	first, m := largest(s, scores)
	if t.src == nil {
		dst[first] = 1
		return
	}
	for i := first; i < len(scores); i++ {
		if s.CanPlay(i) && scores[i] == scores[first] {
			dst[i] = 1 / float64(m)
		}
	}
}

// split writes the probability with which argmax returns each arm where winners
// have the largest score.
func split(winners []int, dst []float64) {
	clear(dst)
	for _, i := range winners {
		dst[i] = 1 / float64(len(winners))
	}
}

// largest returns the first eligible arm with the largest score, and how many
// eligible arms have that score.
func largest(s *State, scores []float64) (first, m int) {
	if s.Eligible == nil {
		return largestOfAll(scores)
	}
	first = -1
	for i, v := range scores {
		switch {
		case !s.CanPlay(i):
		case first < 0 || v > scores[first]:
			first, m = i, 1
		case v == scores[first]:
			m++
		}
	}
	return first, m
}

// largestOfAll is largest where every arm is eligible. Most arms are below the
// best so far, and are passed by one comparison.
func largestOfAll(scores []float64) (first, m int) {
	if len(scores) == 0 {
		return -1, 0
	}
	top := scores[0]
	for i, v := range scores {
		switch {
		case v < top:
		case v > top:
			first, m, top = i, 1, v
		default:
			m++
		}
	}
	return first, m
}
