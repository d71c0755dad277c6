package conformance

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/evidence/wager"
	"banditaudit/schemas"
)

// drawnBy are libraries whose generator nobody logs: their law is all that there is.
func drawnBy() []library {
	inf, tenth := math.Inf(1), func(int) float64 { return 0.1 }
	return []library{
		{"river UCB", 2, playsBefore, 0, 0, inf, true, anyOf, nil, "{name: ucb, width: {alpha: 1, clock: plays}, start: random, ties: random}", nil},
		{"SMPyBandits UCB", 2, playsBefore, 0, 0, inf, true, anyOf, nil, "{name: ucb, width: {c: 2, clock: plays}, start: random, ties: random}", nil},
		{"pymab UCB", 2, func(t int) float64 { return float64(t) }, 0, 0, inf, false, anyOf, nil, "{name: ucb, width: {c: 2}, ties: random}", nil},
		{"MABWiser epsilon-greedy", 0, playsBefore, 0, 0, 0, false, firstOf, tenth, "{name: epsilon-greedy, explore: 0.1, start: none}", nil},
		{"coba epsilon-greedy", 0, playsBefore, 0, 0, 0, false, anyOf, tenth, "{name: epsilon-greedy, explore: 0.1, start: none, ties: shared}", nil},
	}
}

// convicts reports whether the law contradicts a log.
func convicts(c *schemas.Conformance) bool {
	return c.Law.Allocation.Rejected || c.FirstMismatch != nil
}

// Honest logs without a seed and without propensities are those of the law, in every
// round: 20 of each library at level 0.001, with fixed seeds.
func TestLawOfHonestLogs(t *testing.T) {
	t.Parallel()
	for _, l := range drawnBy() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(20) {
				c := l.hold(t, l.play(seed, 1000, false))
				if c.Mode != schemas.ModeLaw || c.Law == nil || c.Replayable != c.Rounds || c.Matched != c.Rounds || convicts(&c) {
					t.Fatalf("log %d: %+v, %+v, first mismatch %+v", seed, c, c.Law, c.FirstMismatch)
				}
			}
		})
	}
}

// A wrong action of a policy that draws for ties alone convicts in one round; so do
// rewards that the policy did not see, soon after.
func TestLawConvictsInOneRound(t *testing.T) {
	for _, l := range drawnBy()[:3] {
		b := l.play(1, 1000, false)
		b.Arm[500] = (b.Arm[500] + 1) % 4
		c := l.hold(t, b)
		if c.FirstMismatch == nil || c.FirstMismatch.Round > 502 || !c.Law.Allocation.Rejected || c.Law.Impossible == 0 || c.Law.Allocation.P != 0 {
			t.Errorf("%s, one action: %+v, %+v", l.name, c.FirstMismatch, c.Law)
		}
		b = l.play(1, 1000, false)
		for i := range 10 {
			b.Reward[50+i] = 1 - b.Reward[50+i]
		}
		if c = l.hold(t, b); !convicts(&c) {
			t.Errorf("%s, ten rewards: %+v", l.name, c.Law)
		}
	}
}

// Ties that go to the first, of a policy that is declared to draw for them, are found
// where there are many.
func TestLawTestsTies(t *testing.T) {
	l := drawnBy()[4]
	l.c, l.clock, l.explore = 0, playsBefore, nil
	l.policy = "{name: epsilon-greedy, explore: 0, start: none, ties: random}"
	found := 0
	for seed := range uint64(10) {
		b := l.play(seed, 400, false)
		for i := range b.Reward { // nothing is ever paid: every round is a tie of all
			b.Reward[i], b.Arm[i] = 0, int32(seed%4)
		}
		if c := l.hold(t, b); convicts(&c) {
			found++
		}
	}
	if found != 10 {
		t.Errorf("%d of 10 logs that always play one of four equal arms are found", found)
	}
}

// The wager finds an exploration of 0.2 that is declared to be 0.1.
func TestLawFindsWhatItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	l := drawnBy()[3]
	l.explore = func(int) float64 { return 0.2 }
	found := 0
	for seed := range uint64(6) {
		if c := l.hold(t, l.play(seed, 2000, false)); convicts(&c) {
			found++
		}
	}
	if found != 6 {
		t.Errorf("exploring twice as often is found in %d of 6 logs", found)
	}
}

// A deviation of the size that the wager says is found in about four of five logs, or more:
// also where many rounds are near ties, in which the propensity is only known between two
// ends, and whichever arm the deviation is of. With fixed seeds, 40 logs each.
func TestLawDetectable(t *testing.T) {
	t.Parallel()
	const rounds, logs = 4000, 40
	for _, c := range []struct {
		ties, most float64 // the share of near ties, and the most that may be said
	}{{0, 0.05}, {0.3, 0.18}, {0.5, 0.26}} {
		// In a near tie arm 0 has .7 by the declared rule, and .3 by another.
		play := func(seed uint64, arm int, delta float64) *lawHeld {
			w, draw, l := newLawHeld(nil, wager.New(2, false)), rand.New(rand.NewPCG(seed, 5)), &logged{before: -1}
			l.chunk.Arm, l.chunk.Round = make([]int32, 1), make([]int64, 1)
			for r := range rounds {
				want, shift := []float64{.5, .5}, delta/(1-c.ties)
				lo, hi := want, want
				if draw.Float64() < c.ties {
					want, lo, hi, shift = []float64{.7, .3}, []float64{.3, .3}, []float64{.7, .7}, 0
				}
				p := want[arm] + shift
				l.chunk.Round[0], l.chunk.Arm[0] = int64(r+1), int32(arm^b2i(draw.Float64() >= p))
				w.hold(l, want, lo, hi)
			}
			return w
		}
		said := play(0, 0, 0).detectable()
		if said == nil || *said > c.most {
			t.Fatalf("%g near ties: %v", c.ties, said)
		}
		for arm := range 2 {
			found := 0
			for seed := range uint64(logs) {
				found += b2i(play(seed+1, arm, *said).wager.Result(func(int) string { return "" }).Rejected)
			}
			if found < 27 || c.ties == 0 && found == logs {
				t.Errorf("%g near ties: a deviation of %.3g of arm %d is found in %d of %d logs", c.ties, *said, arm, found, logs)
			}
		}
	}
}

// A log with propensities is held against the law too: propensities that are right, and
// actions that were not drawn with them.
func TestLawBesidePropensities(t *testing.T) {
	l := libraries()[5]
	b := l.play(1, 2000, true)
	honest := l.hold(t, b)
	if honest.Mode != schemas.ModePropensity || honest.Law == nil || convicts(&honest) {
		t.Fatalf("an honest log: %+v", honest.Law)
	}
	b = steered(2000)
	if c := l.hold(t, b); c.Mode != schemas.ModePropensity || c.Propensities.FirstMismatch != nil || !c.Law.Allocation.Rejected {
		t.Errorf("explored arms that were never drawn: %+v, %+v", c.Law, c.Propensities.FirstMismatch)
	}
}

// steered is a log of epsilon-greedy over four arms that logs ε = 0.1 and never explores.
func steered(rounds int) *tableau.Batch {
	l := libraries()[5]
	l.explore = func(int) float64 { return 0 }
	b := l.play(1, rounds, true)
	for i := range b.Propensity {
		b.Propensity[i] = 0.025 + 0.9*b.Propensity[i]
		for a := range 4 {
			b.PropensityByArm[4*i+a] = 0.025 + 0.9*b.PropensityByArm[4*i+a]
		}
	}
	return b
}
