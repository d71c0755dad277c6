package precision

import "math"

// AddUp reports whether probabilities of one row add up to 1, to the decimals that write
// all of them, at least three and at most Most:
//
//	|Σ p − 1| ≤ 10⁻⁶ + m·½·10^−d
//
// m the number of values above 0 and d the decimals; where more than Most are needed the
// second term is 0.
func AddUp(p []float64) bool {
	const exactly = 1e-6
	sum, some := 0.0, 0.0
	for _, v := range p {
		sum += v
		if v > 0 {
			some++
		}
	}
	off := math.Abs(sum - 1)
	if !(off > exactly) {
		return !math.IsNaN(off)
	}
	d := least
	for _, v := range p {
		for d <= Most && !Write(v, d) {
			d++
		}
	}
	return d <= Most && off <= exactly+float64(some*math.Pow10(-d)/2)
}
