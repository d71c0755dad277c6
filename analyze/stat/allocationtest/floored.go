package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// Floored counts what a floor under every arm's probability is held against
// without logged propensities: for each arm, over the rounds in which m arms
// could be played, those in which it was one of them, and those that played it.
// It is not safe for concurrent use.
type Floored struct {
	arms int
	of   []*flooredRounds // by m, from 0; nil: no such round
}

// flooredRounds are rounds in which the same number of arms could be played.
type flooredRounds struct{ could, pulls []int64 }

// FloorFind is the arm whose pulls contradict a floor the most.
type FloorFind struct {
	LogP     float64 // of all arms together; 0 where nothing was added
	Arm      int     // −1: no arm has any evidence
	Pulls    int64   // rounds that played it
	Rounds   int64   // rounds in which it could be played
	Expected float64 // the expectation of Pulls at the nearest law that keeps the floor
	Above    bool    // it was played too often for the floor of the other arms, and not too seldom for its own
}

// NewFloored returns empty counts for arms 0…arms−1.
func NewFloored(arms int) *Floored {
	return &Floored{arms: arms, of: make([]*flooredRounds, arms+1)}
}

// Add joins rounds: arm[t] was played, and could(t, a) says whether arm a could be.
// A negative arm is passed over. An arm that was played could be.
func (f *Floored) Add(arm []int32, could func(row, arm int) bool) {
	may := make([]int, 0, f.arms)
	for t, played := range arm {
		if played < 0 {
			continue
		}
		may = may[:0]
		for a := range f.arms {
			if a == int(played) || could(t, a) {
				may = append(may, a)
			}
		}
		of := f.with(len(may))
		of.pulls[played]++
		for _, a := range may {
			of.could[a]++
		}
	}
}

// AddPulls joins rounds in which the arms that have a row of pulls, and no others,
// could all be played.
func (f *Floored) AddPulls(pulls []int64, among []int) {
	rounds, of := int64(0), f.with(len(among))
	for _, a := range among {
		rounds += pulls[a]
	}
	for _, a := range among {
		of.pulls[a] += pulls[a]
		of.could[a] += rounds
	}
}

func (f *Floored) with(m int) *flooredRounds {
	if f.of[m] == nil {
		f.of[m] = &flooredRounds{make([]int64, f.arms), make([]int64, f.arms)}
	}
	return f.of[m]
}

// Merge joins another accumulator for the same arms; o stays as it is.
func (f *Floored) Merge(o *Floored) {
	if f.arms != o.arms {
		panic(BadLength)
	}
	for m, from := range o.of {
		if from == nil {
			continue
		}
		to := f.with(m)
		for a := range to.could {
			to.could[a] += from.could[a]
			to.pulls[a] += from.pulls[a]
		}
	}
}

// Test holds pulls against a floor φ in (0, 1/K]: of m arms that could be played
// each was, with probability p_t(a),
//
//	φ ≤ p_t(a) ≤ 1 − (m − 1)·φ
//
// Both are chances that are at least a number, of playing arm a at φ, and of playing
// another at (m − 1)·φ. Where all arms could always be played, in a number of rounds
// that no reward decided (fixed), a chance that is at least φ in each of n rounds comes
// at most c times with at most the probability that a binomial law has, and
//
//	p = min(1, j·min over arms of P(X ≤ N_a) and P(Y ≤ n − N_a)),  X ~ Bin(n, φ), Y ~ Bin(n, (K−1)·φ)
//
// over the j of these that differ (Bonferroni; 2 of two arms, else 2·K).
// Otherwise
//
//	E(c, n, φ) = ∫ (q/φ)^c·((1−q)/(1−φ))^(n−c) dw(q)
//
// with w the law Beta(½, ½) of q in (0, φ). For every q below φ the product over rounds
// is a supermartingale, however the chance moves with what came before, so that
// P(E ≥ 1/α at any n) ≤ α (Ville 1939). Of the rounds with m arms each m has a factor
// of its own: in every round one of them moves. The mean of these, over all arms that
// could be played, is evidence too, and p = 1/mean, at most 1, holds at every number of
// rounds and for whatever decides which arms can be played. Special cases are:
//
//	one arm, or no rounds: LogP is 0, and Arm is −1
func (f *Floored) Test(floor float64, fixed bool) FloorFind {
	logP := shortfallLogP
	if fixed {
		logP = binomialShortfall
	}
	out := FloorFind{Arm: -1}
	if f.arms < 2 {
		return out
	}
	var all []float64
	for arm := range f.arms {
		low, high := f.arm(arm, floor, logP)
		if low.Rounds == 0 {
			continue
		}
		either := []FloorFind{low, high}
		if f.arms == 2 {
			either = either[:1] // what one of two arms has too much the other lacks
		}
		for _, x := range either {
			all = append(all, -x.LogP)
			if x.LogP < out.LogP {
				out = x
			}
		}
	}
	switch {
	case len(all) == 0:
	case !fixed:
		out.LogP = min(0, -tail.LogMeanExp(all))
	default:
		out.LogP = min(0, out.LogP+math.Log(float64(len(all))))
	}
	return out
}

// arm is ln p of one arm, or −ln of the evidence, either way.
func (f *Floored) arm(arm int, floor float64, logP func(c, n int64, floor float64) float64) (low, high FloorFind) {
	low.Arm, high.Arm, high.Above = arm, arm, true
	for m, of := range f.of {
		if of == nil || of.could[arm] == 0 {
			continue
		}
		n, c, others := of.could[arm], of.pulls[arm], float64(float64(m-1)*floor)
		low.Rounds += n
		low.Pulls += c
		high.Expected += float64(float64(n) * (1 - others))
		high.LogP += logP(n-c, n, others)
	}
	high.Rounds, high.Pulls = low.Rounds, low.Pulls
	low.Expected = float64(float64(low.Rounds) * floor)
	low.LogP = logP(low.Pulls, low.Rounds, floor)
	return low, high
}

// binomialShortfall is ln P(X ≤ c) of X ~ Bin(n, φ).
func binomialShortfall(c, n int64, floor float64) float64 {
	return tail.LogBinomialAtMost(c, n, min(floor, 1))
}

// shortfallLogP is −ln E(c, n, φ) of Test. Special cases are:
//
//	φ = 0, or no rounds: 0
func shortfallLogP(c, n int64, floor float64) float64 {
	if n == 0 || !(floor > 0) {
		return 0
	}
	a, b := float64(c)+0.5, float64(n-c)+0.5
	return math.Log(math.Pi) + tail.LogBeta(0.5, 0.5, floor, 1-floor) +
		float64(float64(c)*math.Log(floor)) + float64(float64(n-c)*math.Log1p(-floor)) -
		logBetaFunction(a, b) - tail.LogBeta(a, b, floor, 1-floor)
}

// logBetaFunction is ln B(a, b).
func logBetaFunction(a, b float64) float64 { return logGamma(a) + logGamma(b) - logGamma(a+b) }
