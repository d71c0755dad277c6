package eprocess

import (
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// Table is what a batch held of two arms whose rewards are 0 or 1: how often each was
// played, and how often with reward 1, which is at most as often.
type Table struct{ Plays, Ones [2]int64 }

// Batches bets on how the ones of a batch fall on two arms a and b, given how many
// rounds each arm had. Where within a batch every round is given its arm by a draw of
// its own with the same probabilities, and both arms pay alike in every round, the
// labels of a batch are exchangeable given the past and the rewards. The ones S_a of
// arm a are then hypergeometric given the margins, and
//
//	e^(ψ·S_a)/E[e^(ψ·S_a)]
//
// has mean 1. e is the average over ψ ∈ {±¼, ±½, ±1, ±3/2} of the products over
// batches. Valid after each batch, for any number of batches, where arms are dropped,
// and without propensities. One side is the mean over ψ > 0 (Up: a pays more) or ψ < 0;
// its level also holds where a pays stochastically no more than b in every round, for
// the factor falls where a reward of b rises. The null is equality in law. A batch that
// played one arm alone, or whose rewards are all equal, changes nothing (formula sheet
// 24.6; own proof, internally reviewed).
//
// It does not hold where a unit is in two rounds of a batch or keeps its arm over
// batches, where the order of the labels was not drawn, and where rewards end a batch.
type Batches struct {
	lean  leanings
	purse *capital
}

// NewBatches returns bets before the first batch.
func NewBatches() *Batches {
	b := &Batches{lean: assignmentLeanings()}
	b.purse = newPurse(2, len(b.lean), []int{0, 1}, []int{0}, []int{1})
	return b
}

// Add takes up a batch.
func (b *Batches) Add(t Table) {
	if t.Plays[0] == 0 || t.Plays[1] == 0 {
		return
	}
	plays, ones := t.Plays[0]+t.Plays[1], t.Ones[0]+t.Ones[1]
	d := tail.Draw{White: ones, Black: plays - ones, Size: t.Plays[0]}
	for i, quarters := range b.lean {
		psi := float64(quarters) / 4
		b.purse.multiplyLog(i, logTilted(t.Ones[0], d, psi))
		b.purse.multiplyLog(i+len(b.lean), logTilted(t.Ones[0], d, -psi))
	}
	b.purse.round()
}

// Evidence returns the evidence after the last batch; Up is that the first arm pays
// more.
func (b *Batches) Evidence() Evidence { return evidenceOf(b.purse) }

// logTilted is ψ·k − ln E[e^(ψ·X)] of a hypergeometric X. The sum of P(X = x)·e^(ψ·x)
// is taken outwards from its largest term, each term by its ratio to the one before, in
// units of the largest: it takes some dozen standard deviations of X steps, and nothing
// overflows.
func logTilted(k int64, d tail.Draw, psi float64) float64 {
	if d.Least() == d.Most() {
		return 0
	}
	tilt := bitexact.Exp(psi)
	top := tiltedMode(d, tilt)
	sum, term := 1.0, 1.0
	for x := top; x < d.Most() && term > leastTerm*sum; x++ {
		term = float64(term * (tilt * above(d, x)))
		sum += term
	}
	term = 1
	for x := top; x > d.Least() && term > leastTerm*sum; x-- {
		term /= tilt * above(d, x-1)
		sum += term
	}
	return float64(psi*float64(k-top)) - tail.LogHypergeometricAt(top, d) - math.Log(sum)
}

// leastTerm is the part of a sum below which a term, and all that follow, are left out.
const leastTerm = 1e-18

// above is P(X = x + 1)/P(X = x), which falls in x.
func above(d tail.Draw, x int64) float64 {
	return (float64(d.White-x) / float64(x+1)) * (float64(d.Size-x) / float64(d.Black-d.Size+x+1))
}

// tiltedMode is the x with the largest P(X = x)·tilt^x.
func tiltedMode(d tail.Draw, tilt float64) int64 {
	lo, hi := d.Least(), d.Most()
	for lo < hi {
		if x := lo + (hi-lo)/2; tilt*above(d, x) > 1 {
			lo = x + 1
		} else {
			hi = x
		}
	}
	return lo
}
