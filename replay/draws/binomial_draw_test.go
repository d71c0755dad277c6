package draws

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// Draws are those of gonum from the same words, in each of its three ways.
func TestBinomialAsGonum(t *testing.T) {
	for _, law := range [][2]float64{{10, 0.3}, {24, 0.9}, {100, 0.004}, {1000, 0.9995}, {30, 0.5}, {400, 0.2}, {100_000, 0.97}} {
		own, theirs := rand.New(rand.NewPCG(1, 2)), rand.NewPCG(1, 2)
		for i := range 2000 {
			if got, want := binomial(law[0], law[1], own), (distuv.Binomial{N: law[0], P: law[1], Src: theirs}).Rand(); got != want {
				t.Fatalf("%v, draw %d: %v, want %v", law, i, got, want)
			}
		}
	}
}
