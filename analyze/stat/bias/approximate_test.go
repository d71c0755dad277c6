package bias

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestApproximate(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct {
		eps, delta float64
		rounds     int64
		played     float64
		want       float64
	}{
		{1, 0, 1e6, 1, math.Tanh(.25)},
		{1, 1e-6, 1000, 1, math.Tanh(.25) + 2.5e-4},
		{0, 1e-6, 1000, .5, 5e-4},
		{1, 1, 100, 1, 1},
		{inf, 0, 10, 1, 1},
		{0, 0, 0, 1, 0},
		{-1, 0, 1, 1, nan},
		{nan, 0, 1, 1, nan},
		{1, -1, 1, 1, nan},
		{1, 2, 1, 1, nan},
		{1, nan, 1, 1, nan},
		{1, 0, -1, 1, nan},
		{1, 0, 1, 0, nan},
		{1, 0, 1, 1.5, nan},
		{1, 0, 1, nan, nan},
	} {
		if got := Approximate(r.eps, r.delta, r.rounds, r.played); !same(got, r.want, 1e-15) {
			t.Errorf("Approximate(%g, %g, %d, %g) = %g, want %g", r.eps, r.delta, r.rounds, r.played, got, r.want)
		}
	}
}

// The bound is above the form that knows μ, for every μ.
func TestApproximateProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := rapid.Float64Range(0, 8).Draw(t, "eps")
		mu := rapid.Float64Range(0, 1).Draw(t, "mu")
		delta := rapid.Float64Range(0, .01).Draw(t, "delta")
		rounds := rapid.Int64Range(0, 1000).Draw(t, "rounds")
		gain := math.Expm1(eps)
		known := mu * (1 - mu) * (gain + float64(rounds)*delta) / (1 + gain*min(mu, 1-mu))
		if got := Approximate(eps, delta, rounds, 1); min(1, known) > got*(1+1e-12) {
			t.Fatalf("%g, with μ = %g known %g", got, mu, known)
		}
	})
}

// Two arms, six rounds, every action sequence and every reward vector: whether
// an arm is kept depends on the last reward by randomised response, which with
// probability δ tells the truth. That is (ε, δ), and no less.
func TestApproximateExhaustive(t *testing.T) {
	const rounds = 6
	closest := 0.0
	for _, eps := range []float64{.1, .5, 1, 3} {
		for _, delta := range []float64{0, .001, .05, .3} {
			for _, mu := range []float64{.1, .5, .8} {
				mean, played := keepIfGood(rounds, eps, delta, mu)
				bound := Approximate(eps, delta, rounds, played)
				if shift := math.Abs(mean/played - mu); shift > bound {
					t.Errorf("ε = %g, δ = %g, μ = %g: bias %g is above %g", eps, delta, mu, shift, bound)
				} else {
					closest = max(closest, shift/bound)
				}
			}
		}
	}
	if closest < .1 {
		t.Errorf("the bias is at most %.3f of the bound; the example is too tame to test it", closest)
	}
	t.Logf("the largest bias is %.3f of the bound", closest)
}

// keepIfGood returns E[mean of arm 0; it is played] and P(it is played).
func keepIfGood(rounds int, eps, delta, mu float64) (mean, played float64) {
	keep := delta + (1-delta)/(1+math.Exp(-eps)) // after a reward of 1
	for a := range 1 << rounds {
		for y := range 1 << rounds {
			p, sum, n := .5, 0, 0
			for t := range rounds {
				arm, reward := a>>t&1, y>>t&1
				if reward == 1 {
					p *= mu
				} else {
					p *= 1 - mu
				}
				if arm == 0 {
					n++
					sum += reward
				}
				if t+1 < rounds {
					if stays := a>>(t+1)&1 == arm; stays == (reward == 1) {
						p *= keep
					} else {
						p *= 1 - keep
					}
				}
			}
			if n > 0 {
				mean += p * float64(sum) / float64(n)
				played += p
			}
		}
	}
	return mean, played
}
