package reproduce

import (
	"math"
	"slices"
)

// uniformP is the p-value of Kolmogorov and Smirnov's test that values are
// uniform on [0,1], by the limit law at (√n + .12 + .11/√n)·D (Stephens 1970).
func uniformP(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n, d := float64(len(sorted)), 0.0
	for i, v := range sorted {
		d = max(d, float64(i+1)/n-v, v-float64(i)/n)
	}
	root := math.Sqrt(n)
	lambda := (root + 0.12 + 0.11/root) * d
	p := 0.0
	for k := 1.0; k <= 100; k++ {
		term := 2 * math.Exp(-2*k*k*lambda*lambda)
		if int(k)%2 == 0 {
			term = -term
		}
		p += term
	}
	if lambda < 0.2 { // the series alternates without end; the true value is 1 to nine digits
		return 1
	}
	return min(max(p, 0), 1)
}
