package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func oful() LinUCBSpec { return LinUCBSpec{Lambda: 1, NoiseSD: 0.5, ThetaBound: 1, Delta: 0.05} }

// constant is a bonus that is the same for every number of rows.
type constant float64

func (c constant) Gamma(int64) float64 { return float64(c) }

// Two arms, two dimensions, λ = 1. Arm 0 earned 1 in (1,0) and 0 in (1,1), so
//
//	V = (3 1; 1 2),  V⁻¹ = (2 −1; −1 3)/5,  det V = 5,  θ̃ = V⁻¹(1,0) = (0.4, −0.2)
//
// and in x = (2,1): ⟨θ̃,x⟩ = 0.6, ‖x‖²_{V⁻¹} = (8 − 4 + 3)/5 = 1.4. Arm 1 has no
// rows: mean 0 and ‖x‖² = 5. With R = ½, S = 1, δ = 0.05, K = 2:
//
//	β = ½·√(ln det V + 2·ln(4/0.05)) + 1
func TestLinUCBIndexForReading(t *testing.T) {
	for _, gamma := range []float64{0, 0.3} {
		var noise func(int) Bonus
		if gamma > 0 {
			noise = func(int) Bonus { return constant(gamma) }
		}
		l, s := NewLinUCB(2, oful(), noise, nil), linearState(2, 2)
		l.Size(2)
		give(l, s, 0, 1, 1, 0)
		give(l, s, 0, 0, 1, 1)
		s.X = []float64{2, 1}
		l.Select(s)
		beta := func(lnDet float64) float64 { return 0.5*math.Sqrt(lnDet+2*math.Log(80)) + 1 }
		want := []float64{
			0.6 + (beta(math.Log(5))+math.Sqrt2*gamma)*math.Sqrt(1.4), // s = √d·Γ, √λ = 1
			(beta(0) + math.Sqrt2*gamma) * math.Sqrt(5),               // the allowance of one row, before there is one
		}
		for i := range want {
			if math.Abs(l.index[i]-want[i]) > 1e-14 {
				t.Errorf("Γ = %v, arm %d: index %v, want %v", gamma, i, l.index[i], want[i])
			}
		}
	}
}

// With λ ≠ 1 the allowance for noise is divided by √λ, not by λ, and shrinks
// with ‖x‖_{V⁻¹}: d = 1, λ = 4, n rows of x = 1.
func TestLinUCBAllowance(t *testing.T) {
	spec := oful()
	spec.Lambda = 4
	for n := 1; n <= 100; n *= 10 {
		quiet, s := NewLinUCB(1, spec, nil, nil), linearState(1, 1)
		noisy := NewLinUCB(1, spec, func(int) Bonus { return constant(3) }, nil)
		quiet.Size(1)
		noisy.Size(1)
		for range n {
			noisy.Learn(0, []float64{1}, s.Pulls[0]+1)
			give(quiet, s, 0, 0.5, 1)
			noisy.Observe(s, 0)
		}
		s.X = []float64{1}
		quiet.Select(s)
		noisy.Select(s)
		want := 3 / math.Sqrt(4) / math.Sqrt(4+float64(n))
		if got := noisy.index[0] - quiet.index[0]; math.Abs(got-want) > 1e-14 {
			t.Errorf("%d rows: allowance %v, want %v", n, got, want)
		}
	}
}

func TestLinUCBTies(t *testing.T) {
	s := linearState(3, 1)
	s.X = []float64{1}
	first := NewLinUCB(3, oful(), nil, nil)
	first.Size(1)
	p := make([]float64, 3)
	first.Propensities(s, p)
	if first.Select(s) != 0 || first.Random() || cmp.Diff([]float64{1, 0, 0}, p) != "" {
		t.Errorf("of three arms without rows the first is played: %v", p)
	}
	src := &script{words: []uint64{0, 1 << 63, 1<<64 - 1, 0, 1 << 63}}
	seeded := NewLinUCB(3, oful(), nil, src)
	seeded.Size(1)
	for _, want := range []int{0, 1, 2} {
		if got := seeded.Select(s); got != want {
			t.Errorf("arm %d, want %d", got, want)
		}
	}
	s.Eligible = []bool{true, false, true}
	for _, want := range []int{0, 2} {
		if got := seeded.Select(s); got != want {
			t.Errorf("arm %d, want %d", got, want)
		}
	}
	seeded.Propensities(s, p)
	if !seeded.Random() || cmp.Diff([]float64{0.5, 0, 0.5}, p) != "" {
		t.Errorf("seeded ties of two eligible arms: %v", p)
	}
}

// The arm with the largest index among the eligible ones is played, with
// contexts that are shared or the arms' own.
func TestLinUCBPlaysTheBestEligibleArm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, d := rapid.IntRange(1, 5).Draw(t, "K"), rapid.IntRange(1, 6).Draw(t, "d")
		byArm := rapid.Bool().Draw(t, "by arm")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		l, s := NewLinUCB(k, oful(), nil, nil), linearState(k, d)
		l.Size(d)
		if byArm {
			s.X, s.XByArm = nil, make([]float64, k*d)
		}
		p := make([]float64, k)
		for range 20 {
			for _, x := range [][]float64{s.X, s.XByArm} {
				for j := range x {
					x[j] = rng.NormFloat64()
				}
			}
			s.Eligible = make([]bool, k)
			for i := range s.Eligible {
				s.Eligible[i] = rng.IntN(2) == 0
			}
			s.Eligible[rng.IntN(k)] = true
			arm := l.Select(s)
			for i, v := range l.index {
				if s.CanPlay(i) && v > l.index[arm] {
					t.Fatalf("arm %d with index %v, arm %d has %v", arm, l.index[arm], i, v)
				}
			}
			l.Propensities(s, p)
			if !s.CanPlay(arm) || p[arm] != 1 {
				t.Fatalf("arm %d, eligible %v, propensities %v", arm, s.Eligible, p)
			}
			want := s.X
			if byArm {
				want = s.XByArm[arm*d : arm*d+d]
			}
			x := l.Feature(s, arm)
			if diff := cmp.Diff(want, x); diff != "" {
				t.Fatalf("the feature is not the arm's context:\n%s", diff)
			}
			give(l, s, arm, rng.Float64(), x...)
			s.Round++
		}
	})
}
