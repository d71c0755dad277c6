package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/replay/policy/bitexact"
)

// trained returns LinTS of k arms in d dimensions after n rows, and a state with
// a context.
func trained(k, d, n int, byArm bool, src rand.Source) (*LinTS, *State) {
	rng := rand.New(rand.NewPCG(8, 9))
	l, s := NewLinTS(k, LinTSSpec{Lambda: 1, NoiseSD: 0.5}, src), linearState(k, d)
	l.Size(d)
	for i := range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		give(l, s, i*i%k, rng.Float64(), x...)
	}
	if byArm {
		s.X, s.XByArm = nil, make([]float64, k*d)
	}
	for _, x := range [][]float64{s.X, s.XByArm} {
		for j := range x {
			x[j] = rng.NormFloat64()
		}
	}
	return l, s
}

// The arms of TestLinUCBIndexForReading: ⟨θ̃,x⟩ = 0.6 with ‖x‖² = 1.4, and an arm
// without rows, 0 with ‖x‖² = 5. So the difference of the two has mean 0.6 and
// variance R²·6.4, and with R = ½
//
//	P(arm 0) = Φ(0.6/√1.6)
func TestLinTSPropensityForReading(t *testing.T) {
	l, s := NewLinTS(2, LinTSSpec{Lambda: 1, NoiseSD: 0.5}, nil), linearState(2, 2)
	l.Size(2)
	give(l, s, 0, 1, 1, 0)
	give(l, s, 0, 0, 1, 1)
	s.X = []float64{2, 1}
	p := make([]float64, 2)
	l.Propensities(s, p)
	if want := distuv.UnitNormal.CDF(0.6 / math.Sqrt(1.6)); math.Abs(p[0]-want) > 1e-9 || math.Abs(p[0]+p[1]-1) > 1e-12 {
		t.Errorf("propensities %v, want %v first", p, want)
	}
}

// Eligible arms take d normal numbers each, in index order, and their values
// are those of θ = θ̃ + R·C'⁻¹g, C Cholesky's lower factor of V.
func TestLinTSDrawsInOrder(t *testing.T) {
	const k, d = 4, 3
	for _, byArm := range []bool{false, true} {
		l, s := trained(k, d, 30, byArm, rand.NewPCG(1, 2))
		s.Eligible = []bool{true, false, true, true}
		twin := rand.NewPCG(1, 2)
		for range 3 {
			arm := l.Select(s)
			best := 0
			for i := range k {
				if !s.CanPlay(i) {
					continue
				}
				a, theta := &l.arms[i], make([]float64, d)
				for j := range theta {
					theta[j] = bitexact.Normal(twin) * math.Sqrt(inverse(a.factor, j))
				}
				for j := d - 1; j >= 0; j-- { // solves L'θ = D^−½g
					for m := j + 1; m < d; m++ {
						theta[j] -= a.factor[packed(m)+j] * theta[m]
					}
				}
				want := 0.0
				for j, x := range l.Feature(s, i) {
					want += (a.theta[j] + 0.5*theta[j]) * x
				}
				if math.Abs(l.value[i]-want) > 1e-14 {
					t.Errorf("arm %d: value %v, want %v", i, l.value[i], want)
				}
				if l.value[i] > l.value[best] {
					best = i
				}
			}
			if arm != best || l.value[1] != 0 {
				t.Errorf("arm %d is played, the largest is %d; an arm that is not eligible has %v", arm, best, l.value[1])
			}
		}
		if l.src.Uint64() != twin.Uint64() {
			t.Error("an arm that is not eligible took from the stream")
		}
	}
}

// Frequencies of 200,000 choices are those of the propensities: a chi-square
// test at level 10⁻⁶, with fixed seeds.
func TestLinTSFrequencies(t *testing.T) {
	const k, d, n = 4, 3, 200_000
	for _, byArm := range []bool{false, true} {
		l, s := trained(k, d, 60, byArm, rand.NewPCG(3, 4))
		p, count := make([]float64, k), make([]float64, k)
		l.Propensities(s, p)
		for range n {
			count[l.Select(s)]++
		}
		chi := 0.0
		for i, c := range count {
			chi += (c - n*p[i]) * (c - n*p[i]) / (n * p[i])
		}
		if q := (distuv.ChiSquared{K: k - 1}).Survival(chi); q < 1e-6 {
			t.Errorf("by arm %v: counts %v, propensities %v, χ² = %v", byArm, count, p, chi)
		}
		for _, v := range p {
			if v < 0.01 {
				t.Errorf("by arm %v: propensities %v leave cells too small for the test", byArm, p)
			}
		}
	}
}

// Without a context to tell arms apart every value is 0, and the first eligible
// arm is played for certain.
func TestLinTSWithoutDirection(t *testing.T) {
	l, s := trained(3, 2, 10, false, rand.NewPCG(1, 2))
	s.X, s.Eligible = []float64{0, 0}, []bool{false, true, true}
	p := make([]float64, 3)
	l.Propensities(s, p)
	if arm := l.Select(s); arm != 1 || cmp.Diff([]float64{0, 1, 0}, p) != "" {
		t.Errorf("arm %d, propensities %v", arm, p)
	}
	if !l.Random() || !l.ReadsRewards() {
		t.Error("lints draws, and reads rewards")
	}
}
