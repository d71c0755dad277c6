package policy

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas/param"
	"banditaudit/testdata/reference"
)

// played returns the propensities of a policy that has been told of all arms.
func played(p Policy, s *State) []float64 {
	out := make([]float64, len(s.Pulls))
	told(p, s).Propensities(s, out)
	return out
}

// Reference: top_two.py, by the integral of the second largest itself, densities of 30
// digits on panels of 40 points, and exactly for laws of whole numbers.
func TestBestTwo(t *testing.T) {
	for _, row := range slices.Concat(reference.Rows(t, "top_two.csv", "beta"), reference.Rows(t, "top_two.csv", "whole")) {
		k := int(row[0])
		a, b, want := row[1:1+k], row[1+k:1+2*k], row[1+2*k:]
		p := NewBetaThompson(k, BetaPrior{1, 1}, nil)
		p.rule.top, p.a, p.b = true, a, b
		got := make([]float64, k)
		p.Propensities(NewState(k), got)
		if !(farthest(got, want) < 1e-9) {
			t.Errorf("alphas %v, betas %v: off by %g\ngot  %v\nwant %v", a, b, farthest(got, want), got, want)
		}
	}
	for _, row := range reference.Rows(t, "top_two.csv", "gaussian") {
		k := int(row[0])
		mean, sd, want := row[1:1+k], row[1+k:1+2*k], row[1+2*k:]
		p := NewGaussianThompson(k, GaussianPrior{Variance: 1, Noise: 1}, nil)
		p.rule.top, p.mean, p.sd = true, mean, sd
		got := make([]float64, k)
		p.Propensities(NewState(k), got)
		if !(farthest(got, want) < 1e-9) {
			t.Errorf("means %v, sds %v: off by %g\ngot  %v\nwant %v", mean, sd, farthest(got, want), got, want)
		}
	}
}

// No arm of the best two has more than ½, two arms have ½ each, and one alone has all;
// where an arm is better for certain, the others share the second place as they would alone.
func TestBestTwoProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 6).Draw(t, "k")
		s := drawState(t, k, true)
		p := NewBetaThompson(k, BetaPrior{0.5, 2}, nil)
		p.rule.top = true
		m, sum := eligible(s), 0.0
		for i, v := range played(p, s) {
			sum += v
			switch {
			case !s.CanPlay(i) && v != 0, m > 1 && v > 0.5+1e-9, m == 1 && s.CanPlay(i) && v != 1, m == 2 && s.CanPlay(i) && math.Abs(v-0.5) > 1e-9:
				t.Fatalf("arm %d of %d has %v", i, m, v)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("they add up to %v", sum)
		}
	})
}

// Before every arm has min_rows rows the posteriors are the prior, and then they are those of
// a policy without it.
func TestMinRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 5).Draw(t, "k")
		s := drawState(t, k, true)
		least := rapid.Int64Range(1, 3).Draw(t, "rows")
		p := NewBetaThompson(k, BetaPrior{0.5, 2}, nil)
		p.rule.minRows = least
		want := played(NewBetaThompson(k, BetaPrior{0.5, 2}, nil), s)
		for i := range s.Pulls {
			if s.Pulls[i] < least {
				want = played(NewBetaThompson(k, BetaPrior{0.5, 2}, nil), &State{Pulls: make([]int64, k), Sums: make([]float64, k), Eligible: s.Eligible})
			}
		}
		if got := played(p, s); farthest(got, want) > 0 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// A sample variance of a sample that scatters is as a known one of that size; of one row, and
// of rows that are equal, the prior stays.
func TestSampleVariance(t *testing.T) {
	s := &State{Pulls: []int64{10, 1, 7, 0}, Sums: []float64{4, 1, 7, 0}, Spreads: []float64{2.4, 0, 0, 0}}
	p := NewGaussianThompson(4, GaussianPrior{Mean: 0.25, Variance: 2}, nil)
	p.sampled = true
	known := NewGaussianThompson(4, GaussianPrior{Mean: 0.25, Variance: 2, Noise: 2.4 / 9}, nil)
	told(p, s)
	known.Observe(s, 0)
	for i := range s.Pulls {
		if p.mean[i] != known.mean[i] || p.sd[i] != known.sd[i] {
			t.Errorf("arm %d: %v ± %v, want %v ± %v", i, p.mean[i], p.sd[i], known.mean[i], known.sd[i])
		}
	}
}

// How many rows of an arm a cap leaves.
func TestCappedRows(t *testing.T) {
	for _, tt := range []struct {
		cap  any
		want int64
	}{{nil, 0}, {"none", 0}, {200.0, 190}, {10.5, 0}, {11.0, 1}, {11.9, 1}} {
		v := param.Values{priorKey: betaPrior(7, 3)}
		if tt.cap != nil {
			v = v.With(capKey, tt.cap)
		}
		if got := cappedRows(v); got != tt.want {
			t.Errorf("cap %v: %d rows, want %d", tt.cap, got, tt.want)
		}
	}
}
