package counter

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// script is a source that repeats its words.
type script struct {
	words []uint64
	next  int
}

func (s *script) Uint64() uint64 {
	w := s.words[s.next%len(s.words)]
	s.next++
	return w
}

func chacha(n byte) rand.Source { return rand.NewChaCha8([32]byte{n}) }

func TestUniformFollowsItsScript(t *testing.T) {
	for _, tt := range []struct {
		name  string
		n     uint64
		words []uint64
		want  uint64
		drawn int
	}{
		{"one value draws nothing", 1, []uint64{7}, 0, 0},
		{"low bits are kept", 4, []uint64{0xff06}, 2, 1},
		{"too large is rejected", 5, []uint64{0xf5, 0xfd, 0x07, 0x0c}, 4, 4},
		{"power of two plus one", 1<<40 + 1, []uint64{1 << 41, 1<<41 | 1<<40}, 0, 1},
		{"full width", math.MaxUint64, []uint64{math.MaxUint64, 5}, 5, 2},
	} {
		s := &script{words: tt.words}
		if got := uniform(s, tt.n); got != tt.want || s.next != tt.drawn {
			t.Errorf("%s: %d after %d words, want %d after %d", tt.name, got, s.next, tt.want, tt.drawn)
		}
	}
}

func TestDrawFollowsItsScript(t *testing.T) {
	for _, tt := range []struct {
		name  string
		law   discreteLaplace
		words []uint64
		want  int64
		drawn int
	}{
		// t = 1: U = 0 without a draw; expBernoulli(0, 1) holds without a draw.
		// 1: uniform(2) ≥ 1 at K = 2, even: V = 0; Y = 0; B = 0.
		{"zero", discreteLaplace{1, 1}, []uint64{1, 0}, 0, 2},
		// 0, 1: K = 3, odd: V = 1. Then 1: stop. B = 1: −1.
		{"minus one", discreteLaplace{1, 1}, []uint64{0, 1, 1, 1}, -1, 4},
		// B = 1 with Y = 0 starts again, then the first row.
		{"negative zero starts again", discreteLaplace{1, 1}, []uint64{1, 1, 1, 0}, 0, 4},
		// t = 4, s = 3: U = 3; expBernoulli(3, 4): uniform(4) = 3 ≥ 3 at K = 1,
		// odd: keep. V = 0. Y = ⌊3/3⌋ = 1. B = 0.
		{"remainder kept", discreteLaplace{4, 3}, []uint64{3, 3, 1, 0}, 1, 4},
		// U = 3; uniform(4) = 0 < 3; uniform(8) = 7 ≥ 3 at K = 2: start again.
		// U = 0 is kept without further comparison than 0 ≥ 0.
		{"remainder rejected", discreteLaplace{4, 3}, []uint64{3, 0, 7, 0, 0, 1, 0}, 0, 7},
	} {
		s := &script{words: tt.words}
		got, err := tt.law.draw(s)
		if err != nil || got != tt.want || s.next != tt.drawn {
			t.Errorf("%s: %d (%v) after %d words, want %d after %d", tt.name, got, err, s.next, tt.want, tt.drawn)
		}
	}
}

// No tail is cut: sources that would go on for ever end in an error.
func TestDrawAborts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		law   discreteLaplace
		words []uint64
	}{
		{"K never stops", discreteLaplace{1, 1}, []uint64{0}},                // uniform(K) = 0 < 1 for all K
		{"V never stops", discreteLaplace{1, 1}, []uint64{0, 1}},             // K = 3 each time
		{"Y leaves 54 bits", discreteLaplace{maxScale, 1}, lengthOf(t, 300)}, // V = 300
	} {
		if x, err := tt.law.draw(&script{words: tt.words}); !errors.Is(err, errAborted) {
			t.Errorf("%s: %d, error %v", tt.name, x, err)
		}
	}
	for _, tt := range []struct {
		law  discreteLaplace
		u, v uint64
		want bool
	}{
		{discreteLaplace{maxScale, 1}, maxScale - 1, 255, true}, // 2^54 − 1
		{discreteLaplace{maxScale, 1}, 0, 256, false},           // 2^54
		{discreteLaplace{maxNum, 1}, 0, math.MaxUint64, false},  // more than 64 bits
	} {
		if _, ok := tt.law.quotient(tt.u, tt.v); ok != tt.want {
			t.Errorf("parameter %v, U %d, V %d: accepted %v", tt.law, tt.u, tt.v, ok)
		}
	}
}

// lengthOf returns words that make U = 0, keep it, and then V = v.
func lengthOf(t *testing.T, v int) []uint64 {
	t.Helper()
	words := []uint64{0, 0}
	for range v {
		words = append(words, 0, 1)
	}
	return append(words, 1, 0)
}

