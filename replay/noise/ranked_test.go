package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLaplaceMean holds the mean of quantiles against a sum over many of them.
func TestLaplaceMean(t *testing.T) {
	quantile := func(u float64) float64 {
		if u > .5 {
			return -math.Log(2 * (1 - u))
		}
		return math.Log(2 * u)
	}
	for _, ends := range [][2]float64{{0, 1}, {.1, .2}, {.4, .7}, {.9, .95}, {0, .01}, {.99, 1}} {
		const parts = 1 << 20
		sum := 0.0
		for i := range parts {
			sum += quantile(ends[0] + (ends[1]-ends[0])*(float64(i)+.5)/parts)
		}
		if got := laplaceMean(ends[0], ends[1]); math.Abs(got-sum/parts) > 1e-5 {
			t.Errorf("from %g to %g: %g, want %g", ends[0], ends[1], got, sum/parts)
		}
	}
}

// TestRanked: groups have the declared law where noise follows it, leave the band at its level
// at most, and half the scale is beyond it at once. In 1,000 logs at 0.05, 76 or more have
// probability 2·10⁻⁴.
func TestRanked(t *testing.T) {
	const logs, draws, level = 1000, 200, 0.05
	rng, beyond := rand.New(rand.NewPCG(27, 3)), 0
	log := func(scale float64, n int) *Ranked {
		in := Input{}
		for range n {
			y := rng.ExpFloat64() * scale
			if rng.IntN(2) == 0 {
				y = -y
			}
			in.Draws = append(in.Draws, Draw{Rows: 1, Scale: 1, Count: 1, Value: y})
		}
		return in.sample(in.Draws, nil).ranked()
	}
	out := func(r *Ranked) bool {
		lo, hi := Band(r.Draws, len(r.Found), level)
		for i, y := range r.Found {
			if y < lo[i] || y > hi[i] {
				return true
			}
		}
		return false
	}
	for range logs {
		if r := log(1, draws); out(r) {
			beyond++
		}
	}
	if beyond >= 76 {
		t.Errorf("%d of %d honest logs leave the band at level %g", beyond, logs, level)
	}
	if r := log(.5, 2000); !out(r) || len(r.Found) != 100 || r.Draws != 2000 {
		t.Errorf("half the scale is within the band: %+v", r)
	}
	if r := log(1, 99); r != nil {
		t.Errorf("99 draws have %d groups", len(r.Found))
	}
}
