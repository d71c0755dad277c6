package allocationtest

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func weigh(t *testing.T, arms int, p ...float64) *Weights {
	t.Helper()
	w := NewWeights(arms)
	if err := w.Add(make([]int32, len(p)), p, nil); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWeightsByHand(t *testing.T) {
	// w = 2, 4, 2, 5: Σ = 13, Σw² = 49.
	got := weigh(t, 4, 0.5, 0.25, 0.5, 0.2).Result()
	want := WeightsResult{Rows: 4, ESS: 169.0 / 49, Largest: 5, MeanInverse: 13.0 / 4, Uniform: 1, UniformAt: []int64{1}, Distinct: 3, Decimals: 2}
	if !near(got.ESS, want.ESS, 1e-15) {
		t.Errorf("ESS %g, want %g", got.ESS, want.ESS)
	}
	got.ESS = want.ESS
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWeightsSpecial(t *testing.T) {
	r := NewWeights(2).Result()
	if r.Rows != 0 || !math.IsNaN(r.ESS) || !math.IsNaN(r.Largest) || !math.IsNaN(r.MeanInverse) || r.Distinct != 0 {
		t.Errorf("no rows: %+v", r)
	}
	w := NewWeights(2)
	if err := w.Add([]int32{-1, 0}, []float64{math.NaN(), 1}, nil); err != nil || w.Result().Rows != 1 {
		t.Errorf("a row with a negative arm must be skipped: %v, %+v", err, w.Result())
	}
	if err := w.Add([]int32{0}, []float64{0}, nil); err == nil || w.Result().Rows != 1 {
		t.Errorf("propensity 0 must be refused: %v", err)
	}
}

func TestWeightsDecimals(t *testing.T) {
	for _, r := range []struct {
		p    float64
		want int
	}{
		{1, 0},
		{0.5, 1},
		{0.125, 3},
		{0.07, 2},
		{0.001015, 6},
		{0.5981449999999999, 6},     // an average of six-decimal numbers, one ulp off
		{0.00037999999999999997, 5}, // likewise
		{0.123456789012, 12},
		{0.1234567890123, 13},
		{1.0 / 3, 13},
		{math.Pi / 4, 13},
	} {
		if got := weigh(t, 3, r.p).Result().Decimals; got != r.want {
			t.Errorf("%v has %d decimals, want %d", r.p, got, r.want)
		}
	}
	if got := weigh(t, 3, 0.5, 0.07, 1).Result().Decimals; got != 2 {
		t.Errorf("the most decimals count, got %d", got)
	}
}

func TestWeightsDistinct(t *testing.T) {
	several := make([]float64, distinctCap)
	for i := range several {
		several[i] = 1 / float64(i+1)
	}
	if r := weigh(t, 2, several...).Result(); r.Distinct != distinctCap || r.Capped {
		t.Errorf("at the cap: %d, %v", r.Distinct, r.Capped)
	}
	full := weigh(t, 2, slices.Concat(several, []float64{0.7})...)
	if r := full.Result(); r.Distinct != distinctCap+1 || !r.Capped {
		t.Errorf("above the cap: %d, %v", r.Distinct, r.Capped)
	}
	// However rows are split and merged, the count is the same.
	for _, cut := range []int{1, 500, 999} {
		a, b := weigh(t, 2, several[:cut]...), weigh(t, 2, several[cut-1:]...)
		a.Merge(b)
		if r := a.Result(); r.Distinct != distinctCap || r.Rows != distinctCap+1 {
			t.Errorf("cut at %d: %+v", cut, r)
		}
		a.Merge(full)
		if r := a.Result(); !r.Capped || r.Decimals != 13 {
			t.Errorf("merged with a full one: %+v", r)
		}
	}
	defer func() {
		if recover() != BadLength {
			t.Error("merging other arms must panic")
		}
	}()
	full.Merge(NewWeights(3))
}
