package montecarlo

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
)

// binomial draws from the binomial law of n trials with probability 0 < p < 1: below 25 trials
// one by one, below a mean of 1 by inversion, else by rejection from a Cauchy law
// (Press et al. 1992, section 7.3). One by one and by rejection the draws equal the draws
// of gonum's distuv.Binomial from the same source. That waits for events by ExpFloat64,
// which calls math.Exp; here the same bits come out on every processor.
func binomial(n, p float64, src *rand.Rand) float64 {
	rare := min(p, 1-p)
	var x float64
	switch mean := n * rare; {
	case n < 25:
		for range int(n) {
			if src.Float64() < rare {
				x++
			}
		}
	case mean < 1:
		x = inverted(n, rare, src.Float64())
	default:
		x = rejected(n, rare, src)
	}
	if rare != p {
		return n - x
	}
	return x
}

// inverted is the smallest x with P(X ≤ x) > u, by the ratios of neighbouring probabilities,
//
//	P(X = x+1)/P(X = x) = (n−x)/(x+1) · p/(1−p)
func inverted(n, p, u float64) float64 {
	at, odds := bitexact.Exp(float64(n*math.Log1p(-p))), p/(1-p)
	x := 0.0
	for u >= at && x < n {
		u -= at
		at = float64(at * ((n - x) / (x + 1) * odds))
		x++
	}
	return x
}

// rejected draws from a Cauchy law that lies above the binomial one.
func rejected(n, p float64, src *rand.Rand) float64 {
	mean, all := float64(n*p), lnFactorial(n)
	ln, lnNot, width := math.Log(p), math.Log1p(-p), math.Sqrt(float64(2*mean*(1-p)))
	for {
		y := math.Tan(float64(math.Pi * src.Float64()))
		x := float64(width*y) + mean
		if x < 0 || x >= n+1 {
			continue
		}
		x = math.Floor(x)
		t := 1.2 * width * (1 + float64(y*y)) * bitexact.Exp(all-lnFactorial(x)-lnFactorial(n-x)+float64(x*ln)+float64((n-x)*lnNot))
		if src.Float64() <= t {
			return x
		}
	}
}

// lnFactorial returns ln x!.
func lnFactorial(x float64) float64 {
	ln, _ := math.Lgamma(x + 1)
	return ln
}
