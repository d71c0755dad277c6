package adaptive

import (
	"math"

	"banditaudit/analyze/moments"
)

// IPW accumulates inverse-propensity-weighted rewards by arm (Horvitz &
// Thompson 1952, doi 10.1080/01621459.1952.10483446).
type IPW struct {
	rounds   int64
	weighted []moments.Scalar // of y/p over the rounds that played the arm
	weight   []moments.Scalar // of 1/p over the same rounds
}

// NewIPW returns an empty accumulator for arms 0…arms−1.
func NewIPW(arms int) *IPW {
	return &IPW{weighted: make([]moments.Scalar, arms), weight: make([]moments.Scalar, arms)}
}

// Add joins a chunk: arm[t] was played with probability p[t] and gave y[t]. The
// slices have equal length, otherwise it panics. It returns an error that names
// the row if a propensity is outside (0, 1] or an arm does not exist; the
// accumulator then is as it was before.
func (w *IPW) Add(arm []int32, y, p []float64) error {
	if len(y) != len(p) {
		panic(badLength)
	}
	if err := checkRows(len(w.weighted), arm, p); err != nil {
		return err
	}
	z, inverse := make([]float64, len(y)), make([]float64, len(y))
	for t, a := range arm {
		if a >= 0 {
			z[t], inverse[t] = y[t]/p[t], 1/p[t]
			w.rounds++
		}
	}
	if err := moments.AddScalarsByArm(w.weight, arm, inverse); err != nil {
		return err
	}
	return moments.AddScalarsByArm(w.weighted, arm, z)
}

// Merge joins another accumulator for the same arms; o stays as it is.
func (w *IPW) Merge(o *IPW) {
	if len(w.weighted) != len(o.weighted) {
		panic(badLength)
	}
	w.rounds += o.rounds
	for a := range w.weighted {
		w.weighted[a].Merge(o.weighted[a])
		w.weight[a].Merge(o.weight[a])
	}
}

// Mean returns, for one arm over the T rounds in which it could be played, the
// estimate of its mean reward over those rounds and its standard error,
//
//	mean = (1/T)·Σ_t z_t,  z_t = 1{A_t = arm}·y_t/p_t,  stdErr = √(Σ(z_t − mean)²/(T−1)/T)
//
// The mean is unbiased if every p_t is the probability, given the past, with
// which the arm was played and is positive in each of the T rounds, and no
// reward is missing; the error is that of independent rounds. Special cases
// are:
//
//	T = 0: NaN, NaN
//	T = 1: stdErr is NaN
//	an arm never played: 0, 0
//	T less than the rounds that played the arm: NaN, NaN
func (w *IPW) Mean(arm int, rounds int64) (mean, stdErr float64) {
	s := w.weighted[arm]
	if rounds == 0 || rounds < s.N {
		return math.NaN(), math.NaN()
	}
	s.Merge(moments.Scalar{N: rounds - s.N}) // the rounds that played another arm count 0
	return s.Mean, s.StdErr()
}

// ESS returns the effective number of rounds behind an arm's mean,
//
//	(Σ 1/p_t)² / Σ 1/p_t²  over the rounds that played the arm
//
// between 1 and their number. Special cases are:
//
//	an arm never played: NaN
func (w *IPW) ESS(arm int) float64 {
	s := w.weight[arm]
	if s.N == 0 {
		return math.NaN()
	}
	n := float64(s.N)
	squares := s.M2 + float64(n*float64(s.Mean*s.Mean))
	return float64(n*s.Mean) * float64(n*s.Mean) / squares
}
