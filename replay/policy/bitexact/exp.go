package bitexact

import "math"

// Exp returns e^x, made of additions, multiplications and one division, each
// rounded to the nearest float64 and none fused, so that it has the same bits on
// every architecture; the exponential of package math has not. With k the
// integer nearest to x/ln 2 and r = x − k·ln 2, |r| < 0.347,
//
//	e^x = 2^k·(1 + 2r/(2 − c)),  c = r − (r·coth(r/2) − 2)
//	r·coth(r/2) − 2 = r²/6 − r⁴/360 + r⁶/15120 − r⁸/604800
//	                + r¹⁰/23950080 − 691r¹²/653837184000 + …
//
// (Abramowitz and Stegun 1964, 4.5.67), whose first omitted term changes the
// result by less than 10⁻¹⁷ of it. r is kept in two parts (Cody and Waite
// 1980). The result is within 2 units in the last place, and within 1 unit of
// 2^-1074 where it is below 2^-1022.
//
// Special cases are:
//
//	Exp(-Inf) = 0, and so is Exp(x) for x below −745.14
//	Exp(+Inf) = +Inf, and so is Exp(x) for x above 709.79
//	Exp(NaN) = NaN
func Exp(x float64) float64 {
	switch {
	case x < -746:
		return 0
	case x > 710:
		return math.Inf(1)
	case x != x:
		return x
	}
	nearest := 0.5
	if x < 0 {
		nearest = -0.5
	}
	whole := int64(float64(x*math.Log2E) + nearest) // the conversion cuts towards 0
	k := float64(whole)
	hi, lo := x-float64(k*ln2Hi), float64(k*ln2Lo) // the first product and difference are exact
	r := hi - lo
	z := float64(r * r)
	p := float64(float64(float64(-691.0/653837184000*z)+1.0/23950080)*z) - 1.0/604800
	p = float64(float64(float64(p*z)+1.0/15120)*z) - 1.0/360
	c := r - float64(z*(1.0/6+float64(z*p)))
	// 2r/(2−c) = r + rc/(2−c), and r = hi − lo.
	y := 1 + (hi + (float64(r*c)/(2-c) - lo))
	half := whole / 2
	return y * power(half) * power(whole-half) // only the last product can round
}

// power returns 2^k for −1022 ≤ k ≤ 1023.
func power(k int64) float64 { return math.Float64frombits(uint64(k+1023) << 52) } //nolint:gosec // it is not negative
