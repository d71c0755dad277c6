package montecarlo

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// One by one and by rejection draws are those of gonum from the same words.
func TestBinomialAsGonum(t *testing.T) {
	for _, law := range [][2]float64{{10, 0.3}, {24, 0.9}, {30, 0.5}, {400, 0.2}, {100_000, 0.97}} {
		own, theirs := rand.New(rand.NewPCG(1, 2)), rand.NewPCG(1, 2)
		for i := range 2000 {
			if got, want := binomial(law[0], law[1], own), (distuv.Binomial{N: law[0], P: law[1], Src: theirs}).Rand(); got != want {
				t.Fatalf("%v, draw %d: %v, want %v", law, i, got, want)
			}
		}
	}
}

// Each number has as much of (0,1) as the law gives it: next to the ends of its part stand it and
// its neighbour.
func TestBinomialInverted(t *testing.T) {
	for _, law := range []distuv.Binomial{{N: 25, P: 0.01}, {N: 100, P: 0.004}, {N: 1000, P: 0.0009}, {N: 1e5, P: 0.9e-5}} {
		below := 0.0
		for x := range 8 {
			below += math.Exp(law.LogProb(float64(x)))
			for _, c := range []struct{ u, want float64 }{{below - 1e-8, float64(x)}, {below + 1e-8, float64(x + 1)}} {
				if got := inverted(law.N, law.P, c.u); got != c.want && 1-below > 2e-8 {
					t.Errorf("%v at %g: %g, want %g", law, c.u, got, c.want)
				}
			}
		}
		if got := inverted(law.N, law.P, 0); got != 0 {
			t.Errorf("%v at 0: %g", law, got)
		}
	}
	if got := inverted(30, 0.01, 1); got != 30 {
		t.Errorf("at 1: %g", got) // rounding may leave nothing of the law, and x ends at n
	}
}
