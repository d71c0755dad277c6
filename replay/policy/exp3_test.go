package policy

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The first propensities that river 0.26.1, Exp3(gamma=0.1), logged over three arms
// (testdata/clients/logs/river_exp3.parquet): no reward of a, then 1 of c at 1/3, none of
// c and a, then 1 of b at 0.32317….
func TestExp3AsRiverHasIt(t *testing.T) {
	p, s, got := NewExp3(3, 0.1, Start{Word: StartNone}, nil), NewState(3), make([]float64, 3)
	weights := make([]float64, 3)
	s.Weighed = make([]float64, 3)
	for round, step := range []struct {
		arm    int
		reward float64
		want   [3]float64
	}{
		{0, 0, [3]float64{0.3333333333333333, 0.3333333333333333, 0.3333333333333333}},
		{2, 1, [3]float64{0.3333333333333333, 0.3333333333333333, 0.3333333333333333}},
		{2, 0, [3]float64{0.32317245129008415, 0.32317245129008415, 0.35365509741983164}},
		{0, 0, [3]float64{0.32317245129008415, 0.32317245129008415, 0.35365509741983164}},
		{1, 1, [3]float64{0.32317245129008415, 0.32317245129008415, 0.35365509741983164}},
		{1, 1, [3]float64{0.3133737270226051, 0.3438004406522233, 0.34282583232517166}},
	} {
		p.Propensities(s, got)
		for i, want := range step.want {
			if math.Abs(got[i]-want) > 1e-15 {
				t.Fatalf("round %d: %v, want %v", round+1, got, step.want)
			}
		}
		p.Weights(s, weights)
		s.Weighed[step.arm] += weights[step.arm] * step.reward
		p.Observe(s, step.arm)
	}
}

// Whatever the weights are, no eligible arm has less than γ/m of m, one weight alone is 1
// over its propensity, and a start and arms that are not eligible change neither the rule
// nor the weight of a row that it plays.
func TestExp3KeepsItsPartOfEvenChoices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, gamma := rapid.IntRange(1, 6).Draw(t, "k"), rapid.Float64Range(leastGamma, 1).Draw(t, "gamma")
		s := drawState(t, k, true)
		for i := range s.Weighed {
			s.Weighed[i] = rapid.Float64Range(0, 1e6).Draw(t, "weighed")
		}
		p, begun, probs := NewExp3(k, gamma, Start{Word: StartNone}, nil), NewExp3(k, gamma, Start{Word: StartRandom}, nil), make([]float64, k)
		weights, after := make([]float64, k), make([]float64, k)
		p.Propensities(s, probs)
		p.Weights(s, weights)
		begun.Weights(s, after)
		for i, q := range probs {
			w := weights[i]
			if !s.CanPlay(i) {
				if w != 0 {
					t.Fatalf("arm %d is not eligible and has the weight %v", i, w)
				}
				continue
			}
			if least := gamma / float64(eligible(s)); q < least || math.Abs(w*q-1) > 1e-15 || after[i] != w {
				t.Fatalf("arm %d: propensity %v of at least %v, weight %v, after a start %v", i, q, least, w, after[i])
			}
		}
	})
}
