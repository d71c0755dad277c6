package tail

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

func agree(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Max(1, math.Abs(want)) && math.Abs(got-want) <= 1e-9*math.Abs(want)
}

// Arbitrary precision (testdata/reference/fisher.py).
func TestHypergeometricExact(t *testing.T) {
	for _, r := range reference.Rows(t, "fisher.csv", "atleast") {
		k, d := int64(r[0]), Draw{White: int64(r[1]), Black: int64(r[2]), Size: int64(r[3])}
		if got := LogHypergeometricAtLeast(k, d); !agree(got, r[4], 2e-12) {
			t.Errorf("ln P(X ≥ %d), %+v: %.17g, want %.17g", k, d, got, r[4])
		}
	}
}

// R 4.2.2 phyper (testdata/reference/fisher.R).
func TestHypergeometricR(t *testing.T) {
	for _, r := range reference.Rows(t, "fisher_r.csv", "phyper") {
		k, d := int64(r[0]), Draw{White: int64(r[1]), Black: int64(r[2]), Size: int64(r[3])}
		for i, got := range []float64{LogHypergeometricAtLeast(k, d), LogHypergeometricAtMost(k, d)} {
			if math.Abs(got-r[4+i]) > 1e-11*math.Max(1, math.Abs(r[4+i])) {
				t.Errorf("k = %d, %+v: %.17g, want %.17g", k, d, got, r[4+i])
			}
		}
	}
}

// Every draw of small urns, by whole numbers.
func TestHypergeometricEnumerated(t *testing.T) {
	for white := range 9 {
		for black := range 9 {
			for size := range white + black + 1 {
				d := Draw{White: int64(white), Black: int64(black), Size: int64(size)}
				all, above := choose(white+black, size), 0.0
				for k := size + 1; k >= -1; k-- {
					if k >= 0 {
						above += choose(white, k) * choose(black, size-k)
					}
					got := LogHypergeometricAtLeast(int64(k), d)
					below := all - above
					if math.Abs(math.Exp(got)-above/all) > 1e-13 {
						t.Fatalf("P(X ≥ %d), %+v: %g, want %g", k, d, math.Exp(got), above/all)
					}
					if got = LogHypergeometricAtMost(int64(k-1), d); math.Abs(math.Exp(got)-below/all) > 1e-13 {
						t.Fatalf("P(X ≤ %d), %+v: %g, want %g", k-1, d, math.Exp(got), below/all)
					}
				}
			}
		}
	}
}

func choose(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return math.Round(c)
}

func TestHypergeometricSpecial(t *testing.T) {
	for _, d := range []Draw{{-1, 2, 1}, {2, -1, 1}, {2, 2, -1}, {2, 2, 5}} {
		if got := LogHypergeometricAtLeast(1, d); !math.IsNaN(got) {
			t.Errorf("%+v: %g, want NaN", d, got)
		}
	}
}
