package replay

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"banditaudit/schemas"
)

// spread is Σ(y − mean)² as rational numbers have it.
func spread(y []float64) float64 {
	n, sum, squares := big.NewRat(int64(len(y)), 1), new(big.Rat), new(big.Rat)
	for _, v := range y {
		x := new(big.Rat).SetFloat64(v)
		sum.Add(sum, x)
		squares.Add(squares, new(big.Rat).Mul(x, x))
	}
	squares.Sub(squares, sum.Quo(sum.Mul(sum, sum), n))
	out, _ := squares.Float64()
	return out
}

// What a policy sees of how far rewards scatter is that of the rows in its sums, as of its
// last update, whatever comes late; of equal rewards it is 0, and 1/3 is no double.
func TestSpreadsAreThoseOfTheRewards(t *testing.T) {
	t.Parallel()
	for _, every := range []int64{1, 7} {
		p := declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": sampledPrior(0.5, 1)}, Update: &schemas.Update{Every: every}}, &schemas.Counter{Name: "exact"})
		p.Reward = schemas.RewardSpec{Range: []float64{-2, 4}}
		r := build(t, p, 3).NewRunner(Seed(1), "e")
		draw, known := rand.New(rand.NewPCG(1, uint64(every))), make([][]float64, 3)
		seen := make([]float64, 3)
		for round := int64(1); round <= 200; round++ {
			r.Next(nil)
			if (round-1)%every == 0 {
				for arm, y := range known {
					if len(y) > 0 {
						seen[arm] = spread(y)
					}
				}
			}
			for arm, want := range seen {
				if got := r.state.Spreads[arm]; math.Abs(got-want) > 1e-13*want || arm == 2 && got != 0 {
					t.Fatalf("every %d, round %d, arm %d: %v, want %v", every, round, arm, got, want)
				}
			}
			arm, y := draw.IntN(3), 0.1+draw.Float64()
			if arm == 2 {
				y = 1. / 3
			}
			if draw.IntN(4) == 0 {
				r.Hold(arm)
				r.Due(round)
			}
			r.Add(arm, y)
			known[arm] = append(known[arm], (y+2)/6)
		}
		if r.Err() != nil {
			t.Error(r.Err())
		}
	}
}

// With cap: 5 and a prior of α + β = 2.5 an arm is learned from twice.
func TestCapStopsTheLearning(t *testing.T) {
	t.Parallel()
	p := declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": betaPriorOf(1.5, 1), "cap": 5.0}}, &schemas.Counter{Name: "exact"})
	r := build(t, p, 2).NewRunner(Seed(1), "e")
	var before []float64
	for i := range 6 {
		r.Next(nil)
		if i == 2 {
			before = append(before, r.Propensities()...)
		}
		if i > 2 && r.Propensities()[0] != before[0] {
			t.Errorf("after %d rows: %v, and after 2 %v", i, r.Propensities(), before)
		}
		r.Add(0, float64(i%2))
	}
	if r.Released(0) != 1 || r.state.Pulls[0] != 2 || r.state.Played[0] != 6 {
		t.Errorf("%v in %d of %d rows", r.Released(0), r.state.Pulls[0], r.state.Played[0])
	}
}
