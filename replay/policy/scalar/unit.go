package scalar

import "math/rand/v2"

// Unit returns ⌊word/2¹¹⌋·2⁻⁵³, in [0,1), of the next word.
func Unit(src rand.Source) float64 { return float64(float64(src.Uint64()>>11) * 0x1p-53) }
