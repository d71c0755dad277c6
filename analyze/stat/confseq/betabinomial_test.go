package confseq

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/tail"
)

// tunedSize is the κ of Howard et al. 2021 for a log of t rewards at α = .05, whatever
// the mean: t/(2·ln(1/α) + ln(1 + 2·ln(1/α))) − 1.
func tunedSize(t float64) float64 {
	level := 2 * math.Log(20)
	return t/(level+math.Log1p(level)) - 1
}

// Formula sheet, second part, 22.2, which compared those of one κ with the C++ library
// confseq (70b1ef3, test/uniform_boundaries_unittest.cpp) to the printed digits.
func TestBetaBinomialSheet(t *testing.T) {
	if got := tunedSize(100); math.Abs(got-11.60056098) > 5e-9 {
		t.Errorf("κ = %.10g", got)
	}
	four := betaBinomialSizes()
	for _, r := range []struct {
		s, n   float64
		sizes  []float64
		lo, hi float64
		tol    float64
	}{
		{700, 1000, []float64{tunedSize(100)}, .651629814, .745949501, 5e-10},
		{15, 50, []float64{tunedSize(50)}, .129556995, .511896403, 5e-10},
		{5, 50, []float64{tunedSize(50)}, .013021760, .269264667, 5e-10},
		{1, 50, []float64{tunedSize(50)}, 0, .134891587, 5e-10},
		{0, 50, four, 0, .08547456, 5e-9},
		{15, 50, four, .11711139, .53455105, 5e-9},
		{700, 1000, four, .65097960, .74641690, 5e-9},
		{25, 5000, four, .00229272, .00901624, 5e-9},
	} {
		lo, hi := successes{r.n, r.s / r.n}.below(math.Log(20), r.sizes...)
		if math.Abs(lo-r.lo) > r.tol || math.Abs(hi-r.hi) > r.tol {
			t.Errorf("%g of %g: [%.10g, %.10g], want [%.10g, %.10g]", r.s, r.n, lo, hi, r.lo, r.hi)
		}
	}
	// The general boundary for steps in [−.2, .8] at intrinsic time 100: so many above
	// 625 rewards of mean .2 are where M is 1/α.
	size := (tunedSize(100)+1)/.16 - 1
	if got := tail.LogBetaRatio(size*.2, size*.8, 125+31.430797596, 500-31.430797596); math.Abs(got-math.Log(20)) > 1e-9 {
		t.Errorf("ln M at the boundary is %.12g", got)
	}
}

