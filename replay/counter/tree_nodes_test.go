package counter

import (
	"math/big"
	"testing"
)

func TestBinomial(t *testing.T) {
	for n := range 62 {
		for j := range n + 1 {
			if want := new(big.Int).Binomial(int64(n), int64(j)).Int64(); binomial(n, j) != want {
				t.Fatalf("C(%d, %d) = %d, want %d", n, j, binomial(n, j), want)
			}
		}
	}
}
