package diagnose

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/allocationtest"
)

// roundsOf visits rounds that were drawn from an explanation of propensities.
func roundsOf(arm []int, p [][]float64, all bool) Rounds {
	return func(visit func(r *Row)) {
		for t, a := range arm {
			r := Row{Arm: a, P: p[t][a], Arms: len(p[t])}
			if all {
				r.ByArm = p[t]
			}
			visit(&r)
		}
	}
}

// drawn draws rounds whose actions follow q = law(p), for propensities p that
// change in every round.
func drawn(rng *rand.Rand, rounds, arms int, law Law) (arm []int, p [][]float64) {
	q := make([]float64, arms)
	for range rounds {
		row, sum := make([]float64, arms), 0.0
		for a := range row {
			row[a] = math.Pow(rng.Float64(), 6) + 1e-9
			sum += row[a]
		}
		for a := range row {
			row[a] /= sum
		}
		law(&Row{ByArm: row, Arms: arms}, row, q)
		u, played := rng.Float64(), 0
		for played < arms-1 && u >= q[played] {
			u -= q[played]
			played++
		}
		arm, p = append(arm, played), append(p, row)
	}
	return arm, p
}

// The interval holds the floor that actions were drawn with in at least 95 of 100
// logs; fewer than 62 of 80 would be seen with probability below 1e-6. The
// logged action's propensity alone tells as much as those of all arms.
func TestFitFloorHoldsTheFloor(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out 160 fits to simulated logs; the full run has them")
	}
	const logs, least, floor = 80, 62, 0.02
	for name, of := range map[string]func(float64) Law{"mixture": mixture, "clipped": clipped} {
		held := 0
		for i := range logs {
			rng := rand.New(rand.NewPCG(uint64(i), 7))
			arm, p := drawn(rng, 300, 6, of(floor))
			fit := fitFloor(roundsOf(arm, p, true), 6, of)
			if fit.Lo <= floor && floor <= fit.Hi {
				held++
			}
			if !(fit.Lo <= fit.Value && fit.Value <= fit.Hi) || fit.Gain < 0 {
				t.Fatalf("%s: %+v", name, fit)
			}
			if name == "mixture" {
				if alone := fitFloor(roundsOf(arm, p, false), 6, of); math.Abs(alone.Value-fit.Value) > 1e-6 || math.Abs(alone.LogE-fit.LogE) > 1e-6 {
					t.Fatalf("the logged action's propensity says %+v, those of all arms %+v", alone, fit)
				}
			}
		}
		if held < least {
			t.Errorf("%s: %d of %d intervals hold the floor", name, held, logs)
		}
	}
}

// Where there is no floor the evidence for one is e-valued: beyond 20 in one log
// of 20 at most; more than 22 of 160 would be seen with probability below 1e-4
// at that rate, and mixtures stay far below it.
func TestFitFloorFindsNone(t *testing.T) {
	const logs, most = 160, 22
	found := 0
	for i := range logs {
		rng := rand.New(rand.NewPCG(uint64(i), 8))
		arm, p := drawn(rng, 300, 5, mixture(0))
		if fitFloor(roundsOf(arm, p, true), 5, mixture).LogE >= math.Log(20) {
			found++
		}
	}
	if found > most {
		t.Errorf("a floor is found in %d of %d logs that have none", found, logs)
	}
}

// What a law makes of propensities is a distribution, on the arms that
// can be played where the logged one is.
func TestLawsAreDistributions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "arms")
		can := rapid.SliceOfN(rapid.Bool(), k, k).Draw(t, "eligible")
		can[rapid.IntRange(0, k-1).Draw(t, "at least")] = true
		c, choices := &Row{ByArm: make([]float64, k), Eligible: can, Arms: k}, 0
		sum := 0.0
		for a := range can {
			if can[a] {
				choices++
				c.ByArm[a] = rapid.Float64Range(0.001, 1).Draw(t, "p")
				sum += c.ByArm[a]
			}
		}
		for a := range c.ByArm {
			c.ByArm[a] /= sum
		}
		logged := slices.Clone(c.ByArm)
		f := rapid.Float64Range(0, 1).Draw(t, "floor")
		for name, law := range map[string]Law{"mixture": mixture(f), "clipped": clipped(f), "uniform": uniform, "exchanged": exchanged(0, k-1)} {
			dst, sum := make([]float64, k), 0.0
			law(c, c.ByArm, dst)
			for a, q := range dst {
				sum += q
				if q < 0 || q > 1 || !can[a] && q != 0 {
					t.Fatalf("%s gives arm %d %g", name, a, q)
				}
				if name == "mixture" && can[a] && q < min(f, 1/float64(choices))*(1-1e-12) {
					t.Fatalf("%s of %g gives arm %d %g", name, f, a, q)
				}
			}
			if math.Abs(sum-1) > 1e-12 || !slices.Equal(logged, c.ByArm) {
				t.Fatalf("%s: %v of %v", name, dst, c.ByArm)
			}
		}
	})
}

// The exchange that was made is the one that is found, and what it gains is the
// likelihood of it.
func TestExchangeIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	arm, p := drawn(rng, 2000, 5, exchanged(1, 3))
	i, j, gain := exchange(roundsOf(arm, p, true), 5)
	if i != 1 || j != 3 {
		t.Errorf("arms %d and %d", i, j)
	}
	if want := roundsOf(arm, p, true).gain(5, exchanged(1, 3)); math.Abs(gain-want) > 1e-9*want {
		t.Errorf("gain %g, want %g", gain, want)
	}
	arm, p = drawn(rng, 2000, 5, mixture(0))
	if i, _, gain := exchange(roundsOf(arm, p, true), 5); i >= 0 || gain != 0 {
		t.Errorf("an exchange of arm %d in a log as logged gains %g", i, gain)
	}
}

// A floor is named where the test of the allocation rejects what was logged, the
// floor's interval is above 0 and the same test does not reject it. On honest logs
// it is named in as many as the rarer of the first two at most, and each of them
// has an error of 0.05 at most: more than 45 of 400 would be seen with probability
// below 1e-6. What is named given that the first fails by chance has no rate of its
// own here, as it fails in none of these logs.
func TestFloorIsRarelyNamedByChance(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the simulation of 400 logs; the full run has it")
	}
	const logs, most, arms, level = 400, 45, 4, 0.05
	rejects := func(arm []int, p [][]float64, law Law) bool {
		exact, dst := allocationtest.NewExact(arms), make([]float64, arms)
		roundsOf(arm, p, true)(func(r *Row) {
			if err := exact.Add([]int32{int32(r.Arm)}, r.Under(law, dst), nil); err != nil {
				t.Fatal(err)
			}
		})
		return exact.Test(level, nil).Rejected
	}
	failed, above, named := 0, 0, 0
	for i := range logs {
		rng := rand.New(rand.NewPCG(uint64(i), 14))
		arm, p := drawn(rng, 80, arms, mixture(0))
		fails := rejects(arm, p, mixture(0))
		fit := fitFloor(roundsOf(arm, p, true), arms, mixture)
		if fails {
			failed++
		}
		if fit.Lo > 0 {
			above++
		}
		if fails && fit.Lo > 0 && !rejects(arm, p, mixture(fit.Value)) {
			named++
		}
	}
	t.Logf("of %d honest logs %d fail, %d have a floor above 0, and a floor is named in %d", logs, failed, above, named)
	if above > most || failed > most {
		t.Errorf("of %d honest logs %d fail, and %d have a floor above 0", logs, failed, above)
	}
}
