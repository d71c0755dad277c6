package allocationtest

import (
	"fmt"
	"math"

	"banditaudit/ingest/precision"
)

// Allocation accumulates what check H05 needs from the logged action's
// propensity alone: for each arm a, over the rounds t that played it,
//
//	S_a = Σ 1/p_t,  V_a = Σ (1 − p_t)/p_t²
//
// E[S_a] = T and Var[S_a] = E[V_a] if p_t is the probability, given the past,
// of the action played and the arm has a positive probability in every round;
// E[S_a] ≤ T whatever the propensities of the arms that were not played.
type Allocation struct {
	// Complete says that the arms are all there are. Of two of them the
	// propensity of the one that was not played then is 1 − p_t.
	Complete bool
	// Ends say how exactly propensities are known; before the first row is added.
	Ends precision.Ends

	rounds      int64
	arms        []armSums
	overall     *overall
	least, most float64 // propensity
	two         balance // of arm 0, where there are two arms
}

type armSums struct {
	rows                       int64
	inverse, variance, squares float64 // Σ1/p, Σ(1−p)/p², Σ((1−p)/p²)²
	wager                      *wager  // on 1{A=a}/p⁺, the upper end of p
}

// balance is Σ (1{A=a} − p) and Σ p·(1 − p) over rounds that all have p.
type balance struct{ deviation, variance float64 }

// NewAllocation returns an empty accumulator for arms 0…arms−1.
func NewAllocation(arms int) *Allocation {
	a := &Allocation{arms: make([]armSums, arms), overall: newOverall(), least: math.Inf(1)}
	for i := range a.arms {
		a.arms[i].wager = newWager()
	}
	return a
}

// Add joins a chunk: arm[t] was played with logged probability p[t]. The slices
// have equal length, otherwise it panics. It returns an error that names the
// row if a propensity is outside (0, 1] or an arm does not exist; the
// accumulator then is as it was before.
func (a *Allocation) Add(arm []int32, p []float64) error {
	if err := checkRows(len(a.arms), arm, p); err != nil {
		return err
	}
	for t, i := range arm {
		if i < 0 {
			continue
		}
		s := &a.arms[i]
		inverse := 1 / p[t]
		v := float64((1 - p[t]) * inverse * inverse)
		s.rows++
		s.inverse += inverse
		s.variance += v
		s.squares += float64(v * v)
		s.wager.add(1 / a.Ends.Upper(p[t]))
		a.rounds++
		a.note(int(i), p[t])
	}
	return nil
}

// note takes up what is not of a single arm.
func (a *Allocation) note(arm int, p float64) {
	a.overall.add(len(a.arms), p, a.Ends.Upper(p))
	a.least, a.most = min(a.least, p), max(a.most, p)
	a.two.variance += float64(p * (1 - p))
	if arm == 0 {
		a.two.deviation += 1 - p
	} else {
		a.two.deviation -= 1 - p
	}
}

// Merge joins another accumulator for the same arms; o stays as it is.
func (a *Allocation) Merge(o *Allocation) {
	if len(a.arms) != len(o.arms) {
		panic(BadLength)
	}
	a.rounds += o.rounds
	a.overall.merge(o.overall)
	a.least, a.most = min(a.least, o.least), max(a.most, o.most)
	a.two.deviation += o.two.deviation
	a.two.variance += o.two.variance
	for i, s := range o.arms {
		d := &a.arms[i]
		d.rows += s.rows
		d.inverse += s.inverse
		d.variance += s.variance
		d.squares += s.squares
		d.wager.merge(s.wager)
	}
}

// BadLength is the message of the panic for a caller's slices of unequal
// length, or for a merge of accumulators of different shape.
const BadLength = "allocationtest: slice length mismatch"

// checkRows refuses a chunk with an arm that does not exist or a propensity
// outside (0, 1]; rows with a negative arm are not looked at.
func checkRows(arms int, arm []int32, p []float64) error {
	if len(arm) != len(p) {
		panic(BadLength)
	}
	for t, a := range arm {
		switch {
		case a < 0:
		case int(a) >= arms:
			return fmt.Errorf("allocationtest: row %d of the chunk has arm %d, but there are %d arms; declare the missing arms", t, a, arms)
		case !(p[t] > 0 && p[t] <= 1):
			return fmt.Errorf("allocationtest: row %d of the chunk has propensity %g, which is not in (0, 1]; correct the log", t, p[t])
		}
	}
	return nil
}
