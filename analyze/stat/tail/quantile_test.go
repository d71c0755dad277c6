package tail

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Arbitrary-precision quantiles (testdata/reference/quantiles.csv, mpmath
// 1.3.0, made by quantiles.py beside it).
func TestQuantileReference(t *testing.T) {
	b, err := os.ReadFile("../../../testdata/reference/quantiles.csv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), ",")
		number := func(i int) float64 {
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		var got, want float64
		switch f[0] {
		case "normal":
			got, want = NormalQuantile(number(1)), number(2)
		case "student":
			got, want = StudentQuantile(number(1), number(2)), number(3)
		default:
			continue
		}
		n++
		if !(math.Abs(got-want) <= 2e-12*math.Abs(want)) {
			t.Errorf("%s: got %.17g", strings.TrimSpace(line), got)
		}
	}
	if n < 20 {
		t.Fatalf("only %d reference lines", n)
	}
}

// The quantile undoes the tail, and tails fall.
func TestQuantileRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		df := rapid.SampledFrom([]float64{0.05, 1, 2.5, 30, 1e5, 1e12, math.Inf(1)}).Draw(t, "df")
		logQ := -math.Exp(rapid.Float64Range(-20, 11).Draw(t, "ln of minus ln q"))
		z := StudentQuantile(logQ, df)
		if math.IsInf(z, 1) && LogStudent(math.MaxFloat64, df) > logQ {
			return // beyond the largest float64, as documented
		}
		if back := LogStudent(z, df); math.Abs(back-logQ) > 1e-11*math.Max(1, math.Abs(logQ)) {
			t.Fatalf("ln P(T > %g) = %g, want %g", z, back, logQ)
		}
		if LogStudent(z+0.1+math.Abs(z)/10, df) > LogStudent(z, df) {
			t.Fatal("the tail rises")
		}
	})
}

// The two tails of one law add up to 1.
func TestTailsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(0.5, 5000).Draw(t, "a")
		b := rapid.Float64Range(0.5, 5000).Draw(t, "b")
		x := rapid.Float64Range(1e-6, 1-1e-6).Draw(t, "x")
		sum := math.Exp(LogBeta(a, b, x, 1-x)) + math.Exp(LogBeta(b, a, 1-x, x))
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("I_x(a,b) + I_y(b,a) = %.17g", sum)
		}
		k, n := rapid.Int64Range(0, 400).Draw(t, "k"), int64(400)
		sum = math.Exp(LogBinomialAtMost(k, n, x)) + math.Exp(LogBinomialAtLeast(k+1, n, x))
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("P(X ≤ k) + P(X ≥ k+1) = %.17g", sum)
		}
	})
}

func BenchmarkLogBinomial(b *testing.B) {
	for _, n := range []int64{1e3, 1e6, 1e9} {
		b.Run(fmt.Sprintf("n=%g", float64(n)), func(b *testing.B) {
			for b.Loop() {
				LogBinomialAtLeast(n/2+1, n, 0.5) // the slowest place: the mean
			}
		})
	}
}

func BenchmarkLogStudent(b *testing.B) {
	for b.Loop() {
		LogStudent(1.96, 2e7)
	}
}
