package replay

import (
	"math"
	"testing"

	"banditaudit/schemas"
)

// A reward has the weight of the round that was played, by what the policy saw in it, and
// not of the round in which it becomes known: told late, in another order, and behind
// updates, exp3 has seen Σ x/p of the rounds that it has learned from.
func TestWeightsAreThoseOfTheRound(t *testing.T) {
	t.Parallel()
	for _, every := range []int64{1, 4} {
		p := declare(schemas.Policy{Name: "exp3", Own: schemas.Values{"gamma": 0.4}, Update: &schemas.Update{Every: every}}, &schemas.Counter{Name: "exact"})
		p.Reward = schemas.RewardSpec{Range: []float64{-1, 3}}
		r := build(t, p, 3).NewRunner(Seed(1), "e")
		const late, rounds = 5, 60
		own, moved := make([]float64, rounds+1), 0 // x/p of every round
		known, seen := make([]float64, 3), make([]float64, 3)
		arm := func(round int64) int { return int(round*round/3) % 3 }
		for round := int64(1); round <= rounds; round++ {
			r.Next(nil)
			if (round-1)%every == 0 {
				copy(seen, known)
			}
			for a, want := range seen {
				if got := r.state.Weighed[a]; math.Abs(got-want) > 1e-12*want {
					t.Fatalf("every %d, round %d, arm %d: %v, want %v", every, round, a, got, want)
				}
			}
			a := arm(round)
			x := float64(round%4) / 4
			if own[round] = x / r.Propensity(a); math.Abs(own[round]-3*x) > 0.1 {
				moved++
			}
			if round%3 == 0 {
				r.Add(a, 4*x-1)
				known[a] += own[round]
			} else {
				r.Hold(a)
			}
			if due := round - late; due > 0 && due%3 != 0 {
				r.Due(due)
				r.Add(arm(due), 4*float64(due%4)/4-1)
				known[arm(due)] += own[due]
			}
		}
		if r.Err() != nil || moved < rounds/3 {
			t.Errorf("%v; weights moved in %d rounds", r.Err(), moved)
		}
	}
}
