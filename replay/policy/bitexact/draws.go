package bitexact

import (
	"math"
	"math/rand/v2"
)

// LnGamma draws ln G for G ~ Gamma(a, 1) with a > 0, by the method of Marsaglia
// and Tsang (2000). With d = a ⊖ 1/3, or d = (a ⊕ 1) ⊖ 1/3 where a < 1, and
// c = 1 ⊘ √(9d), it draws a normal variable x (see Normal) until w = 1 ⊕ cx is
// above 0, then a word for U = 1 − ⌊word/2¹¹⌋·2⁻⁵³ in (0,1], and begins again
// unless, with v = w³,
//
//	U < 1 − 0.0331·x⁴   or   ln U < x²/2 + d·(1 − v + ln v).
//
// Then ln G = ln d + ln v. Where a < 1 a last word for U adds ln(U)/a: Gamma(a) is
// Gamma(a+1)·U^{1/a}. Logarithms keep what would be 0 as a number when a is
// small.
func LnGamma(src rand.Source, a float64) float64 {
	d := a
	if a < 1 {
		d = a + 1
	}
	d -= 1.0 / 3
	c := 1 / math.Sqrt(9*d)
	for {
		x := Normal(src)
		w := 1 + float64(c*x)
		if w <= 0 {
			continue
		}
		v, u, square := float64(float64(w*w)*w), 1-Unit(src), float64(x*x)
		if u >= 1-float64(0.0331*float64(square*square)) &&
			Ln(u) >= float64(0.5*square)+float64(d*(1-v+Ln(v))) {
			continue
		}
		g := Ln(d) + Ln(v)
		if a < 1 {
			g += Ln(1-Unit(src)) / a
		}
		return g
	}
}

// BetaLogit draws ln(θ/(1−θ)) for θ ~ Beta(a, b): of G ~ Gamma(a), drawn first,
// and H ~ Gamma(b), θ = G/(G+H), and its logit is ln G ⊖ ln H.
func BetaLogit(src rand.Source, a, b float64) float64 {
	g := LnGamma(src, a)
	return g - LnGamma(src, b)
}

// Normal draws a standard normal variable by Marsaglia's polar method
// (Marsaglia and Bray 1964): of two words
//
//	u = 2·⌊word/2¹¹⌋·2⁻⁵³ − 1,  v likewise of the next,  s = u² ⊕ v²
//
// until 0 < s < 1, and then u ⊗ √(−2·ln s ⊘ s). The other variable of the pair,
// with v, is thrown away: a draw then depends on nothing but its place in the
// stream. A draw takes 2 words with probability π/4, and 8/π = 2.55 on average.
func Normal(src rand.Source) float64 {
	for {
		u, v := float64(2*Unit(src))-1, float64(2*Unit(src))-1
		s := float64(u*u) + float64(v*v)
		if s > 0 && s < 1 {
			return float64(u * math.Sqrt(-2*Ln(s)/s))
		}
	}
}

// Unit returns ⌊word/2¹¹⌋·2⁻⁵³, in [0,1), of the next word.
func Unit(src rand.Source) float64 { return float64(float64(src.Uint64()>>11) * 0x1p-53) }