func TestNewLaplaceLimits(t *testing.T) {
	power := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	for _, tt := range []struct {
		name     string
		num, den *big.Int
		want     bool
	}{
		{"smallest terms", big.NewInt(6), big.NewInt(4), true},
		{"largest scale", power(46), big.NewInt(1), true},
		{"scale too large", power(47), big.NewInt(1), false},
		{"largest numerator", power(56), new(big.Int).Add(power(20), big.NewInt(1)), true},
		{"numerator too large", new(big.Int).Add(power(56), big.NewInt(1)), power(20), false},
		{"denominator above 64 bits", big.NewInt(1), power(64), false},
		{"zero", big.NewInt(0), big.NewInt(1), false},
		{"negative", big.NewInt(-1), big.NewInt(1), false},
	} {
		l, ok := newDiscreteLaplace(new(big.Rat).SetFrac(tt.num, tt.den))
		if ok != tt.want {
			t.Errorf("%s: accepted %v, want %v", tt.name, ok, tt.want)
		}
		if tt.name == "smallest terms" && (l != discreteLaplace{3, 2}) {
			t.Errorf("6/4 became %v", l)
		}
	}
}

// The sampler against its law, P(n) = ((1−q)/(1+q))·q^|n|. Five chi-square
// tests, each rejecting a true law with probability 2·10⁻⁶: together at most
// 10⁻⁵. Seeds are fixed.
func TestDrawChiSquare(t *testing.T) {
	const draws = 400_000
	for i, law := range []discreteLaplace{{5, 1}, {1, 1}, {1, 3}, {7, 2}, {41, 13}} {
		q := math.Exp(-float64(law.den) / float64(law.num))
		mass := func(n int) float64 { return (1 - q) / (1 + q) * math.Pow(q, math.Abs(float64(n))) }
		edge := 0 // cells −edge…edge; the last ones hold the tails
		for n := 1; mass(n)/(1-q)*draws >= 40; n++ {
			edge = n
		}
		counts := make([]float64, 2*edge+1)
		src := chacha(byte(i))
		for range draws {
			n, err := law.draw(src)
			if err != nil {
				t.Fatal(err)
			}
			counts[max(-edge, min(edge, int(n)))+edge]++
		}
		var chi2 float64
		for cell, got := range counts {
			want := draws * mass(cell-edge)
			if cell == 0 || cell == 2*edge {
				want /= 1 - q
			}
			chi2 += (got - want) * (got - want) / want
		}
		if p := (distuv.ChiSquared{K: float64(2 * edge)}).Survival(chi2); p < 2e-6 {
			t.Errorf("parameter %d/%d: chi-square %.1f on %d degrees of freedom, p = %.2g", law.num, law.den, chi2, 2*edge, p)
		}
	}
}

// Discrete Laplace with parameter 5: variance 2q/(1−q)² = 49.83366614 and
// P(0) = (1−q)/(1+q) = 0.09966799 with q = e^{−1/5} (python3 -c "import math;
// q=math.exp(-.2); print(2*q/(1-q)**2, (1-q)/(1+q))"). The mean square of n
// draws has a standard deviation of about √5·variance/√n (kurtosis near 6); at
// 5 of them a right sampler fails with probability below 10⁻⁶.
func TestDrawMoments(t *testing.T) {
	const n = 200_000
	src := chacha(9)
	var squares, sum, zeros float64
	for range n {
		x, err := (discreteLaplace{5, 1}).draw(src)
		if err != nil {
			t.Fatal(err)
		}
		squares += float64(x * x)
		sum += float64(x)
		if x == 0 {
			zeros++
		}
	}
	const variance, p0 = 49.83366614, 0.09966799
	if got := squares / n; math.Abs(got-variance) > 5*math.Sqrt(5/float64(n))*variance {
		t.Errorf("mean square %v, want %v", got, variance)
	}
	if got := sum / n; math.Abs(got) > 5*math.Sqrt(variance/n) {
		t.Errorf("mean %v, want 0", got)
	}
	if got := zeros / n; math.Abs(got-p0) > 5*math.Sqrt(p0*(1-p0)/n) {
		t.Errorf("share of zeros %v, want %v", got, p0)
	}
}

func BenchmarkDraw(b *testing.B) {
	h, err := New(Spec{Name: "hybrid", Epsilon: big.NewRat(1, 4)})
	if err != nil {
		b.Fatal(err)
	}
	law, src := h.(*hybrid).laws[10], chacha(1)
	for b.Loop() {
		if _, err := law.draw(src); err != nil {
			b.Fatal(err)
		}
	}
}
