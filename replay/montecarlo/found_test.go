package montecarlo

import (
	"math/rand/v2"
	"testing"
)

// TestFound: a share of a half that is off by Found is convicted one by one in about
// four of five logs: of 1,000, fewer than 740 or more than 870 have probability below
// 1e-4. One that is off by √(1/N) is not: more than 250 are improbable.
func TestFound(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2026, 7))
	const n, cells, logs = 1000, 40, 1000
	found := func(off float64) (count int) {
		for range logs {
			hits := 0
			for range n {
				if r.Float64() < 0.5+off {
					hits++
				}
			}
			if float64(Cell(float64(hits), float64(hits), n, 0.5, Every)*cells) < CellLevel {
				count++
			}
		}
		return count
	}
	if got := found(Found(n, cells)); got < 740 || got > 870 {
		t.Errorf("off by %g: found in %d of %d", Found(n, cells), got, logs)
	}
	if got := found(0.0316); got > 250 {
		t.Errorf("off by √(1/N): found in %d of %d", got, logs)
	}
}