// mpmath 1.3.0 at 60 digits, and reward by reward: testdata/reference/betabinomial.py,
// python3 betabinomial.py > betabinomial.csv.
func TestBetaBinomialReference(t *testing.T) {
	b, err := os.ReadFile("../../../testdata/reference/betabinomial.csv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		rows, err := csv.NewReader(strings.NewReader(line)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		kind, numbers := rows[0][0], rows[0][1:]
		number := func(i int) float64 {
			x, err := strconv.ParseFloat(numbers[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		switch kind {
		case "ratio":
			m, kappa, s, n := number(0), number(1), number(2), number(3)
			got, want := tail.LogBetaRatio(kappa*m, kappa*(1-m), s, n-s), number(4)
			if math.Abs(got-want) > 1e-13*(1+math.Sqrt(n))*(1+math.Abs(want)) {
				t.Errorf("%s: got %.17g", strings.TrimSpace(line), got)
			}
		case "interval":
			var sizes []float64
			for text := range strings.SplitSeq(numbers[0], "+") {
				x, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				sizes = append(sizes, x)
			}
			lo, hi := successes{number(2), number(1) / number(2)}.below(-math.Log(number(3)), sizes...)
			if d := number(4) - lo; d < 0 || d > 3e-12 {
				t.Errorf("%s: lower end %.17g", strings.TrimSpace(line), lo)
			}
			if d := hi - number(5); d < 0 || d > 3e-12 {
				t.Errorf("%s: upper end %.17g", strings.TrimSpace(line), hi)
			}
		}
	}
}

func TestBetaBinomialSpecial(t *testing.T) {
	nan := math.NaN()
	good := Sequence{-1, 3, 2, math.Log(.05)}
	for _, r := range []struct {
		name   string
		n      int64
		mean   float64
		s      Sequence
		lo, hi float64
	}{
		{"no rewards", 0, nan, good, -1, 3},
		{"one reward strictly between", 1, 0, good, -1, 3},
		{"NaN mean", 5, nan, good, nan, nan},
		{"mean above the range", 5, 3.5, good, nan, nan},
		{"mean below the range", 5, -1.5, good, nan, nan},
		{"empty range", 5, .5, Sequence{1, 1, 3, -3}, nan, nan},
		{"no arms", 5, .5, Sequence{0, 1, 0, -3}, nan, nan},
		{"level above 1", 5, .5, Sequence{0, 1, 3, .1}, nan, nan},
	} {
		if lo, hi := BetaBinomialSequence(r.n, r.mean, r.s); !near(lo, r.lo, 0) || !near(hi, r.hi, 0) {
			t.Errorf("%s: [%g, %g]", r.name, lo, hi)
		}
	}
	for _, x := range []float64{
		tail.LogBetaRatio(0, 1, 1, 1), tail.LogBetaRatio(1, 0, 1, 1), tail.LogBetaRatio(1, 1, -1, 1),
		tail.LogBetaRatio(1, 1, 1, -1), tail.LogBetaRatio(nan, 1, 1, 1),
	} {
		if !math.IsNaN(x) {
			t.Errorf("ln M of arguments that have none is %g", x)
		}
	}
}

// The interval holds the mean of the rewards, what is outside of it is rejected, it is
// mirrored where rewards are, it goes with the range, and it is wider for more arms.
func TestBetaBinomialProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1_000_000).Draw(t, "rewards")
		mean := rapid.Float64Range(0, 1).Draw(t, "mean")
		s := Sequence{0, 1, rapid.IntRange(1, 50).Draw(t, "arms"), -rapid.Float64Range(.1, 30).Draw(t, "minus ln alpha")}
		lo, hi := BetaBinomialSequence(n, mean, s)
		if !(lo >= 0 && lo <= mean && mean <= hi && hi <= 1) {
			t.Fatalf("[%g, %g] around %g", lo, hi, mean)
		}
		of, level := successes{float64(n), mean}, math.Log(float64(s.K))-s.LogAlpha
		out := rapid.Float64Range(0, 1).Draw(t, "value")
		if v := of.logMixture(out, betaBinomialSizes()); (out < lo || out > hi) && v < level {
			t.Fatalf("%g is out of [%g, %g] and kept: %g < %g", out, lo, hi, v, level)
		}
		if mlo, mhi := BetaBinomialSequence(n, 1-mean, s); math.Abs(mlo-(1-hi)) > 1e-9 || math.Abs(mhi-(1-lo)) > 1e-9 {
			t.Fatalf("mirrored: [%g, %g] and [%g, %g]", lo, hi, mlo, mhi)
		}
		wide := Sequence{-2, 6, s.K, s.LogAlpha}
		if wlo, whi := BetaBinomialSequence(n, -2+8*mean, wide); math.Abs(wlo-(-2+8*lo)) > 1e-8 || math.Abs(whi-(-2+8*hi)) > 1e-8 {
			t.Fatalf("on [−2, 6]: [%g, %g]", wlo, whi)
		}
		s.K++
		if mlo, mhi := BetaBinomialSequence(n, mean, s); mlo > lo || mhi < hi {
			t.Fatalf("with one arm more [%g, %g] is not around [%g, %g]", mlo, mhi, lo, hi)
		}
	})
}

// At the true mean M has expectation 1 for rewards of 0 and 1, by all sequences of ten,
// and at most 1 for others.
func TestBetaBinomialExpectation(t *testing.T) {
	const n = 10
	for _, p := range []float64{.02, .3, .5, .9} {
		sum, between := 0.0, 0.0
		for path := range 1 << n {
			chance, ones := 1.0, 0.0
			for i := range n {
				if path>>i&1 == 1 {
					chance *= p
					ones++
				} else {
					chance *= 1 - p
				}
			}
			sum += chance * math.Exp(successes{n, ones / n}.logMixture(p, betaBinomialSizes()))
			// rewards of ¼ and ¾ in place of 0 and 1, of mean ¼ + p/2
			between += chance * math.Exp(successes{n, (n*.25 + .5*ones) / n}.logMixture(.25+p/2, betaBinomialSizes()))
		}
		if math.Abs(sum-1) > 1e-12 || between > 1 {
			t.Errorf("p = %g: expectation %.15g, of rewards between %.15g", p, sum, between)
		}
	}
}

// Under UCB1 with equal arms of one mean some interval misses at some time in at most α
// of logs; in 400 logs at .05, 36 or more have probability 6·10⁻⁴.
func TestBetaBinomialLevel(t *testing.T) {
	const logs, rounds, k = 400, 500, 3
	rng := rand.New(rand.NewPCG(22, 2))
	missed := 0
	for range logs {
		var n, sum [k]float64
		miss := false
		for t := 1; t <= rounds; t++ {
			arm, best := 0, math.Inf(-1)
			for i := range k {
				index := math.Inf(1)
				if n[i] > 0 {
					index = sum[i]/n[i] + math.Sqrt(.5*math.Log(float64(t))/n[i])
				}
				if index > best {
					arm, best = i, index
				}
			}
			n[arm]++
			if rng.Float64() < .3 {
				sum[arm]++
			}
			miss = miss || successes{n[arm], sum[arm] / n[arm]}.logMixture(.3, betaBinomialSizes()) >= math.Log(k/.05)
		}
		if miss {
			missed++
		}
	}
	if missed >= 36 || missed == 0 {
		t.Errorf("missed at some time in %d of %d logs", missed, logs)
	}
}
