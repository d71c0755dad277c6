package noise

import (
	"math"
	"math/rand/v2"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// exponentTest holds w against the exponential law, whatever its mean, where it
// is weakest to mistake it for another power of the sizes, as a Gaussian law has:
//
//	T = Σ w·ln w/Σw − ln(Σw/m)
//
// is the score of c at 1 in Weibull variables w^c (Cox and Oakes, Analysis of
// survival data, 1984, section 3.4). P is two-sided: of simulated values of T for
// up to 200 draws, and beyond by the normal law with mean 1−γ−1/(2m) and variance
// (π²/3−3)/m.
func exponentTest(w []float64) Test {
	t := newTest("exponent")
	m := len(w)
	if m < fewest {
		return t.tooFew("few draws")
	}
	at := power(w)
	if math.IsNaN(at) || math.IsInf(at, 0) {
		return t.tooFew("all draws are 0, or one is infinite")
	}
	if m > 200 {
		n := float64(m)
		z := (at - (1 - eulerGamma - 0.5/n)) / math.Sqrt((math.Pi*math.Pi/3-3)/n)
		return t.of(at, bitexact.Erfc(math.Abs(z)/math.Sqrt2), "normal")
	}
	law := powers(m)
	below, _ := slices.BinarySearch(law, at)
	side := min(below, len(law)-below)
	return t.of(at, min(1, 2*float64(side+1)/float64(len(law)+1)), "simulated")
}

const eulerGamma = 0.57721566490153286060651209008240243

// power returns T.
func power(w []float64) float64 {
	var sum, weighted float64
	for _, x := range w {
		if x > 0 {
			sum += x
			weighted += float64(x * math.Log(x))
		}
	}
	return weighted/sum - math.Log(sum/float64(len(w)))
}

// powers are values of T for m exponential variables, in rising order.
func powers(m int) []float64 {
	const each = 4000
	src := rand.NewPCG(uint64(m), 0x706f776572) //nolint:gosec // a table, not a secret
	law, w := make([]float64, each), make([]float64, m)
	for i := range law {
		for j := range w {
			w[j] = -bitexact.Ln(1 - bitexact.Unit(src)) // rand.ExpFloat64 calls math.Exp
		}
		law[i] = power(w)
	}
	slices.Sort(law)
	return law
}
