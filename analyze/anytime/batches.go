package anytime

import "math"

// Table is what a batch held of two arms whose rewards are 0 or 1: how often each was
// played, and how often with reward 1.
type Table struct{ Plays, Ones [2]int64 }

// Batches bets on how the ones of a batch fall on two arms, given how many rounds
// each arm had. Where the labels of a batch are exchangeable and the arms pay alike,
// the ones S_a of arm a are hypergeometric given the margins, and
//
//	e^(ψ·S_a)/E[e^(ψ·S_a)]
//
// has mean 1. e is the average over ψ ∈ {±¼, ±½, ±1, ±3/2} of the products over
// batches. Valid after each batch, for any number of batches, where arms are dropped,
// and without propensities, if allocation probabilities are the same for every round
// of a batch and no unit is in two rounds of it (own proof, internally reviewed). A
// batch that played one arm alone changes nothing.
type Batches struct {
	lean  leanings
	purse *purse
	used  int64
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
	b.used++
	ones := t.Ones[0] + t.Ones[1]
	law := newHypergeometric(t.Plays[0], t.Plays[1], ones)
	for i, quarters := range b.lean {
		psi := float64(quarters) / 4
		b.purse.multiplyLog(i, float64(psi*float64(t.Ones[0]))-law.logMean(psi))
		b.purse.multiplyLog(i+len(b.lean), -float64(psi*float64(t.Ones[0]))-law.logMean(-psi))
	}
	b.purse.round()
}

// Used returns how many batches played both arms.
func (b *Batches) Used() int64 { return b.used }

// Evidence returns the evidence after the last batch; Up is that the first arm pays
// more.
func (b *Batches) Evidence() Evidence { return evidenceOf(b.purse) }

// hypergeometric is the law of how many of n balls drawn are ones.
type hypergeometric struct {
	from int64
	log  []float64 // ln P(from + i), up to a constant
}

func newHypergeometric(a, b, ones int64) hypergeometric {
	out := hypergeometric{from: max(0, ones-b)}
	to := min(a, ones)
	at := 0.0
	for s := out.from; s <= to; s++ {
		out.log = append(out.log, at)
		// P(s+1)/P(s)
		at += math.Log(float64(a-s)) - math.Log(float64(s+1)) + math.Log(float64(ones-s)) - math.Log(float64(b-ones+s+1))
	}
	return out
}

// logMean is ln E[e^(ψ·S)].
func (h *hypergeometric) logMean(psi float64) float64 {
	tilted := make([]float64, len(h.log))
	for i, l := range h.log {
		tilted[i] = l + float64(psi*float64(h.from+int64(i)))
	}
	return logMean(tilted...) - logMean(h.log...)
}
