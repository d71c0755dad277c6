package wager

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The mean over all action sequences, each with its probability, of the wagers on
// every arm and on that of the unit's round before is 1, for two units in turns whose
// propensities depend on all actions before.
func TestWagerOnTheRoundBeforeIsFair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		const units = 2
		k, rounds := rapid.IntRange(2, 3).Draw(r, "arms"), rapid.IntRange(1, 5).Draw(r, "rounds")
		mean := 0.0
		var walk func(played []int, p [][]float64, probability float64)
		walk = func(played []int, p [][]float64, probability float64) {
			if len(played) == rounds {
				mean += probability * turns(k, units, played, p)
				return
			}
			next := shares(r, k)
			for arm, q := range next {
				walk(append(slices.Clip(played), arm), append(slices.Clip(p), next), probability*q)
			}
		}
		walk(nil, nil, 1)
		if math.Abs(mean-1) > 1e-9 {
			r.Errorf("mean %v", mean)
		}
	})
}

// turns is what all wagers are worth after rounds of units in turns.
func turns(k, units int, played []int, p [][]float64) float64 {
	w, last := New(k, true), NewUnitArms(int64(units))
	for i, arm := range played {
		w.Take(int64(i+1), arm, last.Take(int64(i%units), arm), p[i])
	}
	m := 0.0
	for a := range w.worth {
		for _, v := range w.worth[a] {
			m += v
		}
	}
	return m / float64((k+1)*oddsCount)
}

// Units that keep one draw convict by that alone, where every arm is played as often
// as its propensity says; without units nothing is seen of it.
func TestWagerOnTheRoundBefore(t *testing.T) {
	t.Parallel()
	const units, rounds = 10, 200
	for _, with := range []bool{true, false} {
		w, last := New(2, with), NewUnitArms(int64(units))
		for i := range int64(rounds) {
			arm := int(i % units % 2)
			w.Take(i+1, arm, last.Take(i%units, arm), []float64{.5, .5})
		}
		out := w.Result(func(arm int) string { return []string{"control", "blue"}[arm] })
		if out.Rejected != with || out.Before != with || out.Before && (out.Arm != "" || out.Later != rounds-units) {
			t.Errorf("units %t: %+v", with, out)
		}
	}
}
