package replay

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/schemas"
)

// A round that was not played leaves nothing behind: whatever was public in it, the policy
// then has the probabilities that it has without it, and where it draws nothing chooses the
// same.
func TestStay(t *testing.T) {
	t.Parallel()
	for _, p := range declarable() {
		if p.Own.Word("bonus") != "" && p.Own.Word("bonus") != "none" {
			continue // for a counter with noise
		}
		for _, every := range []int64{1, 7} {
			p := p
			p.Update = &schemas.Update{Every: every}
			m := build(t, &schemas.Protocol{
				Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Policy: &p, Counter: &schemas.Counter{Name: "exact"},
			}, 3)
			r := rand.New(rand.NewPCG(1, uint64(every)))
			round := func() *Round {
				in := &Round{X: []float64{r.Float64(), r.Float64()}, Scores: []float64{r.Float64(), r.Float64(), 0.5}, Eligible: []bool{true, r.IntN(2) == 0, true}}
				if r.IntN(2) == 0 {
					in.Eligible = nil
				}
				return in
			}
			alone, stays := m.NewRunner(Seed(1), "e"), m.NewRunner(Seed(1), "e")
			for i := range 60 {
				for range r.IntN(3) {
					stays.Next(round())
					stays.Propensities()
					stays.Stay()
				}
				in := round()
				a, b := alone.Next(in), stays.Next(in)
				if !m.Random() && a != b {
					t.Fatalf("%s, round %d: %d, and %d after rounds that were not played", p.Name, i+1, b, a)
				}
				want := append([]float64(nil), alone.Propensities()...)
				for arm, got := range stays.Propensities() {
					if math.Float64bits(got) != math.Float64bits(want[arm]) {
						t.Fatalf("%s, round %d: arm %d has %v, want %v", p.Name, i+1, arm, got, want[arm])
					}
				}
				arm, y := a, float64(r.IntN(2))
				alone.Add(arm, y)
				stays.Add(arm, y)
			}
			if alone.Err() != nil || stays.Err() != nil {
				t.Fatal(alone.Err(), stays.Err())
			}
		}
	}
}
