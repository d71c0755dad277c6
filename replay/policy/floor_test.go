package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestFloorFollowsItsScript(t *testing.T) {
	const half = 1 << 63
	for _, tt := range []struct {
		name     string
		f        float64
		eligible []bool
		words    []uint64
		arm      int
		want     int
	}{
		{"above the floor the policy plays", 0.125, nil, []uint64{half}, 3, 3},
		{"below it the third of four", 0.125, nil, []uint64{half - 1, 0xf2}, 3, 2},
		{"of three eligible arms, cut and rejected", 0.125, []bool{true, false, true, true}, []uint64{3*half/4 - 1, 7, 1}, 0, 2},
		{"three eligible arms explore less", 0.125, []bool{true, false, true, true}, []uint64{3 * half / 4}, 3, 3},
		{"one eligible arm draws one word", 0.125, []bool{false, true, false, false}, []uint64{0}, 1, 1},
		{"all is floor", 0.25, nil, []uint64{math.MaxUint64, 1}, 3, 1},
	} {
		s := NewState(4)
		s.Eligible = tt.eligible
		src := &script{words: tt.words}
		if got := NewFloor(tt.f, src).Play(s, tt.arm, nil); got != tt.want || src.next != len(tt.words) {
			t.Errorf("%s: arm %d after %d words, want %d after %d", tt.name, got, src.next, tt.want, len(tt.words))
		}
	}
}

// With a floor f every eligible arm has at least f, no other has any, and all
// add up to 1 within 10⁻¹².
func TestFloorPropensities(t *testing.T) {
	for _, e := range each() {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := rapid.IntRange(1, 7).Draw(t, "k")
				s := drawState(t, k, true)
				f := rapid.Float64Range(0x1p-60, 1/float64(k)).Draw(t, "floor")
				plain, mixed := make([]float64, k), make([]float64, k)
				p := told(e.make(k, seeded(e)), s)
				p.Propensities(s, plain)
				p.Propensities(s, mixed)
				NewFloor(f, nil).Propensities(s, mixed)
				sum := 0.0
				for i, v := range mixed {
					sum += v
					want := f + (1-float64(eligible(s))*f)*plain[i]
					if !s.CanPlay(i) {
						want = 0
					} else if v < f {
						t.Fatalf("arm %d has propensity %v below the floor %v", i, v, f)
					}
					if math.Abs(v-want) > 1e-15 {
						t.Fatalf("arm %d of propensity %v has %v with the floor %v, want %v", i, plain[i], v, f, want)
					}
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("with the floor %v propensities %v add up to %v", f, mixed, sum)
				}
			})
		})
	}
}

// As TestFrequenciesEqualPropensities, through a floor.
func TestFrequenciesEqualPropensitiesOverAFloor(t *testing.T) {
	for _, e := range each() {
		for i, s := range states() {
			p := told(e.make(len(s.Pulls), seeded(e)), s)
			floor := NewFloor(0.07, rand.NewPCG(5, 6))
			probs, counts := make([]float64, len(s.Pulls)), make([]float64, len(s.Pulls))
			p.Propensities(s, probs)
			floor.Propensities(s, probs)
			const n = 20_000
			for range n {
				counts[floor.Play(s, p.Select(s), p)]++
			}
			if level := fit(probs, counts, n); level < chance {
				t.Errorf("%s, state %d: counts %v with propensities %v, p-value %v", e.name, i, counts, probs, level)
			}
		}
	}
}
