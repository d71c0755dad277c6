package policy

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/policy/bitexact"
)

// hybridNoise is the noise in the hybrid mechanism's sum of n rows at ε = 1:
// (k+1) × Lap(2) and popcount(r) × Lap(2k).
func hybridNoise(n int64) []Noise {
	k := bits.Len64(uint64(n)) - 1
	return []Noise{{2, k + 1}, {float64(2 * max(k, 1)), bits.OnesCount64(uint64(n)) - 1}}
}

// Chernoff bounds for the hybrid mechanism, ε = 1, δ = 0.05; SciPy 1.17.1,
// Python 3.11:
//
//	from math import log
//	from scipy.optimize import minimize_scalar
//	for n in (7, 100, 1000):
//	    k = n.bit_length() - 1
//	    f = lambda h: (log(2/.05) - (k+1)*log(1-(2*h)**2) - (n.bit_count()-1)*log(1-(2*k*h)**2))/h
//	    print(n, round(minimize_scalar(f, bounds=(0, 1/(2*k)), method='bounded', options={'xatol': 1e-12}).fun, 4))
func TestChernoffVectors(t *testing.T) {
	for n, want := range map[int64]float64{7: 30.9014, 100: 87.2364, 1000: 178.8705} {
		if got := Chernoff(hybridNoise(n), 0.05); math.Abs(got-want) > 5e-5 {
			t.Errorf("n = %d: λ = %v, want %v", n, got, want)
		}
	}
	if got := Chernoff(nil, 0.05); got != 0 {
		t.Errorf("no noise: λ = %v", got)
	}
	if got := Chernoff([]Noise{{3, 0}}, 0.05); !(got >= 0) {
		t.Errorf("no variables of a scale: λ = %v", got)
	}
}

// plainChernoff is Chernoff that bisects without a bracket.
func plainChernoff(noise []Noise, delta float64) float64 {
	var widest float64
	for _, v := range noise {
		widest = math.Max(widest, v.Scale)
	}
	target := bitexact.Ln(2 / delta)
	lo, hi := 0.0, 1.0
	for mid := 0.5; mid > lo && mid < hi; mid = lo + (hi-lo)/2 {
		if slope(noise, mid/widest) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return exponent(noise, lo/widest, target) * widest / lo
}

// The bracket saves steps and changes no bit.
func TestChernoffIsPlainBisection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		noise := []Noise{
			{rapid.Float64Range(1e-6, 1e6).Draw(t, "b1"), int(rapid.Int64Range(1, 1<<rapid.IntRange(1, 44).Draw(t, "bits")).Draw(t, "m1"))},
			{rapid.Float64Range(1e-6, 1e6).Draw(t, "b2"), rapid.IntRange(0, 40).Draw(t, "m2")},
		}
		delta := math.Exp(-rapid.Float64Range(0.01, 60).Draw(t, "minus log delta"))
		if got, want := Chernoff(noise, delta), plainChernoff(noise, delta); got != want {
			t.Fatalf("λ = %v, by plain bisection %v", got, want)
		}
	})
	for n := int64(1); n < 3000; n++ {
		for _, noise := range [][]Noise{hybridNoise(n), {{4, int(n)}}} {
			if got, want := Chernoff(noise, 1e-8), plainChernoff(noise, 1e-8); got != want {
				t.Fatalf("n = %d: λ = %v, by plain bisection %v", n, got, want)
			}
		}
	}
}

func BenchmarkChernoff(b *testing.B) {
	for n := 1; b.Loop(); n++ {
		Chernoff([]Noise{{4, n}}, 1e-8)
	}
}

// λ is the minimum over h: no h on a fine grid gives less, and λ scales with
// the scales and grows as δ shrinks.
func TestChernoffIsTheMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		noise := []Noise{
			{rapid.Float64Range(0.01, 100).Draw(t, "b1"), rapid.IntRange(1, 40).Draw(t, "m1")},
			{rapid.Float64Range(0.01, 100).Draw(t, "b2"), rapid.IntRange(0, 40).Draw(t, "m2")},
		}
		delta := math.Exp(-rapid.Float64Range(0.7, 40).Draw(t, "minus log delta"))
		got := Chernoff(noise, delta)
		widest := math.Max(noise[0].Scale, noise[1].Scale)
		for i := 1; i < 400; i++ {
			h := float64(i) / 400 / widest
			f := math.Log(2 / delta)
			for _, v := range noise {
				f -= float64(v.Count) * math.Log(1-h*h*v.Scale*v.Scale)
			}
			if f/h < got*(1-1e-12) {
				t.Fatalf("h = %v gives %v, below λ = %v", h, f/h, got)
			}
		}
		scaled := []Noise{{4 * noise[0].Scale, noise[0].Count}, {4 * noise[1].Scale, noise[1].Count}}
		if s := Chernoff(scaled, delta); math.Abs(s-4*got) > 1e-9*s {
			t.Fatalf("four times the scales gives %v, not four times %v", s, got)
		}
		if s := Chernoff(noise, delta/2); s <= got {
			t.Fatalf("half of δ gives %v, not more than %v", s, got)
		}
	})
}

