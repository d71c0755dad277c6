package noise_test

import (
	"fmt"

	"banditaudit/replay/noise"
)

// The more draws of noise a log tells, the smaller a deviation of their scale a test
// of it finds with probability 0.8. Of the gamma law with shape 10 the quantiles at
// 1 − α/2 and 0.2, α = 0.001/6, are 26.4630 and 7.2892; at 0.8 and α/2 they are 12.5188
// and 2.1484: the larger ratio is 5.827. With shape 100 they are 142.1066 and 91.5014,
// 108.3044 and 66.6591, and the larger ratio is 1.625.
func ExampleDetectable() {
	for _, draws := range []int{10, 100} {
		fmt.Printf("%d draws: a factor of %.3f\n", draws, noise.Detectable(draws, noise.Share))
	}
	// Output:
	// 10 draws: a factor of 5.827
	// 100 draws: a factor of 1.625
}
