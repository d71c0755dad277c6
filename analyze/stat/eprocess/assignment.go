package eprocess

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Span is where a number lies: a propensity that was rounded, or recomputed with an
// error, is known between two ends. Both are equal where it is known.
type Span struct{ Lo, Hi float64 }

// Exactly is a number that is known.
func Exactly(x float64) Span { return Span{Lo: x, Hi: x} }

// Evidence is ln e of a hypothesis, against which Up and Down are evidence on one
// side each, and e their average. Largest are the same at the round of the log after
// which each was largest, at least 0: 1/e^Largest is an any-time p-value.
type Evidence struct {
	Both, Up, Down float64
	Largest        Sides
}

// Sides returns the evidence after the last round, without the largest.
func (e Evidence) Sides() Sides { return Sides{Both: e.Both, Up: e.Up, Down: e.Down} }

// Sides are three numbers of which the first is of both sides.
type Sides struct{ Both, Up, Down float64 }

// BothSides is the number of both sides.
func BothSides(s Sides) float64 { return s.Both }

// leanings are the sizes ψ of the bets that lean to the first arm, in quarters; −ψ
// leans to the second.
type leanings [4]int

func assignmentLeanings() leanings { return leanings{1, 2, 4, 6} }

// Assignment bets on which of two arms a and b was played, given the reward. Under
// the hypothesis that in every round, given the past and the context, both arms'
// rewards have the same law,
//
//	P(A_t = a | past, x_t, y_t, A_t ∈ {a, b}) = r_t = p_t(a)/(p_t(a) + p_t(b))
//
// so that g_A/(r·g_a + (1−r)·g_b) has mean 1 for any g > 0 that depends on past,
// context and y. With ŷ = (½ + Σy)/(1 + n) over the earlier rounds of the pair and
// ℓ = ln(ŷ/(1−ŷ)),
//
//	f_a = 1/(1 + e^−(ℓ+ψ/2)),  f_b = 1/(1 + e^−(ℓ−ψ/2)),  g_i = f_i^y·(1−f_i)^(1−y)
//	e_n = (1/8)·Σ_ψ Π g_A/(r·g_a + (1−r)·g_b),  ψ ∈ {±¼, ±½, ±1, ±3/2}
//
// Valid at any time, for any number of arms, any drift and any policy, if the
// propensities are true, missing rewards do not depend on the arm, and the reward
// does not influence the arm of its own round. A round in which r is 0 or 1 changes
// nothing. One side is the mean over ψ > 0 (Up: a pays more) or ψ < 0; its level
// also holds where a pays stochastically no more than b in every round. The null is
// equality in law, not of means (own proof, internally reviewed; kin: Duan, Ramdas
// & Wasserman 2022, Grünwald, Henzi & Lardy 2024).
type Assignment struct {
	n, sum float64
	open   int64 // rounds that could have played either
	lean   leanings
	half   [4]float64 // e^(ψ/2)
	y      float64    // the reward before, NaN before the first
	tilt   [4]float64 // e^(ψ·y)
	purse  *capital
}

// NewAssignment returns bets on a pair before its first round.
func NewAssignment() *Assignment {
	a := &Assignment{lean: assignmentLeanings(), y: math.NaN()}
	for i, quarters := range a.lean {
		a.half[i] = bitexact.Exp(float64(quarters) / 8)
	}
	a.purse = newPurse(2, len(a.lean), []int{0, 1}, []int{0}, []int{1})
	return a
}

// Add takes up a round that played one of the two arms, a if first is true, with
// share r of a, and reward y in [0,1]. Where r is known between two ends, the
// divisor is the larger of those at both, so that the evidence can only be too low.
func (a *Assignment) Add(first bool, r Span, y float64) {
	odds := (0.5 + a.sum) / (0.5 + a.n - a.sum)
	a.n++
	a.sum += y
	if !(r.Lo > 0 && r.Hi < 1) {
		return
	}
	a.open++
	if y != a.y {
		a.y = y
		quarter := bitexact.Exp(y / 4)
		for i, quarters := range a.lean {
			a.tilt[i] = power(quarter, quarters)
		}
	}
	up, down := a.purse.won(0), a.purse.won(1)
	var won [2][len(a.lean)]float64
	for i, half := range &a.half {
		// What g_a is of g_b, for ψ; for −ψ it is its inverse.
		ratio := a.tilt[i] * (1 + odds/half) / (1 + float64(odds*half))
		won[0][i], won[1][i] = betted(first, r, ratio), betted(first, r, 1/ratio)
		up[i] *= won[0][i]
		down[i] *= won[1][i]
	}
	for block := range won {
		least, most := endsOf(won[block][:])
		a.purse.settle(block, len(a.lean), least, most)
	}
	a.purse.round()
}

// betted is g_A/(r·g_a + (1−r)·g_b) where g_a is ratio times g_b.
func betted(first bool, r Span, ratio float64) float64 {
	of := max(float64(r.Lo*ratio)+(1-r.Lo), float64(r.Hi*ratio)+(1-r.Hi))
	if first {
		return ratio / of
	}
	return 1 / of
}

// power is x to a small whole power.
func power(x float64, n int) float64 {
	out := 1.0
	for range n {
		out *= x
	}
	return out
}

// Rounds returns how many rounds played one of the two arms.
func (a *Assignment) Rounds() int64 { return int64(a.n) }

// Open returns how many of them could have played the other: with none the evidence is 1
// whatever the rewards are.
func (a *Assignment) Open() int64 { return a.open }

// Evidence returns the evidence after the last round.
func (a *Assignment) Evidence() Evidence { return evidenceOf(a.purse) }

// evidenceOf returns the evidence of a purse of two blocks of bets, one for each side.
func evidenceOf(p *capital) Evidence {
	up, down := logMean(p.logs(0)...), logMean(p.logs(1)...)
	return Evidence{
		Both: logMean(up, down), Up: up, Down: down,
		Largest: Sides{Both: p.peak(0), Up: p.peak(1), Down: p.peak(2)},
	}
}