// The bound holds: of 20,000 sums of 3 Lap(1) and 2 Lap(4) at δ = 0.05 at most
// 5 % may exceed λ. Chernoff is loose (about 1 % exceed), so a right λ fails
// this test with probability far below 10⁻⁹. The seed is fixed, so that what
// exceeds is the same in every run of the test; were it none, a λ that is far too
// large would pass.
func TestChernoffHolds(t *testing.T) {
	const n = 20_000
	lambda := Chernoff([]Noise{{1, 3}, {4, 2}}, 0.05)
	rng := rand.New(rand.NewPCG(3, 4))
	laplace := func(b float64) float64 { return b * (rng.ExpFloat64() - rng.ExpFloat64()) }
	over := 0
	for range n {
		y := laplace(1) + laplace(1) + laplace(1) + laplace(4) + laplace(4)
		if math.Abs(y) > lambda {
			over++
		}
	}
	if over > n/20 {
		t.Errorf("%d of %d sums exceed λ = %v", over, n, lambda)
	}
	if over == 0 {
		t.Errorf("no sum exceeds λ = %v, which is too large by far", lambda)
	}
}

// The moment generating function of discrete Laplace noise of the same scale
// never exceeds the continuous one, which is what makes λ a bound for both.
func TestDiscreteMomentsAreBelowContinuousOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.Float64Range(0.05, 50).Draw(t, "scale in lattice steps")
		u := rapid.Float64Range(0.01, 0.95).Draw(t, "h·b")
		h := u / b
		q := math.Exp(-1 / b)
		var sum float64 // of P(n)·cosh(hn), both signs
		for n := 1; ; n++ {
			term := math.Exp(-float64(n)/b+h*float64(n)) + math.Exp(-float64(n)/b-h*float64(n))
			if term < 1e-18 {
				break
			}
			sum += term
		}
		discrete := (1 - q) / (1 + q) * (1 + sum)
		if continuous := 1 / (1 - u*u); discrete > continuous*(1+1e-12) {
			t.Fatalf("discrete %v exceeds continuous %v", discrete, continuous)
		}
	})
}

func TestQuantileTabulates(t *testing.T) {
	calls := 0
	var mu sync.Mutex
	noise := func(n int64) []Noise {
		mu.Lock()
		defer mu.Unlock()
		calls++
		return hybridNoise(n)
	}
	shape := func(n int64) int { return 64*(bits.Len64(uint64(n))-1) + bits.OnesCount64(uint64(n)) }
	q := NewQuantile(0.05/1000, 4096, shape, noise)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := int64(1); n <= 2000; n++ {
				if got, want := q.Gamma(n), Chernoff(hybridNoise(n), 0.05/1000); got != want {
					t.Errorf("Γ_%d = %v, want %v", n, got, want)
				}
			}
		})
	}
	wg.Wait()
	// 2^10 + … : shapes with k ≤ 10; far fewer than the 8000 sums asked for.
	if calls > 4*66 {
		t.Errorf("%d evaluations for 66 shapes", calls)
	}
}

// Without shapes every n is computed once below 2^20, and each time above.
func TestQuantileWithoutShapes(t *testing.T) {
	noise := func(n int64) []Noise { return []Noise{{4, int(n)}} }
	calls := map[int64]int{}
	q := NewQuantile(1e-6, 0, nil, func(n int64) []Noise { calls[n]++; return noise(n) })
	for _, n := range []int64{1, 2, 4095, 4096, 1<<20 - 1, 1 << 20, 1<<20 + 1, 1 << 40} {
		want := Chernoff(noise(n), 1e-6)
		for range 3 {
			if got := q.Gamma(n); got != want {
				t.Errorf("Γ_%d = %v, want %v", n, got, want)
			}
		}
		if once := n < 1<<20; (calls[n] == 1) != once || !once && calls[n] != 3 {
			t.Errorf("Γ_%d was computed %d times", n, calls[n])
		}
	}
	var wg sync.WaitGroup
	shared := NewQuantile(1e-6, 0, nil, noise)
	for range 4 {
		wg.Go(func() {
			for n := int64(1); n <= 5000; n++ {
				if got, want := shared.Gamma(n), Chernoff(noise(n), 1e-6); got != want {
					t.Errorf("Γ_%d = %v, want %v", n, got, want)
				}
			}
		})
	}
	wg.Wait()
}
