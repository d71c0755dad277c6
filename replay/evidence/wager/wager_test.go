package wager

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// total is M_t by its definition, from the logarithms of likelihood ratios.
func total(k int, played []int, p [][]float64) float64 {
	sum := 0.0
	for a := range k {
		for j := leastOdds; j <= mostOdds; j++ {
			for _, theta := range []float64{math.Ldexp(1, j), -math.Ldexp(1, j)} {
				log := 0.0
				for t, arm := range played {
					log -= math.Log1p(p[t][a] * math.Expm1(theta))
					if arm == a {
						log += theta
					}
				}
				sum += math.Exp(log)
			}
		}
	}
	return sum / float64(k*oddsCount)
}

// shares draws propensities of k arms, none of which is 0.
func shares(t *rapid.T, k int) []float64 {
	w, sum := make([]float64, k), 0.0
	for a := range w {
		w[a] = rapid.Float64Range(0.01, 1).Draw(t, "weight")
		sum += w[a]
	}
	for a := range w {
		w[a] /= sum
	}
	return w
}

// M_t is the mean of the likelihood ratios, its largest value is what P is of,
// and the round is the first in which it reaches 1/level.
func TestWagerIsTheMeanOfLikelihoodRatios(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		k := rapid.IntRange(1, 4).Draw(r, "arms")
		w := New(k, false)
		best, reached := 1.0, int64(0)
		var played []int
		var p [][]float64
		for i := range rapid.IntRange(1, 40).Draw(r, "rounds") {
			p = append(p, shares(r, k))
			played = append(played, rapid.IntRange(0, k-1).Draw(r, "arm"))
			w.Take(int64(i+1), played[i], -1, p[i])
			m := total(k, played, p)
			if m >= 1/Level*(1+1e-9) && reached == 0 {
				reached = int64(i + 1)
			}
			best = max(best, m)
		}
		if math.Abs(w.best/best-1) > 1e-9 || w.round != reached && math.Abs(best*Level-1) > 1e-6 {
			r.Errorf("largest %v in round %d, want %v in round %d", w.best, w.round, best, reached)
		}
	})
}

// The mean of M_t over all action sequences, each with its probability, is 1
// where propensities depend on the actions before: M is a martingale, so that
// Ville's inequality gives the level.
func TestWagerIsFair(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		k, rounds := rapid.IntRange(2, 3).Draw(r, "arms"), rapid.IntRange(1, 5).Draw(r, "rounds")
		mean := 0.0
		var walk func(played []int, p [][]float64, probability float64)
		walk = func(played []int, p [][]float64, probability float64) {
			if len(played) == rounds {
				w, m := New(k, false), 0.0
				for i, arm := range played {
					w.Take(int64(i+1), arm, -1, p[i])
				}
				for a := range w.worth {
					for _, v := range w.worth[a] {
						m += v
					}
				}
				mean += probability * m / float64(k*oddsCount)
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

// An arm that is played twice as often as its propensity says convicts, in some
// number of rounds that hardly depends on how rare the arm is; one with
// propensity 0 convicts at once; and no number of rounds makes it lose what was
// won.
func TestWagerConvicts(t *testing.T) {
	for _, p := range []float64{0.5, 0.1, 0.01} {
		w, every := New(2, false), int(math.Round(0.5/p)) // arm 1 is played once in so many rounds
		for i := range 100000 {
			arm := 0
			if i%every == 0 {
				arm = 1
			}
			w.Take(int64(i+1), arm, -1, []float64{1 - p, p})
		}
		if plays := float64(w.round) * 2 * p; !(w.round > 0 && plays < 60) || p >= 0.1 && !w.over {
			t.Errorf("p = %v: round %d, %v plays", p, w.round, plays)
		}
	}
	w := New(2, false)
	w.Take(1, 0, -1, []float64{0.5, 0.5})
	w.Take(2, 1, -1, []float64{1, 0})
	w.Take(3, 0, -1, []float64{1, 0})
	if out := w.Result(func(arm int) string { return []string{"control", "blue"}[arm] }); !out.Rejected || out.P != 0 || *out.Round != 2 || out.Arm != "blue" {
		t.Errorf("an impossible action: %+v", out)
	}
	w = New(2, false)
	w.Take(1, 0, -1, []float64{1, 0})
	if out := w.Result(func(arm int) string { return []string{"control", "blue"}[arm] }); out.Rejected || out.P != 1 || out.Round != nil || out.Arm != "" {
		t.Errorf("a certain action: %+v", out)
	}
}
