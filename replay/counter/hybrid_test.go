package counter

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newTestHybrid(tb testing.TB, epsilon string, gridBits uint) *hybrid {
	tb.Helper()
	eps, ok := new(big.Rat).SetString(epsilon)
	if !ok {
		tb.Fatalf("not a rational: %q", epsilon)
	}
	grid := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), gridBits))
	c, err := New(Spec{Name: "hybrid", Epsilon: eps, Grid: grid})
	if err != nil {
		tb.Fatal(err)
	}
	return c.(*hybrid)
}

// Variance (8/ε²)·[(k+1) + k²·popcount(r)] at ε = 1 (own derivation; the next
// test but one simulates it), by Python 3.11:
//
//	f = lambda n, k: 8*(k + 1 + k*k*(n - 2**k).bit_count())
//	print([f(n, n.bit_length() - 1) for n in (*range(1, 17), 100, 500, 1000, 1023, 1024)])
func varianceVector() map[int64]float64 {
	v := map[int64]float64{100: 632, 500: 2632, 1000: 3320, 1023: 5912, 1024: 88}
	for i, x := range []float64{8, 16, 24, 24, 56, 56, 88, 32, 104, 104, 176, 104, 176, 176, 248, 40} {
		v[int64(i+1)] = x
	}
	return v
}

func variance(noise []Noise) float64 {
	var v float64
	for _, n := range noise {
		v += 2 * float64(n.Count) * n.Scale * n.Scale
	}
	return v
}

func TestHybridVarianceFromItsNoise(t *testing.T) {
	h := newTestHybrid(t, "1", 20)
	for n, want := range varianceVector() {
		if got := variance(h.Noise(n)); got != want {
			t.Errorf("n = %d: variance %v, want %v", n, got, want)
		}
	}
	if h.Noise(0) != nil {
		t.Error("an empty stream has no noise")
	}
}

// The variance of what the bank really releases. The standard error of the
// mean square of n draws of a sum of Laplace variables is at most √5·v/√n; at
// 5 of them each of the 17 comparisons rejects a right mechanism with
// probability below 10⁻⁶.
func TestHybridVarianceBySimulation(t *testing.T) {
	const runs = 20_000
	h := newTestHybrid(t, "1", 20)
	squares := make([]float64, 101)
	for run := range runs {
		bank := h.Bank([]rand.Source{rand.NewPCG(uint64(run), 3)})
		var exact float64
		for n := 1; n <= 100; n++ {
			y := float64(n%3) / 2
			exact += y
			got, _, err := bank.Add(0, y)
			if err != nil {
				t.Fatal(err)
			}
			squares[n] += (got - exact) * (got - exact)
		}
	}
	for n, want := range varianceVector() {
		if n > 100 {
			continue
		}
		if got := squares[n] / runs; math.Abs(got-want) > 5*math.Sqrt(5.0/runs)*want {
			t.Errorf("n = %d: simulated variance %v, want %v", n, got, want)
		}
	}
}

// reference is the hybrid mechanism as Chan, Shi and Song write it: a
// logarithmic mechanism and binary mechanisms with arrays α and α̂.
type reference struct {
	t          int64
	beta, sum  int64
	alpha, hat [64]int64
}

func (r *reference) add(y int64, noise func(segment int) int64) int64 {
	r.t++
	k, offset := segment(r.t)
	if offset == 0 {
		r.beta += r.sum + y + noise(0)
		r.sum = 0
		r.alpha, r.hat = [64]int64{}, [64]int64{}
		return r.beta
	}
	r.sum += y
	i := bits.TrailingZeros64(uint64(offset))
	r.alpha[i] = y
	for j := range i {
		r.alpha[i] += r.alpha[j]
		r.alpha[j], r.hat[j] = 0, 0
	}
	r.hat[i] = r.alpha[i] + noise(k)
	out := r.beta
	for j := range k {
		if offset>>j&1 == 1 {
			out += r.hat[j]
		}
	}
	return out
}

// The one-addition bank releases what the mechanism of the paper releases, bit
// for bit, from the same draws: one per row, in the order of rows.
func TestHybridBankEqualsThePublishedMechanism(t *testing.T) {
	h := newTestHybrid(t, "0.3", 20)
	src, twin := chacha(4), chacha(4)
	bank := h.Bank([]rand.Source{chacha(5), src})
	values := rand.New(rand.NewPCG(1, 2))
	var ref reference
	for n := range 5000 {
		y := math.Round(values.Float64()*(1<<20)) / (1 << 20)
		want := ref.add(int64(y*(1<<20)), func(segment int) int64 {
			x, err := h.laws[segment].draw(twin)
			if err != nil {
				t.Fatal(err)
			}
			return x
		})
		got, _, err := bank.Add(1, y)
		if err != nil {
			t.Fatal(err)
		}
		if got != float64(want)/(1<<20) {
			t.Fatalf("row %d: released %v, want %v", n+1, got, float64(want)/(1<<20))
		}
	}
	if src.Uint64() != twin.Uint64() {
		t.Error("the bank did not take exactly one noise per row")
	}
}

