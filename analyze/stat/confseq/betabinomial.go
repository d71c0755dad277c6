package confseq

import (
	"math"

	"banditaudit/analyze/stat/convex"
	"banditaudit/analyze/stat/tail"
)

// betaBinomialSizes are the κ over which [BetaBinomialSequence] averages, with equal
// weights. A κ is how many rewards a guess is worth; one κ would be tuned to a length
// of the log, and these four are tuned to none.
func betaBinomialSizes() []float64 { return []float64{1, 10, 100, 1000} }

// BetaBinomialSequence returns the any-time interval around the mean of n rewards of one
// arm whose conditional expectation given the past is one number in all rounds, with a
// union bound over the K declared arms. Of rewards rescaled to [0,1] with the sum S it is
// the set of m with
//
//	(1/4)·Σ_κ M(m, κ) < K/α,  κ = 1, 10, 100, 1000
//	ln M(m, κ) = ln B(κm+S, κ(1−m)+n−S) − ln B(κm, κ(1−m)) − S·ln m − (n−S)·ln(1−m)
//
// Given q, (q/m)^x·((1−q)/(1−m))^(1−x) is at most x·q/m + (1−x)·(1−q)/(1−m), by weighted
// means, whose expectation is 1: so M, its mixture over q with the law Beta(κm, κ(1−m)),
// is a supermartingale at the arm's mean, for any rewards in [0,1], any policy and at any
// time. With a mean that moves it is none, for the law of q moves with m. It is the
// supermartingale of Howard, Ramdas, McAuliffe and Sekhon 2021 (doi 10.1214/20-AOS1991)
// with a κ that is fixed. Formula sheet, second part, 22.2.
//
// The set is an interval that holds the mean of the rewards: of S and n − S that are 0 or
// at least 1 every ln M is convex in m; with 0 < S < 1 it increases in m, and with
// 0 < n − S < 1 it decreases. For one reward strictly between, where it does neither, the
// interval is the whole range. Ends are rounded outwards, by 10⁻¹² of the range, and lie
// within it. Special cases are:
//
//	n ≤ 0 gives [Lo, Hi]
//	LogAlpha > 0 or NaN, Lo ≥ Hi or K < 1 gives NaN, NaN
//	a mean outside [Lo, Hi] or NaN with n > 0 gives NaN, NaN
func BetaBinomialSequence(n int64, mean float64, s Sequence) (lo, hi float64) {
	switch {
	case !s.valid() || !(s.LogAlpha <= 0):
		return math.NaN(), math.NaN()
	case n <= 0:
		return s.Lo, s.Hi
	case !(mean >= s.Lo && mean <= s.Hi):
		return math.NaN(), math.NaN()
	}
	width := s.Hi - s.Lo
	rewards := successes{rows: float64(n), mean: (mean - s.Lo) / width}
	lo, hi = rewards.below(math.Log(float64(s.K))-s.LogAlpha, betaBinomialSizes()...)
	return max(s.Lo, s.Lo+float64(width*lo)), min(s.Hi, s.Lo+float64(width*hi))
}

// successes are rewards in [0,1]: their number, at least 1, and their mean.
type successes struct{ rows, mean float64 }

// below are the ends of the means at which the average of M over sizes is below e^level.
func (r successes) below(level float64, sizes ...float64) (lo, hi float64) {
	kept := func(m float64) bool { return r.logMixture(m, sizes) < level }
	lo, hi = 0, 1
	if !kept(0) {
		lo = max(0, convex.Edge(0, r.mean, kept)-convex.Outward)
	}
	if !kept(1) {
		hi = min(1, convex.Edge(1, r.mean, kept)+convex.Outward)
	}
	return lo, hi
}

// logMixture is ln of the average of M over sizes.
func (r successes) logMixture(m float64, sizes []float64) float64 {
	logs := make([]float64, len(sizes))
	for i, kappa := range sizes {
		logs[i] = r.log(m, kappa)
	}
	return tail.LogMeanExp(logs)
}

// log is ln M(m, κ). A mean of 0 fits rewards that are all 0 as well as any, and no
// others; likewise 1.
func (r successes) log(m, kappa float64) float64 {
	s := float64(r.rows * r.mean)
	f := r.rows - s
	switch {
	case m <= 0 && s == 0, m >= 1 && f == 0:
		return 0
	case m <= 0, m >= 1:
		return math.Inf(1)
	}
	return tail.LogBetaRatio(kappa*m, kappa*(1-m), s, f)
}
