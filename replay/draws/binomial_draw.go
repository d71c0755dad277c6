package draws

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay/policy/scalar"
)

// binomial draws from the binomial law of n trials with probability 0 < p < 1, the draws of
// gonum's distuv.Binomial from the same source, but that its exponential has the same bits on
// every processor: below 25 trials one by one, below a mean of 1 by waiting times, else by
// rejection from a Cauchy law (Press et al. 1992, section 7.3).
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
		x = waited(n, rare, src)
	default:
		x = rejected(n, rare, src)
	}
	if rare != p {
		return n - x
	}
	return x
}

// waited draws a number of Poisson events and takes it with the odds of the binomial law, by
// Stirling's formula.
func waited(n, p float64, src *rand.Rand) float64 {
	const bound = 2.6e-2              // of the logarithm of the odds
	lnOf := func(z float64) float64 { // ln(1+z) by Padé
		return (1 + float64(0.5*z)) * z / (1 + float64((1+float64(1.0/6*z))*z))
	}
	mean, lnNot := float64(n*p), lnOf(-p)
	for {
		x, t := 0.0, 0.0
		for range int(n) {
			if t += src.ExpFloat64(); t >= mean {
				break
			}
			x++
		}
		rest := n - x
		if src.ExpFloat64() >= float64((rest+0.5)*lnOf(-x/n))+x-float64(rest*lnNot)+1/float64(12*rest)-mean+bound {
			return x
		}
	}
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
		t := 1.2 * width * (1 + float64(y*y)) * scalar.Exp(all-lnFactorial(x)-lnFactorial(n-x)+float64(x*ln)+float64((n-x)*lnNot))
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
