package convex

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBelowAParabola(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-2, 2).Draw(t, "at")
		level := rapid.Float64Range(.01, 4).Draw(t, "level")
		f := func(x float64) float64 { return (x - at) * (x - at) }
		found, _ := Least(-1, 1, f)
		if want := min(max(at, -1), 1); math.Abs(found-want) > 1e-7 {
			t.Fatalf("least at %g, want %g", found, want)
		}
		lo, hi, ok := Below(-1, 1, level, f)
		wantLo, wantHi := max(-1, at-math.Sqrt(level)), min(1, at+math.Sqrt(level))
		switch {
		case wantLo >= wantHi && ok:
			t.Fatalf("[%g, %g], want nothing", lo, hi)
		case wantLo < wantHi-1e-9 && (!ok || lo > wantLo || hi < wantHi || wantLo-lo > 2*Outward || hi-wantHi > 2*Outward):
			t.Fatalf("[%g, %g] %t, want [%g, %g]", lo, hi, ok, wantLo, wantHi)
		}
	})
}
