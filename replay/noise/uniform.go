package noise

import "math/rand/v2"

// coins is the fixed stream behind randomised probability integrals: the same
// input gives the same result. It is public, so that whoever sees a log in
// advance could aim at it; rewards and noise cannot.
func coins() func() float64 {
	src := rand.NewPCG(0x62616e6469746175, 0x6e6f697365)
	return func() float64 { return (float64(src.Uint64()>>11) + 0.5) * 0x1p-53 }
}
