package diagnose

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/precision"
)

// The points of a grid that a crossing holds are those at which the function
// lies in the band.
func TestCrossingHoldsWhatLiesWithin(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		from := rapid.Float64Range(-2, 2).Draw(r, "from")
		to := from + rapid.Float64Range(0, 3).Draw(r, "width")
		slope := rapid.SampledFrom([]float64{-3, -1, -0.1, 0, 0.1, 1, 3}).Draw(r, "slope")
		f := func(x float64) float64 { return math.Atan(slope * x) }
		b := span{lo: rapid.Float64Range(-1.5, 1.5).Draw(r, "lo")}
		b.hi = b.lo + rapid.Float64Range(0, 1).Draw(r, "height")
		got := crossing(f, from, to, b)
		const points = 200
		for i := range points + 1 {
			x := from + (to-from)*float64(i)/points
			x = min(to, x)
			in, within := x >= got.lo && x <= got.hi, f(x) >= b.lo && f(x) <= b.hi
			if in != within {
				r.Fatalf("%g: held %v, within %v; %+v of %+v", x, in, within, got, b)
			}
		}
	})
}

// Where most rows agree, as many agree at its ends, and nowhere do more: the
// count is largest at the begin of some span.
func TestCoveredIsTheMost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rows := make([][]span, rapid.IntRange(0, 12).Draw(r, "rows"))
		number := rapid.Map(rapid.IntRange(0, 20), func(n int) float64 { return float64(n) })
		for i := range rows {
			at := 0.0
			for range rapid.IntRange(0, 2).Draw(r, "spans") {
				lo := at + 0.5 + number.Draw(r, "lo")
				hi := lo + number.Draw(r, "width")
				rows[i], at = append(rows[i], span{lo, hi}), hi
			}
			if rapid.Bool().Draw(r, "an empty one") {
				rows[i] = append(rows[i], span{1, 0})
			}
		}
		holds := func(x float64) int {
			n := 0
			for _, spans := range rows {
				for _, s := range spans {
					if x >= s.lo && x <= s.hi {
						n++
					}
				}
			}
			return n
		}
		most := 0
		for _, spans := range rows {
			for _, s := range spans {
				if s.lo <= s.hi {
					most = max(most, holds(s.lo))
				}
			}
		}
		got, count := covered(rows)
		if count != most {
			r.Fatalf("%d rows agree, want %d", count, most)
		}
		if count > 0 && (holds(got.lo) != count || holds(got.hi) != count || got.hi < got.lo) {
			r.Errorf("%d rows agree, and %d and %d at the ends of %+v", count, holds(got.lo), holds(got.hi), got)
		}
	})
}

func TestShortest(t *testing.T) {
	for _, tt := range []struct {
		s    span
		want float64
	}{
		{span{0.0099999, 0.0100001}, 0.01},
		{span{0.1, 0.1}, 0.1},
		{span{-0.3, 0.2}, 0},
		{span{2.71, 3.14}, 3},
		{span{0.12345, 0.12346}, 0.12345},
		{span{1.0/30 - 1e-8, 1.0/30 + 1e-8}, 1.0 / 30},
		{span{0.0123456 - 1e-9, 0.0123456 + 1e-9}, 0.0123456},
		{span{1e-20, 3e-20}, 2e-20}, // none with 15 decimals
	} {
		if got := tt.s.shortest(); math.Abs(got-tt.want) > 1e-15*tt.want {
			t.Errorf("%+v: %g, want %g", tt.s, got, tt.want)
		}
	}
}

// A propensity counts as another exactly where that lies in its band.
func TestBandIsTheTolerance(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := rapid.Float64Range(1e-9, 1).Draw(r, "p")
		written := rapid.SampledFrom([]precision.Ends{{}, {Room: 1e-5}, {Room: 5e-3}, {Digits: 3}, {Digits: 6, Room: 1e-5}}).Draw(r, "written")
		tolerance := 1e-6*p + 1e-8 + written.At(p)
		q := p + tolerance*rapid.Float64Range(-2, 2).Draw(r, "apart")
		b := band(p, written)
		if edge := min(math.Abs(q-b.lo), math.Abs(q-b.hi)); edge < 1e-12 {
			r.Skip("the last bit decides")
		}
		if in := q >= b.lo && q <= b.hi; in != Near(p, q, written) {
			r.Errorf("%g counts as %g: %v, in %+v: %v", p, q, Near(p, q, written), b, in)
		}
	})
}
