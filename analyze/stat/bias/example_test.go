package bias_test

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/bias"
)

// Three rows of four cost 0.1 and one costs nothing: the mean is at most
// ¾·tanh(0.1/4) = 0.018746 away from the truth. As published the bound is
// e^0.1 − 1 = 0.105171, more than five times that.
func ExampleArmMean() {
	fmt.Printf("%.6f\n", bias.ArmMean([]bias.Level{{Cost: 0.1, Rows: 300}, {Cost: 0, Rows: 100}}))
	fmt.Printf("%.6f\n", bias.Paper(0.1))
	// Output:
	// 0.018746
	// 0.105171
}

// A cost of ln 4 lets the actions move the odds that a reward is 1 by a factor of 4:
// for a mean of ½ from 1 to 1 to 4 to 1, so that 4/5 − 1/2 = 0.3 is the most, either
// way. The worst mean is 1/(1 + e^{c/2}) = 1/3, where 1 to 2 becomes 4 to 2: the shift
// 2/3 − 1/3 is tanh(c/4).
func ExampleShift() {
	c := math.Log(4)
	lower, upper := bias.Shift(c, 0.5)
	fmt.Printf("%.4f %.4f\n", lower, upper)
	_, upper = bias.Shift(c, 1.0/3)
	fmt.Printf("%.4f %.4f\n", upper, bias.Row(c))
	// Output:
	// -0.3000 0.3000
	// 0.3333 0.3333
}
