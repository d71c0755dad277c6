package moments_test

import (
	"fmt"

	"banditaudit/analyze/stat/moments"
)

// Chunks are summed apart and joined. 10⁹ beside a spread of 1 costs no digits: the
// variance of 1, 2, 3, 4 is 5/3, where Σy² − N·mean² in floats makes 0 of it.
func ExampleScalar_Merge() {
	var first, second moments.Scalar
	first.Add([]float64{1e9 + 1, 1e9 + 2})
	second.Add([]float64{1e9 + 3, 1e9 + 4})
	first.Merge(second)
	fmt.Println(first.N, first.Mean)
	fmt.Printf("%.15f\n", first.Variance())
	// Output:
	// 4 1.0000000025e+09
	// 1.666666666666667
}

// Rows are scattered to the accumulators of their arms; a row whose reward is
// missing has arm −1.
func ExampleAddScalarsByArm() {
	arms := make([]moments.Scalar, 2)
	err := moments.AddScalarsByArm(arms, []int32{0, 1, 0, -1, 1}, []float64{1, 2, 3, 100, 5})
	fmt.Println(arms[0].N, arms[0].Mean, arms[1].N, arms[1].Mean, err)
	// Output: 2 2 2 3.5 <nil>
}
