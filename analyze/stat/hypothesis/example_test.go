package hypothesis_test

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
)

// Of ten fair coins 8 or more are heads with probability (45 + 10 + 1)/2¹⁰, and the
// two-sided p is twice that: 0.1094. The ends of the interval are those of
// R's binom.test(8, 10).
func ExampleBinomial() {
	r := hypothesis.Binomial(8, 10, 0.5, hypothesis.TwoSided, math.Log(0.05))
	fmt.Printf("p = %.4f, interval [%.4f, %.4f], exact: %t\n", math.Exp(r.LogP), r.Lo, r.Hi, r.Exact)
	// Output: p = 0.1094, interval [0.4439, 0.9748], exact: true
}

// For rewards in [0, 1], 1,000 rows and a mean 0.05 above the value p is
// 2·exp(−2·0.05²·1000) = 2·e⁻⁵ = 0.01348, and the radius of the interval
// √(ln 40/2000) = 0.04295, whatever the law of the rewards.
func ExampleHoeffding() {
	m := hypothesis.BoundedRows(moments.Scalar{N: 1000, Mean: 0.55, M2: 200}, 0, 1)
	r := hypothesis.Hoeffding(m, 0.5, hypothesis.TwoSided, math.Log(0.05))
	fmt.Printf("p = %.5f, interval [%.5f, %.5f]\n", math.Exp(r.LogP), r.Lo, r.Hi)
	// Output: p = 0.01348, interval [0.50705, 0.59295]
}

// The lady who tells four cups of eight apart: one way in C(8, 4) = 70.
func ExampleFisher() {
	first, second := hypothesis.Successes{X: 4, N: 4}, hypothesis.Successes{X: 0, N: 4}
	r := hypothesis.Fisher(first, second, 0, hypothesis.Greater, math.Log(0.05))
	fmt.Printf("1 in %.0f\n", math.Exp(-r.LogP))
	// Output: 1 in 70
}

// Holm multiplies the smallest of three p-values by 3, the next by 2 and the last by
// 1, and lets none fall below the one before: 3·0.01, 2·0.03, and 0.06 for 0.04.
// Benjamini and Hochberg's are 3·0.01, and 0.04·3/3, which is less than 0.03·3/2.
func ExampleHolm() {
	family := []float64{math.Log(0.01), math.Log(0.04), math.Log(0.03)}
	for _, adjusted := range [][]float64{hypothesis.Holm(family), hypothesis.BenjaminiHochberg(family)} {
		fmt.Printf("%.2f %.2f %.2f\n", math.Exp(adjusted[0]), math.Exp(adjusted[1]), math.Exp(adjusted[2]))
	}
	// Output:
	// 0.03 0.06 0.06
	// 0.03 0.04 0.04
}

// Two standard errors from the value leave p = erfc(√2) = 0.0455 of the normal law:
// python3 -c "import math; print(math.erfc(math.sqrt(2)))".
func ExampleLocation_Test() {
	b := hypothesis.Location{Estimate: 2, StdErr: 1, DF: math.Inf(1)}
	r := b.Test(0, hypothesis.TwoSided, math.Log(0.05))
	fmt.Printf("z = %g, p = %.4f, interval [%.2f, %.2f]\n", r.Statistic, math.Exp(r.LogP), r.Lo, r.Hi)
	// Output: z = 2, p = 0.0455, interval [0.04, 3.96]
}
