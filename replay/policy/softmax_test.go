package policy

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Python 3.11, mpmath 1.3.0, 40 digits: exp(eta*S_i)/sum(exp(eta*S_j)), printed
// as the nearest double.
func TestSoftmaxVectors(t *testing.T) {
	for _, tt := range []struct {
		eta  float64
		sums []float64
		want []float64
	}{
		{0.3, []float64{2, 4, 6.5}, []float64{0.14971081116205304, 0.2727908836400901, 0.5774983051978569}},
		{1.5, []float64{-3.25, 0, 10, 9.5}, []float64{1.5862847098083138e-09, 2.0776229661841303e-07, 0.6791785569902958, 0.32082123366112286}},
		{0.01, []float64{12345.5, 12300.25}, []float64{0.6112334666758695, 0.3887665333241305}},
		{2, []float64{0, 1000}, []float64{0, 1}},
		{math.MaxFloat64, []float64{3, 3, -1e300}, []float64{0.5, 0.5, 0}},
	} {
		k := len(tt.sums)
		p, got := NewSoftmax(k, tt.eta, nil), make([]float64, k)
		s := NewState(k)
		s.Sums = tt.sums
		p.Propensities(s, got)
		for i, want := range tt.want {
			if !(math.Abs(got[i]-want) <= 4e-16*want) {
				t.Errorf("η = %v, sums %v: propensities %v, want %v", tt.eta, tt.sums, got, tt.want)
			}
		}
	}
	if p := NewSoftmax(1, 1, nil); !p.Random() || !p.ReadsRewards() {
		t.Error("softmax is random and reads rewards")
	}
}

// Weights that were kept are those that would be computed: through rounds with
// and without eligible arms, and releases in between, a policy that has seen
// everything has the propensities of one that begins now.
func TestSoftmaxKeepsNothingStale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "k")
		old := NewSoftmax(k, 0.7, nil)
		s := NewState(k)
		got, want := make([]float64, k), make([]float64, k)
		for range 12 {
			next := drawState(t, k, true)
			arm := rapid.IntRange(0, k-1).Draw(t, "arm")
			s.Eligible, s.Pulls[arm], s.Sums[arm] = next.Eligible, next.Pulls[arm], next.Sums[arm]
			old.Observe(s, arm)
			for range 2 {
				old.Propensities(s, got)
				told(NewSoftmax(k, 0.7, nil), s).Propensities(s, want)
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("propensities %v, and %v from a policy that begins now", got, want)
					}
				}
				s.Eligible = nil
			}
		}
	})
}

func TestSoftmaxFollowsItsScript(t *testing.T) {
	s := NewState(3)
	s.Sums = []float64{0, math.Ln2, math.Ln2} // 1/5, 2/5, 2/5 at η = 1
	src := &script{words: []uint64{0, 1 << 61, 1 << 62, 1 << 63, 3 << 62, math.MaxUint64}}
	p := NewSoftmax(3, 1, src)
	for i, want := range []int{0, 0, 1, 1, 2, 2} { // u = 0, 1/8, 1/4, 1/2, 3/4, 1 − 2⁻⁵³
		if got := p.Select(s); got != want || src.next != i+1 {
			t.Errorf("word %d: arm %d after %d words, want %d", i, got, src.next, want)
		}
	}
}
