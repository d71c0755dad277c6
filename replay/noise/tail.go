package noise

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// lnTailOne returns ln P(|Y| ≥ x) of one discrete Laplace variable in units of
// its lattice, P(Y = k) ∝ e^{−step·|k|}, at an integer x ≥ 0; step > 0:
//
//	ln 2 − x·step − ln(1+e^{−step}) for x ≥ 1, and 0 for x = 0
func lnTailOne(x, step float64) float64 {
	if x <= 0 {
		return 0
	}
	return math.Ln2 - float64(x*step) - math.Log1p(bitexact.Exp(-step))
}

// lnTailSum returns ln P(|Y| ≥ x) of the sum of count such variables. With j of
// the failures of one side before its x-th success,
//
//	P(Y ≥ x) = Σ_{j<count} C(x+j−1, j)·q^x·(1−q)^j·P(A ≥ B)
//
// where A has count−j failures left and B count (race). With step = 0, x is in
// units of the continuous scale, and
//
//	P(Y ≥ x) = Σ_{j<count} e^{−x}·x^j/j!·P(A ≥ B)
//
// Own derivation; testdata/reference/noise.py holds it against sums of the law.
func lnTailSum(x, step float64, count int, r *race) float64 {
	if x <= 0 {
		return 0
	}
	fail := -math.Expm1(-step)
	term, sum, scale := 1.0, 0.0, 0.0
	for j := range count {
		sum += float64(term * r.wins(count-j, count))
		if step == 0 {
			term *= x / float64(j+1)
		} else {
			term *= (x + float64(j)) / float64(j+1) * fail
		}
		if term > huge {
			term, sum, scale = term/huge, sum/huge, scale+math.Log(huge)
		}
	}
	decay := x
	if step > 0 {
		decay = x * step
	}
	return min(0, math.Ln2-decay+scale+math.Log(sum))
}

// huge keeps the terms of a tail within range.
const huge = 0x1p600

// lnTailMany is lnTailSum for the continuous law and many variables, by the
// saddlepoint approximation of Lugannani and Rice (Saddle point approximation
// for the distribution of the sum of independent random variables, Adv. Appl.
// Prob. 12, 1980) with K(s) = −count·ln(1−s²). Its relative error falls with
// count and is below 2e-4 at 256, out to P = e^{−550}.
func lnTailMany(x float64, count int) float64 {
	c := float64(count)
	if x <= 0 {
		return 0
	}
	sigma := math.Sqrt(2 * c)
	if x < 0.01*sigma {
		return math.Log(bitexact.Erfc(x / sigma / math.Sqrt2))
	}
	s := x / (c + math.Hypot(c, x))
	rest := (1 - s) * (1 + s)
	root := math.Sqrt(2 * (float64(s*x) + float64(c*math.Log(rest))))
	u := s * math.Sqrt(float64(2*c*(1+float64(s*s)))) / rest
	return math.Ln2 - float64(root*root/2) - float64(0.5*math.Log(2*math.Pi)) + math.Log(mills(root)+1/u-1/root)
}

// mills returns Φ(−z)/φ(z), z ≥ 0.
func mills(z float64) float64 {
	if z < 30 {
		return math.Sqrt(math.Pi/2) * bitexact.Erfc(z/math.Sqrt2) * bitexact.Exp(z*z/2)
	}
	i := 1 / (z * z)
	return (1 - float64(i*(1-float64(3*i*(1-float64(5*i)))))) / z
}
