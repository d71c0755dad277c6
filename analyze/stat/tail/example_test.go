package tail_test

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/tail"
)

// Forty standard deviations out a float64 holds nothing of the tail. Its logarithm
// is −z²/2 − ln(z·√(2π)) + ln(1 − 1/z² + 3/z⁴):
//
//	python3 -c "from math import *; z=40; print(-z*z/2-log(z*sqrt(2*pi))+log(1-z**-2+3*z**-4))"
//
// is -804.608442.
func ExampleLogNormal() {
	logP := tail.LogNormal(40)
	fmt.Println(math.Erfc(40/math.Sqrt2) / 2)
	fmt.Printf("%.6f\n", logP)
	fmt.Printf("%.6f\n", tail.NormalQuantile(logP))
	// Output:
	// 0
	// -804.608442
	// 40.000000
}

// Sixty heads in sixty throws: −60·ln 2 = −41.588831. Ten thousand in ten thousand:
// −10⁴·ln 2 = −6931.471806, where 2⁻¹⁰⁰⁰⁰ is far below the smallest float64.
func ExampleLogBinomialAtLeast() {
	fmt.Printf("%.6f\n", tail.LogBinomialAtLeast(60, 60, 0.5))
	fmt.Printf("%.6f\n", tail.LogBinomialAtLeast(10_000, 10_000, 0.5))
	// Output:
	// -41.588831
	// -6931.471806
}
