package scalar

import (
	"math"
	"math/rand/v2"
)

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
