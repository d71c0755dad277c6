package hypothesis

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

var adjustments = map[string]func([]float64) []float64{
	"bonferroni": Bonferroni, "holm": Holm, "by": BenjaminiYekutieli, "bh": BenjaminiHochberg,
}

// R 4.2.2 p.adjust (testdata/reference/hypothesis.R and hypothesis2.R).
func TestAdjustR(t *testing.T) {
	for name, adjust := range adjustments {
		file := "hypothesis_r.csv"
		if name == "bh" {
			file = "hypothesis2_r.csv"
		}
		r := reference.Rows(t, file, name)[0]
		half := len(r) / 2
		logP := make([]float64, half)
		for i, p := range r[:half] {
			logP[i] = math.Log(p)
		}
		for i, got := range adjust(logP) {
			if !near(math.Exp(got), r[half+i], 1e-12) {
				t.Errorf("%s: %g became %.15g, want %.15g", name, r[i], math.Exp(got), r[half+i])
			}
		}
	}
}

func TestAdjustSpecial(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, adjust := range adjustments {
		if got := adjust(nil); len(got) != 0 {
			t.Errorf("%s: an empty family gave %v", name, got)
		}
		if got := adjust([]float64{-7}); got[0] != -7 {
			t.Errorf("%s: a family of one gave %v", name, got)
		}
		got := adjust([]float64{nan, -5000, -inf, nan})
		if !math.IsNaN(got[0]) || !math.IsNaN(got[3]) || got[2] != -inf || !(got[1] > -5000 && got[1] < -4995) {
			t.Errorf("%s: %v", name, got)
		}
	}
	// A member without a p-value counts: 4 members, so the smallest is times 4.
	if got := Holm([]float64{nan, -10, -3, nan}); !near(got[1], -10+math.Log(4), 1e-15) || !near(got[2], -3+math.Log(3), 1e-15) {
		t.Errorf("%v", got)
	}
}

// Every adjustment ignores the order of the family, never lowers a p-value,
// keeps their order, and is monotone in each of them.
func TestAdjustProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logP := rapid.SliceOfN(rapid.Float64Range(-800, 0), 1, 12).Draw(t, "ln p")
		order := rapid.Permutation(indices(len(logP))).Draw(t, "order")
		k := rapid.IntRange(0, len(logP)-1).Draw(t, "member")
		for name, adjust := range adjustments {
			got := adjust(logP)
			shuffled := make([]float64, len(logP))
			for i, j := range order {
				shuffled[i] = logP[j]
			}
			for i, v := range adjust(shuffled) {
				if v != got[order[i]] {
					t.Fatalf("%s depends on the order of the family", name)
				}
			}
			for i := range logP {
				if got[i] < logP[i] || got[i] > 0 {
					t.Fatalf("%s: %g became %g", name, logP[i], got[i])
				}
				for j := range logP {
					if logP[i] < logP[j] && got[i] > got[j] {
						t.Fatalf("%s turned the order of %g and %g", name, logP[i], logP[j])
					}
				}
			}
			lower := slices.Clone(logP)
			lower[k] -= 3
			for i, v := range adjust(lower) {
				if v > got[i] {
					t.Fatalf("%s: a smaller p-value raised another from %g to %g", name, got[i], v)
				}
			}
		}
		holm, bonferroni, bh, by := Holm(logP), Bonferroni(logP), BenjaminiHochberg(logP), BenjaminiYekutieli(logP)
		for i := range holm {
			if holm[i] > bonferroni[i] {
				t.Fatalf("Holm %g exceeds Bonferroni %g", holm[i], bonferroni[i])
			}
			if bh[i] > holm[i] || bh[i] > by[i] {
				t.Fatalf("BH %g exceeds Holm %g or BY %g", bh[i], holm[i], by[i])
			}
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