func TestHybridRoundsEachRowToTheGrid(t *testing.T) {
	// ε = 4000 makes noise on the grid 2^-1 vanish but for a probability of
	// e^{−1000} per draw at the scales used here, so the sum is readable.
	h := newTestHybrid(t, "4000", 1)
	bank := h.Bank([]rand.Source{chacha(1)})
	want := 0.0
	for _, row := range []struct{ y, rounded float64 }{{0.3, 0.5}, {0.25, 0}, {0.75, 1}, {1, 1}, {0.74, 0.5}} {
		want += row.rounded
		got, _, err := bank.Add(0, row.y)
		if err != nil || got != want {
			t.Errorf("after %v: %v (%v), want %v", row.y, got, err, want)
		}
	}
}

func TestBankRefusesRewards(t *testing.T) {
	for _, c := range []Counter{newTestHybrid(t, "1", 20), exact{}} {
		for _, y := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
			bank := c.Bank([]rand.Source{chacha(1)})
			_, _, err := bank.Add(0, y)
			if !errors.Is(err, errReward) {
				t.Errorf("%s, reward %v: error %v", c.Name(), y, err)
			}
			if err != nil && strings.Contains(err.Error(), "1.1") {
				t.Error("the error prints a reward")
			}
		}
	}
}

func TestHybridBankIsFull(t *testing.T) {
	h := newTestHybrid(t, "1", 20)
	bank := h.Bank([]rand.Source{chacha(1)}).(*hybridBank)
	bank.arms[0].rows = 1<<40 - 1
	if _, _, err := bank.Add(0, 1); err == nil {
		t.Error("row 2^40 was taken")
	}
}

func TestHybridFaults(t *testing.T) {
	for _, tt := range []struct {
		name string
		spec Spec
		want []string // parameters
	}{
		{"good", Spec{Name: "hybrid", Epsilon: big.NewRat(1, 4)}, nil},
		{"grid 1", Spec{Name: "hybrid", Epsilon: big.NewRat(1, 4), Grid: big.NewRat(1, 1)}, nil},
		{"no epsilon", Spec{Name: "hybrid"}, []string{"epsilon"}},
		{"epsilon 0", Spec{Name: "hybrid", Epsilon: new(big.Rat)}, []string{"epsilon"}},
		{"both", Spec{Name: "hybrid", Epsilon: big.NewRat(-1, 4), Grid: big.NewRat(1, 3)}, []string{"grid", "epsilon"}},
		{"grid 2", Spec{Name: "hybrid", Epsilon: big.NewRat(1, 4), Grid: big.NewRat(2, 1)}, []string{"grid"}},
		{"grid 0", Spec{Name: "hybrid", Epsilon: big.NewRat(1, 4), Grid: new(big.Rat)}, []string{"grid"}},
		{"grid too fine", Spec{Name: "hybrid", Epsilon: big.NewRat(1, 4), Grid: big.NewRat(1, 1<<31)}, []string{"grid"}},
		{"nine odd decimals", Spec{Name: "hybrid", Epsilon: big.NewRat(123456789, 1_000_000_000)}, []string{"epsilon"}},
		{"eight decimals", Spec{Name: "hybrid", Epsilon: big.NewRat(12345679, 100_000_000)}, nil},
		{"epsilon too small", Spec{Name: "hybrid", Epsilon: big.NewRat(1, 1_000_000)}, []string{"epsilon"}},
		{"unknown", Spec{Name: "honaker"}, []string{"name"}},
		{"exact", Spec{Name: "exact"}, nil},
		{"exact with parameters", Spec{Name: "exact", Epsilon: big.NewRat(1, 1), Grid: big.NewRat(1, 2)}, []string{"epsilon", "grid"}},
	} {
		_, err := New(tt.spec)
		if diff := cmp.Diff(tt.want, params(t, tt.name, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestHybridShapeDecidesNoise(t *testing.T) {
	h := newTestHybrid(t, "0.7", 20)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1<<39).Draw(t, "n")
		m := rapid.Int64Range(1, 1<<39).Draw(t, "m")
		if s := h.Shape(n); s < 0 || s >= h.Shapes() {
			t.Fatalf("shape %d of %d", s, h.Shapes())
		}
		same := cmp.Equal(h.Noise(n), h.Noise(m))
		if (h.Shape(n) == h.Shape(m)) != same {
			t.Fatalf("rows %d and %d: shapes %d and %d, same noise %v", n, m, h.Shape(n), h.Shape(m), same)
		}
	})
}

func BenchmarkHybridAdd(b *testing.B) {
	bank := newTestHybrid(b, "0.25", 20).Bank([]rand.Source{chacha(1)})
	for b.Loop() {
		if _, _, err := bank.Add(0, 1); err != nil {
			b.Fatal(err)
		}
	}
}
