package noise

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// The share that coinsFind gives is found with probability 0.8: by sums of the binomial law.
func TestCoinsFind(t *testing.T) {
	if got := coinsFind(12, Share, fairCoins); got != "" {
		t.Errorf("twelve signs alike have p %g, above the level: %q", fairCoins(12, 12), got)
	}
	for _, n := range []int{14, 40, 300} {
		share := number(t, coinsFind(n, Share, fairCoins)) / 100
		if got := rejects(n, share); math.Abs(got-found80) > 0.02 {
			t.Errorf("%d signs, share %g: rejected with probability %g", n, share, got)
		}
	}
}

// rejects is the probability that signTest rejects n signs of which each is positive with
// probability share, on the side of the positive ones.
func rejects(n int, share float64) float64 {
	var sum float64
	for x := n/2 + 1; x <= n; x++ {
		if fairCoins(x, n) > Share {
			continue
		}
		all, _ := math.Lgamma(float64(n + 1))
		a, _ := math.Lgamma(float64(x + 1))
		b, _ := math.Lgamma(float64(n - x + 1))
		sum += math.Exp(all - a - b + float64(x)*math.Log(share) + float64(n-x)*math.Log1p(-share))
	}
	return sum
}

// A distance that distanceFinds gives is rejected, by the law that kolmogorov sums.
func TestDistanceFinds(t *testing.T) {
	for _, n := range []int{10, 100, 2000} {
		d := number(t, distanceFinds(n, Share))
		if p := kolmogorov(d*1.01, n); p > Share {
			t.Errorf("%d variables at distance %g: p %g", n, d, p)
		}
	}
	if got := distanceFinds(2, Share); got != "" {
		t.Errorf("two variables show %q", got)
	}
}

// The factor that halvesFind gives is found with probability 0.8: by the beta law whose
// odds it divides.
func TestHalvesFind(t *testing.T) {
	for _, m := range []float64{12, 50, 900} {
		f := number(t, halvesFind(m, m, Share))
		low := mathext.InvRegIncBeta(m, m, Share/2)
		odds := f * low / (1 - low)
		if got := mathext.RegIncBeta(m, m, odds/(1+odds)); math.Abs(got-found80) > 0.02 {
			t.Errorf("%g draws in each half, factor %g: %g", m, f, got)
		}
	}
}

// Products of the share that productsFind gives are rejected, and fewer are not.
func TestProductsFind(t *testing.T) {
	const n = 400
	share := number(t, productsFind(n/9., n/81., Share)) / 100
	for _, c := range []struct {
		share    float64
		rejected bool
	}{{share + 0.002, true}, {share - 0.002, false}} {
		if got := fairSigns((2*c.share-1)*n/9, n/81.) <= Share; got != c.rejected {
			t.Errorf("%.4g of products: rejected %v", c.share, got)
		}
	}
}

// number is the first number of words.
func number(t *testing.T, words string) float64 {
	t.Helper()
	for w := range strings.FieldsSeq(words) {
		if x, err := strconv.ParseFloat(w, 64); err == nil {
			return x
		}
	}
	t.Fatalf("%q has no number", words)
	return 0
}

// Every test of a log says how much it had to go by, and of a few draws that it could have
// found nothing.
func TestFewDrawsFindNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{3, 2000} {
		var draws []Draw
		for i := range n {
			sign := float64(2*(i%2) - 1)
			draws = append(draws, Draw{Stream: Stream{Arm: i % 2}, Row: int64(i/2 + 1), Rows: int64(i/2 + 1), Scale: 1, Count: 1, Value: sign * r.ExpFloat64()})
		}
		for _, test := range Fit(Input{Draws: draws}).Tests {
			if test.Finds == "" || strings.HasSuffix(test.Finds, none) != (n == 3 && test.Name != "scale" && test.Name != "growth") {
				t.Errorf("%d draws, %s: %q", n, test.Name, test.Finds)
			}
		}
	}
}
