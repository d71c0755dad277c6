package tableau

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The screens that look at many values at once agree with the plain question at
// every length and place.
func TestFirstAgreesWithPlain(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, math.Copysign(0, -1), 0, 5e-324, MinPropensity, math.Nextafter(MinPropensity, 0), 0.5, 1, math.Nextafter(1, 2), math.MaxFloat64, math.Float64frombits(1<<63 | 1)}
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		for range 40 {
			v := make([]float64, n)
			for i := range v {
				v[i] = 0.25
				if r.IntN(n+10) == 0 {
					v[i] = odd[r.IntN(len(odd))]
				}
			}
			if got, want := firstNonFinite(v), slices.IndexFunc(v, func(x float64) bool { return !finite(x) }); got != want {
				t.Fatalf("not finite: %d, not %d: %v", got, want, v)
			}
			for _, lo := range []float64{0, MinPropensity} {
				if got, want := firstOutside(v, lo), slices.IndexFunc(v, func(x float64) bool { return !(x >= lo && x <= 1) }); got != want {
					t.Fatalf("outside [%g, 1]: %d, not %d: %v", lo, got, want, v)
				}
			}
		}
	}
}

func TestFirstOfIntegers(t *testing.T) {
	odd := []int32{-1, math.MinInt32, math.MaxInt32, 6, 7, 8}
	for i, x := range odd {
		v := []int32{0, 1, 6, x, 3}
		want := -1
		if x < 0 || x >= 7 {
			want = 3
		}
		if got := firstBeyond(v, 7); got != want {
			t.Errorf("%d beyond 7: %d", x, got)
		}
		if got := firstBeyond(v, math.MaxInt32); (got >= 0) != (x < 0 || x == math.MaxInt32) {
			t.Errorf("%d beyond 2³¹−1: %d", x, got)
		}
		if got := firstOther([]int32{9, 9, x, 9}, 9); got != 2 {
			t.Errorf("%d is not 9: %d (row %d)", x, got, i)
		}
	}
	if firstBeyond(nil, 1) != -1 || firstOther([]int32{5, 5}, 5) != -1 || firstFrom([]int64{0, 4}, 5) != -1 || firstFrom([]int64{0, math.MinInt64}, 5) != 1 {
		t.Error("an integer was told wrongly")
	}
	if at, before := firstJump([]int32{0, 0, 1, math.MinInt32}, 0); at != 3 || before != 1 {
		t.Errorf("jump at %d after %d", at, before)
	}
	if at, before := firstRepeat([]int64{1, 5, math.MinInt64}, 0); at != 2 || before != 5 {
		t.Errorf("repeat at %d after %d", at, before)
	}
}
