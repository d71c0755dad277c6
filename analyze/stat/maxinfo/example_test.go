package maxinfo_test

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/maxinfo"
)

// A thousand rows that cost 0.01 each have σ² = 2·1000·0.01²/8 but for a millionth,
// and p = 10⁻⁴ becomes exp(−½·(√(2·ln 10⁴) − σ)²):
//
//	python3 -c "from math import *; s=.01*sqrt(1000)/2; print(exp(-.5*(sqrt(2*log(1e4))-s)**2))"
//
// The interval at level 95 % is the raw one at the level that comes back as 0.05.
func ExampleRenyi() {
	levels := []maxinfo.Level{{Cost: 0.01, Rows: 1000}}
	c := maxinfo.Renyi(levels)
	fmt.Printf("σ = %.4f\n", maxinfo.Sigma(levels))
	fmt.Printf("p = 0.0001 becomes %.3g\n", math.Exp(c.Apply(math.Log(1e-4))))
	gamma := c.Level(math.Log(0.05))
	fmt.Printf("level %.4f comes back as %.2f\n", math.Exp(gamma), math.Exp(c.Apply(gamma)))
	// Output:
	// σ = 0.1581
	// p = 0.0001 becomes 0.000195
	// level 0.0335 comes back as 0.05
}

// One row of cost ln 3 moves the odds of an event by a factor of 3 at most: those of
// p = 1/101 from 1 to 100 to 3 to 100, which is 3/103 = 0.029126. By Rényi divergence
// σ² = 2·(ln(2/ln 3) − 1 + ln(3)/2) = 0.29681, and p becomes 0.044675. The least of
// several corrections that hold given the actions holds too.
func ExampleLeast() {
	levels := []maxinfo.Level{{Cost: math.Log(3), Rows: 1}}
	logP := -math.Log(101)
	for _, c := range []maxinfo.Conditional{
		maxinfo.AnyLaw(levels), maxinfo.Renyi(levels), maxinfo.Moments(levels),
		maxinfo.Least(maxinfo.AnyLaw(levels), maxinfo.Renyi(levels), maxinfo.Moments(levels)),
	} {
		fmt.Printf("%.6f\n", math.Exp(c.Apply(logP)))
	}
	// Output:
	// 0.029126
	// 0.044675
	// 0.029126
	// 0.029126
}

// The published route gives β + e^k·p with k = ε²·n/2 + ε·√(n·ln(2/β)/2), here at
// the best β and at one that was fixed in advance. Both can be had from
//
//	python3 -c "from math import *; f=lambda b:b+exp(.01**2*1000/2+.01*sqrt(1000*log(2/b)/2))*1e-6
//	print(f(1e-6), min(f(10**(-i/1000)) for i in range(3000,12000)))"
func ExamplePublished() {
	logP := math.Log(1e-6)
	at := maxinfo.Published(0.01, 1000).At(logP)
	fmt.Printf("best β = %.2g, %.3f bits: p = %.4g\n", at.Beta, at.Bits, math.Exp(at.LogP))
	fmt.Printf("β = 1e-06: p = %.4g\n", math.Exp(maxinfo.PublishedAt(0.01, 1000, 1e-6).Apply(logP)))
	// Output:
	// best β = 7.2e-08, 1.408 bits: p = 2.725e-06
	// β = 1e-06: p = 3.464e-06
}

// Neighbouring costs share the larger one, so that what is computed from fewer
// levels is never too small: the row of 0.1 counts as one of 0.2.
func ExampleCompact() {
	levels := []maxinfo.Level{{Cost: 0.2, Rows: 1}, {Cost: 0.1, Rows: 1}, {Cost: 3, Rows: 2}}
	fmt.Println(maxinfo.Compact(levels, 2))
	// Output: [{0.2 2} {3 2}]
}
