package eprocess

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// A log of a policy that learns: ε-greedy on two arms of three, whose means drift
// alike, so that everything that the policy does depends on the rewards.
func drifting(r *rand.Rand, rounds int, each func(arm int, p [3]float64, y float64)) {
	var n, sum [3]float64
	for t := range rounds {
		best, of := 0, -1.0
		for a := range n {
			if m := (sum[a] + .5) / (n[a] + 1); m > of {
				best, of = a, m
			}
		}
		p := [3]float64{.1, .1, .1}
		p[best] += .7
		arm, u := 0, r.Float64()
		for arm < 2 && u >= p[arm] {
			u -= p[arm]
			arm++
		}
		y := 0.0
		if r.Float64() < .1+.6*float64(t)/float64(rounds) {
			y = 1
		}
		each(arm, p, y)
		n[arm]++
		sum[arm] += y
	}
}

// Of 2,000 logs without any difference the chance that more than 137 are rejected at
// .05 at some time is below 10⁻⁴ where the level is .05 (binomial).
func TestLevelUnderDrift(t *testing.T) {
	t.Parallel()
	const logs, most = 2000, 137
	logAlpha := math.Log(.05)
	var assignment, effect, outside int
	for seed := range uint64(logs) {
		a, e, v := NewAssignment(), NewEffect(), NewValue(3)
		truth, rounds := 0.0, 200
		drifting(rand.New(rand.NewPCG(seed, 13)), rounds, func(arm int, p [3]float64, y float64) {
			truth += (.1 + .6*float64(v.Rounds())/float64(rounds)) / float64(rounds)
			played := Played{Arm: Neither, P: [2]Span{Exactly(p[0]), Exactly(p[1])}, Reward: y}
			if arm < 2 {
				played.Arm = arm
				a.Add(arm == 0, Exactly(p[0]/(p[0]+p[1])), y)
			}
			e.Add(played)
			v.Add(&Target{Arm: arm, P: Exactly(p[arm]), Target: 1. / 3, Reward: y, AllP: p[:], AllTarget: []float64{1. / 3, 1. / 3, 1. / 3}})
		})
		if a.Evidence().Largest.Both >= -logAlpha {
			assignment++
		}
		if e.NoDifference().Largest.Both >= -logAlpha {
			effect++
		}
		if lo, hi, ok := v.Interval(logAlpha); !ok || truth < lo || truth > hi {
			outside++
		}
	}
	for what, count := range map[string]int{"assignment": assignment, "effect": effect, "value": outside} {
		if count > most {
			t.Errorf("%s: %d of %d logs without a difference rejected, more than %d", what, count, logs, most)
		}
	}
	t.Logf("assignment %d, effect %d, value %d of %d", assignment, effect, outside, logs)
}

// The expectation of e over everything that one round can bring is at most 1, and is
// 1 by the assignment: the reason for every level.
func TestRoundIsFair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		history := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) smallRound {
			return smallRound{
				arm: rapid.IntRange(0, 1).Draw(t, "arm"), reward: rapid.Float64Range(0, 1).Draw(t, "y"),
				p: [3]float64{rapid.Float64Range(.01, .5).Draw(t, "pa"), rapid.Float64Range(.01, .5).Draw(t, "pb")},
			}
		}), 0, 20).Draw(t, "history")
		share := rapid.Float64Range(.001, .999).Draw(t, "r")
		y := rapid.Float64Range(0, 1).Draw(t, "reward")
		at := func(next *bool) float64 {
			a := NewAssignment()
			for _, r := range history {
				a.Add(r.arm == 0, Exactly(r.p[0]/(r.p[0]+r.p[1])), r.reward)
			}
			if next != nil {
				a.Add(*next, Exactly(share), y)
			}
			return math.Exp(a.Evidence().Both)
		}
		first, second := true, false
		before, after := at(nil), share*at(&first)+(1-share)*at(&second)
		if math.Abs(after/before-1) > 1e-9 {
			t.Fatalf("a round turns evidence %g into %g on average", before, after)
		}
	})
}

// A wrong propensity within its two ends never gives more evidence than the true one.
func TestEndsAreCautious(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		known, between := NewEffect(), NewEffect()
		sharp, blunt := NewAssignment(), NewAssignment()
		for range rapid.IntRange(1, 40).Draw(t, "rounds") {
			arm := rapid.IntRange(Neither, 1).Draw(t, "arm")
			y := rapid.Float64Range(0, 1).Draw(t, "y")
			p := [2]float64{rapid.Float64Range(.05, .5).Draw(t, "pa"), rapid.Float64Range(.05, .5).Draw(t, "pb")}
			r := p[0] / (p[0] + p[1])
			known.Add(Played{Arm: arm, Reward: y, P: [2]Span{Exactly(p[0]), Exactly(p[1])}})
			between.Add(Played{Arm: arm, Reward: y, P: [2]Span{{p[0] * .99, p[0] * 1.01}, {p[1] * .99, p[1] * 1.01}}})
			if arm != Neither {
				sharp.Add(arm == 0, Exactly(r), y)
				blunt.Add(arm == 0, Span{r * .99, min(r*1.01, 1)}, y)
			}
		}
		delta := rapid.Float64Range(-1, 1).Draw(t, "delta")
		if got, most := between.Evidence(delta).Both, known.Evidence(delta).Both; got > most+1e-9 {
			t.Fatalf("evidence %g where the propensities are known to 1 %%, %g where they are known", got, most)
		}
		if got, most := blunt.Evidence().Both, sharp.Evidence().Both; got > most+1e-9 {
			t.Fatalf("evidence %g where shares are known to 1 %%, %g where they are known", got, most)
		}
	})
}
