package tail

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// halfLogTwoPi is ln(2π)/2, https://oeis.org/A075700 with the sign changed.
const halfLogTwoPi = 0.918938533204672741780329736405617639861

// stirlingError returns the error of Stirling's formula,
//
//	δ(x) = ln Γ(x+1) − (x+½)·ln x + x − ½·ln 2π
//
// for x > 0 (Loader 2000, "Fast and accurate computation of binomial
// probabilities"). It is what keeps ln Γ(10⁹) from swallowing the answer.
func stirlingError(x float64) float64 {
	if x < 16 {
		lg, _ := math.Lgamma(x + 1)
		return lg - float64((x+0.5)*math.Log(x)) + x - halfLogTwoPi
	}
	// Bernoulli series; the first term left out is below 1e-16 at x = 16.
	r := 1 / (x * x)
	s := 1.0/1188 - float64(r*(691.0/360360))
	s = 1.0/1680 - float64(r*s)
	s = 1.0/1260 - float64(r*s)
	s = 1.0/360 - float64(r*s)
	s = 1.0/12 - float64(r*s)
	return s / x
}

// deviance returns
//
//	x·ln(x/m) + m − x
//
// for x > 0 and m ≥ 0 without cancellation near x = m (Loader's bd0).
// Special cases are:
//
//	deviance(x, 0) = +Inf
func deviance(x, m float64) float64 {
	if m == 0 {
		return math.Inf(1)
	}
	if math.Abs(x-m) >= 0.1*(x+m) {
		return float64(x*(logOf(x)-logOf(m))) + m - x
	}
	v := (x - m) / (x + m)
	sum := float64((x - m) * v)
	term := 2 * x * v
	v *= v
	for j := 3.0; j < 2000; j += 2 {
		term *= v
		next := sum + term/j
		if next == sum {
			break
		}
		sum = next
	}
	return sum
}

// logOneMinusExp returns ln(1 − e^x) for x ≤ 0 by the branch that keeps its
// digits (Mächler 2012, "Accurately computing log(1 − exp(−|a|))").
func logOneMinusExp(x float64) float64 {
	if x > -math.Ln2 {
		return logOf(-math.Expm1(x))
	}
	return math.Log1p(-bitexact.Exp(x))
}

// logOf returns ln x for x > 0. math.Log is off by up to 35 below the smallest
// normal float64 on amd64 (go1.26: -709.09 for 5e-324, whose logarithm is
// -744.44).
func logOf(x float64) float64 {
	if x < 0x1p-900 {
		return math.Log(x*0x1p200) - 200*math.Ln2
	}
	return math.Log(x)
}
