package world

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/replay"
)

// TestRewardWords recomputes rewards from the streams that the package comment
// names.
func TestRewardWords(t *testing.T) {
	means := []float64{.25, .5, .75}
	w := NewBernoulli(means, 0, replay.Seed(3), "e")
	for a, mean := range means {
		stream := replay.Stream(replay.Seed(3), "world.reward", "e", a)
		fresh := NewBernoulli(means, 0, replay.Seed(3), "e")
		for r := int64(1); r <= 20_000; r++ {
			want := 0.0
			if float64(stream.Uint64()>>11)/(1<<53) < mean {
				want = 1
			}
			if got := fresh.Reward(r, a); got != want {
				t.Fatalf("round %d, arm %d pays %v, want %v", r, a, got, want)
			}
		}
	}
	if w.Dim() != 0 {
		t.Errorf("Dim is %d", w.Dim())
	}
	x, want := make([]float64, 3), rand.New(replay.Stream(replay.Seed(3), "world.context", "e", replay.NoArm))
	c := NewBernoulli(means, 3, replay.Seed(3), "e")
	for r := int64(1); r <= 5; r++ {
		c.Context(r, x)
		for j, v := range x {
			if w := want.NormFloat64(); v != w {
				t.Errorf("round %d, coordinate %d is %v, want %v", r, j, v, w)
			}
		}
	}
	if c.Dim() != 3 {
		t.Errorf("Dim is %d, want 3", c.Dim())
	}
}

// TestFrequencies: rewards have their means and no correlation between arms or
// with the round before; contexts have mean 0 and variance 1. Each of the 13
// comparisons is at 5 standard errors, which a right program crosses with
// probability below 6e-7, so the test as a whole fails falsely below 1e-5; the
// seed is fixed.
func TestFrequencies(t *testing.T) {
	means := []float64{.1, .5, .9}
	const n = 40_000
	w := NewBernoulli(means, 2, replay.Seed(11), "e")
	sums, lag, pairs := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	before := make([]float64, 3)
	var x, x2 [2]float64
	cross := 0.0
	for r := int64(1); r <= n; r++ {
		y, c := make([]float64, 3), make([]float64, 2)
		w.Context(r, c)
		for a := range means {
			y[a] = w.Reward(r, a) - means[a]
			sums[a] += y[a]
			lag[a] += y[a] * before[a]
		}
		for a := range means {
			pairs[a] += y[a] * y[(a+1)%3]
		}
		for j := range c {
			x[j] += c[j]
			x2[j] += c[j]*c[j] - 1
		}
		cross += c[0] * c[1]
		before = y
	}
	within := func(what string, sum, variance float64) {
		t.Helper()
		if z := sum / math.Sqrt(n*variance); math.Abs(z) > 5 {
			t.Errorf("%s is %.1f standard errors from its mean", what, z)
		}
	}
	for a, m := range means {
		v, next := m*(1-m), means[(a+1)%3]
		within("the reward of an arm", sums[a], v)
		within("the product of two rounds", lag[a], v*v)
		within("the product of two arms", pairs[a], v*next*(1-next))
	}
	for j := range x {
		within("a context", x[j], 1)
		within("the square of a context", x2[j], 2)
	}
	within("the product of two contexts", cross, 1)
}

// TestCertainRewards: means 0 and 1 are exact.
func TestCertainRewards(t *testing.T) {
	w := NewBernoulli([]float64{0, 1}, 0, replay.Seed(1), "e")
	for r := int64(1); r <= 5000; r++ {
		if w.Reward(r, 0) != 0 || w.Reward(r, 1) != 1 {
			t.Fatalf("round %d pays %v and %v, want 0 and 1", r, w.Reward(r, 0), w.Reward(r, 1))
		}
	}
}

// TestWorldsDiffer: another seed, experiment or arm is another stream.
func TestWorldsDiffer(t *testing.T) {
	half := []float64{.5, .5}
	word := func(seed int64, experiment string, arm int) (out uint64) {
		w := NewBernoulli(half, 0, replay.Seed(seed), experiment)
		for r := int64(1); r <= 64; r++ {
			out = out<<1 | uint64(w.Reward(r, arm))
		}
		return out
	}
	seen := map[uint64]bool{}
	for _, v := range []uint64{word(1, "e", 0), word(1, "e", 1), word(1, "f", 0), word(2, "e", 0)} {
		if seen[v] {
			t.Errorf("two streams begin with the same 64 rewards")
		}
		seen[v] = true
	}
}
