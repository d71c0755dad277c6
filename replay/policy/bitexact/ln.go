package bitexact

import "math"

// ln 2 as the sum of a number with 32 significant bits, whose product with an
// exponent is exact, and the rest.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = math.Ln2 - ln2Hi
)

// Ln returns the natural logarithm of x, made of additions, multiplications
// and one division, each rounded to the nearest float64 and none fused, so
// that it has the same bits on every architecture; the logarithm of package
// math has not. With x = 2^k·m, √½ ≤ m < √2 and s = (m−1)/(m+1), |s| < 0.172,
//
//	ln x = k·ln2 + 2s + 2s³/3 + 2s⁵/5 + … + 2s²¹/21
//
// whose first omitted term is below 10⁻¹⁷ of the sum. Even and odd powers of s²
// are added up apart, so that the processor can do both at once. The result is within 2
// units in the last place.
//
// Special cases are:
//
//	Ln(0) = -Inf
//	x must not be negative, infinite or below 2^-1022 otherwise
func Ln(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	bits := math.Float64bits(x)
	exponent := int64(bits>>52) - 1023
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	if m >= math.Sqrt2 {
		m *= 0.5
		exponent++
	}
	f := m - 1
	s := f / (2 + f)
	// 2s = f − f·s exactly, so 2·atanh(s) = f − s·(f − series).
	k := float64(exponent)
	return float64(k*ln2Hi) + (f - (float64(s*(f-series(float64(s*s)))) - float64(k*ln2Lo)))
}

// series returns 2z/3 + 2z²/5 + … + 2z¹⁰/21, which is ln((1+s)/(1−s))/s − 2 for z = s².
func series(z float64) float64 {
	w := float64(z * z)
	even := float64(float64(float64(float64(2.0/19*w)+2.0/15)*w) + 2.0/11)
	even = float64(float64(float64(even*w)+2.0/7)*w) + 2.0/3
	odd := float64(float64(float64(2.0/21*w)+2.0/17)*w) + 2.0/13
	odd = float64(float64(float64(odd*w)+2.0/9)*w) + 2.0/5
	return float64(z * (even + float64(z*odd)))
}
