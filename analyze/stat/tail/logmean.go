package tail

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// negligible is the logarithm of what changes no sum that is at least 1.
const negligible = -38

// LogMeanExp returns ln of the mean of e^x over the values x, which are finite or infinite.
// Special cases are:
//
//	the largest value is infinite, or there is none: that, −Inf for none
func LogMeanExp(x []float64) float64 {
	largest := math.Inf(-1)
	for _, v := range x {
		largest = max(largest, v)
	}
	if math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for _, v := range x {
		if v -= largest; v > negligible {
			sum += bitexact.Exp(v)
		}
	}
	return largest + math.Log(sum/float64(len(x)))
}
