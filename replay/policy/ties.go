package policy

import (
	"math/bits"
	"math/rand/v2"

	"banditaudit/schemas/param"
)

// ties decides between eligible arms of equal, largest score.
//
//	src nil: the first of them, by their places, or in index order
//	otherwise, of m: arm number ⌊word·m/2⁶⁴⌋ among them, in index order, with one
//	word from src in every round, also where m = 1
//
// so that a seeded stream stays in step with the round. The probability of an
// arm differs from 1/m by less than 2⁻⁶⁴.
//
// Before that an arm without rows is played where the start says so (choose).
type ties struct {
	src   rand.Source
	place []int // of each arm among equals; nil: in index order
	start Start
}

// rule is what a declaration says of ties and of the start.
type rule struct {
	place []int
	start Start
}

// declaredRule returns the rule of a policy whose start is word where none is declared.
func declaredRule(v param.Values, b Bandit, word string) rule {
	r := rule{place: b.Places, start: declaredStart(v, word)}
	r.start.place = b.Order
	return r
}

// with returns the rule for a run with these draws.
func (r rule) with(d Draws) ties {
	t := ties{src: d.Ties, place: r.place, start: r.start}
	t.start.src = d.Start
	return t
}

// drawn reports whether ties or the start are drawn.
func (t ties) drawn() bool { return t.src != nil || t.start.random() }

// argmax returns an eligible arm with the largest score. Scores are not NaN.
func (t ties) argmax(s *State, scores []float64) int {
	first, m := largest(s, scores)
	if t.src == nil {
		return t.foremost(s, scores, first, m)
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

// foremost returns the arm of the least place among the m that are equal to the first
// of them.
func (t ties) foremost(s *State, scores []float64, first, m int) int {
	best := first
	if t.place == nil || m == 1 {
		return best
	}
	for i := first + 1; i < len(scores); i++ {
		if s.CanPlay(i) && scores[i] == scores[first] && t.place[i] < t.place[best] {
			best = i
		}
	}
	return best
}

// skip leaves out one round, in which nothing is to be decided: a seeded stream
// stays in step.
func (t ties) skip() {
	if t.src != nil {
		t.src.Uint64()
	}
}

// choose returns the arm with which the policy begins, where there is one, and argmax
// otherwise. Either takes one word of a seeded stream.
func (t ties) choose(s *State, scores []float64) int {
	if arm := t.start.next(s); arm >= 0 {
		t.skip()
		return arm
	}
	return t.argmax(s, scores)
}

// chances writes the probability with which choose returns each arm.
func (t ties) chances(s *State, scores, dst []float64) {
	if !t.start.chances(s, dst) {
		t.shares(s, scores, dst)
	}
}

// shares writes the probability with which argmax returns each arm.
func (t ties) shares(s *State, scores, dst []float64) {
	clear(dst)
	first, m := largest(s, scores)
	if t.src == nil {
		dst[t.foremost(s, scores, first, m)] = 1
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
