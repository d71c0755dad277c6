package confseq

import "math"

// sequenceRho is the mixture parameter ρ of the confidence sequence. It must be
// fixed in advance: one tuned to the length of the log would not be any-time.
const sequenceRho = 100

// Sequence says which confidence sequence is meant.
type Sequence struct {
	Lo, Hi   float64 // Required. The declared reward range, Lo < Hi.
	K        int     // Required. All declared arms, K ≥ 1, for the union bound.
	LogAlpha float64 // ln α of the level 1 − α, at most 0; SequenceP does not use it.
}

// ConfidenceSequence returns the any-time interval around the mean of n rewards
// of one arm, Robbins' normal mixture for sub-Gaussian variables with parameter
// (Hi−Lo)/2 (Robbins 1970, doi 10.1214/aoms/1177696786) with a union bound over
// the K declared arms,
//
//	mean ± ((Hi−Lo)/2n)·√( (n+ρ)·( ln((n+ρ)/ρ) + 2·ln(K/α) ) ),  ρ = 100
//
// It covers the mean of E[y_t | past] over the rounds the arm was played, at
// every time at once, hence for any stopping rule, any policy, and any arm
// selected by looking at the data. It is not cut to [Lo, Hi]. Special cases
// are:
//
//	n ≤ 0 gives [-Inf, +Inf]
//	LogAlpha > 0 or NaN, Lo ≥ Hi or K < 1 gives NaN, NaN
//	a NaN mean with n > 0 gives NaN, NaN
func ConfidenceSequence(n int64, mean float64, s Sequence) (lo, hi float64) {
	switch {
	case !s.valid() || !(s.LogAlpha <= 0):
		return math.NaN(), math.NaN()
	case n <= 0:
		return math.Inf(-1), math.Inf(1)
	}
	radius := s.radius(n)
	return mean - radius, mean + radius
}

// radius is half the width of the interval around the mean of n > 0 rewards.
func (s Sequence) radius(n int64) float64 {
	rows := float64(n)
	inner := math.Log1p(rows/sequenceRho) + float64(2*(math.Log(float64(s.K))-s.LogAlpha))
	return float64((s.Hi - s.Lo) / (2 * rows) * math.Sqrt((rows+sequenceRho)*inner))
}

// SequenceP returns ln of the any-time p-value of the hypothesis that the arm's
// mean is value: the smallest α whose interval excludes it,
//
//	ln p = ln K + ½·ln((n+ρ)/ρ) − (2n·|mean − value|/(Hi−Lo))²/(2·(n+ρ))
//
// and at most 0. It serves a one-sided hypothesis too, where the mean lies on
// the side of the alternative. Special cases are:
//
//	n ≤ 0 gives 0
//	Lo ≥ Hi or K < 1 gives NaN
//	a NaN mean or value with n > 0 gives NaN
func SequenceP(n int64, mean, value float64, s Sequence) float64 {
	switch {
	case !s.valid():
		return math.NaN()
	case n <= 0:
		return 0
	}
	rows := float64(n)
	d := 2 * rows * (mean - value) / (s.Hi - s.Lo)
	return min(0, math.Log(float64(s.K))+float64(0.5*math.Log1p(rows/sequenceRho))-float64(d/(rows+sequenceRho)*d/2))
}

func (s Sequence) valid() bool { return s.Lo < s.Hi && s.K >= 1 }
