package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/ingest/precision"
)

// knownResolution is how far a logged propensity may be from the one that was
// used without being contradicted, however finely it is written: room for another
// order of roundings.
const knownResolution = 1e-6

// room is how far a propensity that is p in every round may be from the true one.
func room(e precision.Ends, p float64) float64 { return max(knownResolution, e.At(p)) }

// over returns how far the sum of an arm's propensities over a number of rounds may be from
// the true sum.
func over(e precision.Ends, rounds int64, sum float64) float64 {
	return max(float64(knownResolution*float64(rounds)), e.Over(float64(rounds), sum))
}

// knownE returns the logarithm of the evidence against propensities p_t of an
// arm that are known in every round, from D = Σ (1{A=a} − p_t) and
// V = Σ p_t·(1 − p_t): the mean, over both signs and over
// λ = 2³, 2², …, 2^−12, of
//
//	exp(±λ·D − (e^λ − 1 − λ)·V)
//
// Each is a non-negative supermartingale (Freedman 1975, doi
// 10.1214/aop/1176996452), so that P(evidence ≥ 1/α) ≤ α whatever the
// propensities do, also where V hangs on the actions and where it is tiny. D is
// taken nearer to 0, and V larger, by the slack: how far Σ p_t may be from the true
// one.
func knownE(d, v, slack float64) float64 {
	v += slack
	const largest, steps = 8, 16
	var terms [2 * steps]float64
	lambda := 2.0 * largest
	for j := range steps {
		lambda = float64(lambda / 2)
		cost := float64((math.Expm1(lambda) - lambda) * v)
		terms[2*j] = float64(lambda*(d-slack)) - cost
		terms[2*j+1] = float64(lambda*(-d-slack)) - cost
	}
	return tail.LogMeanExp(terms[:])
}

// knownDetectable is the |D| at which knownE reaches −logLevel in 80 % of logs.
func knownDetectable(v, slack, logLevel float64) float64 {
	low, high := 0.0, 1.0
	for knownE(high, v, slack) < -logLevel {
		low, high = high, 2*high
	}
	const halvings = 60
	for range halvings {
		middle := (low + high) / 2
		if knownE(middle, v, slack) < -logLevel {
			low = middle
		} else {
			high = middle
		}
	}
	return high + float64(tail.NormalQuantile(math.Log(1-allocationPower))*math.Sqrt(v))
}

// binomialLogP returns ln of the two-sided p of n pulls in the given rounds, each
// with probability p or within room of it: twice the smaller tail.
func binomialLogP(n, rounds int64, p, room float64) float64 {
	most := tail.LogBinomialAtLeast(n, rounds, min(1, p+room))
	least := tail.LogBinomialAtMost(n, rounds, max(0, p-room))
	return min(0, math.Ln2+min(most, least))
}
