package allocationtest

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// ticking is a log of rounds at random times whose cells have a number of their
// own in each window between the given boundaries, which increase.
func ticking(rng *rand.Rand, rows, cells int, mean float64, boundaries func(at float64) int) *Clock {
	c := &Clock{}
	at := 0.0
	for range rows {
		at += rng.ExpFloat64() * mean
		cell := rng.IntN(cells)
		p := rand.New(rand.NewPCG(uint64(boundaries(at)), uint64(cell))).Float64()
		c.Add(int64(cell), at, []float64{p})
	}
	return c
}

// A grid is found, its period within four standard errors or a thousandth, and
// its boundaries where they were: rounds come one each second on average.
func TestClockFindsGrids(t *testing.T) {
	const start = 17.0
	for name, tc := range map[string]struct {
		rows, cells int
		period      float64
	}{
		"sparse: a cell is seen about once a window": {20_000, 30, 40},
		"dense":               {4000, 2, 100},
		"dense, many windows": {20_000, 2, 25},
		"few windows":         {3000, 5, 200},
		"between whole units": {10_000, 5, 63.7},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		c := ticking(rng, tc.rows, tc.cells, 1, func(at float64) int { return int(math.Floor((at-start)/tc.period)) + 1 })
		g := c.Grid(t.Context(), 1e-6, 1<<26)
		if math.Abs(g.Period-tc.period) > max(4*g.Error, tc.period/1000) {
			t.Errorf("%s: a period of %g (error %g, ln p %.1f), want %g", name, g.Period, g.Error, g.LogP, tc.period)
			continue
		}
		off := math.Remainder(g.Start-start, tc.period)
		if math.Abs(off) > tc.period/10 {
			t.Errorf("%s: a boundary at %g, %g off", name, g.Start, off)
		}
		if float64(g.WithinSame) < 0.8*float64(g.Within) || float64(g.AcrossSame) > 0.35*float64(g.Across) {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// A search of the beginning of a log alone finds the same, sharpened by the rest.
func TestClockWorkIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out a search of 20,000 rows without a bound on its work; the full run has it")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	c := ticking(rng, 20_000, 5, 1, func(at float64) int { return int(at / 60) })
	all, part := c.Grid(t.Context(), 1e-6, 1<<40), c.Grid(t.Context(), 1e-6, 1<<20)
	if part.Looked >= all.Looked || math.Abs(all.Period-60) > 0.05 || math.Abs(part.Period-all.Period) > 0.05 {
		t.Errorf("all: %+v\npart: %+v", all, part)
	}
	if r := (&Clock{}).Grid(t.Context(), 0.5, 1<<20); r != (Grid{}) {
		t.Errorf("of nothing: %+v", r)
	}
	if g := c.Grid(t.Context(), 1e-6, 1); g.Period != 0 {
		t.Errorf("no work: %+v", g)
	}
}

// Where propensities change at random times no grid is found: at level 0.01 in
// 160 logs, of which more than 14 would be found with probability below 1e-8.
func TestClockFindsNoGridByChance(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out searches of 160 simulated logs, a second of them and ten times that under the race detector; the full run has them")
	}
	const logs, level, most = 160, 0.01, 14
	found := 0
	for i := range logs {
		rng := rand.New(rand.NewPCG(uint64(i), 5))
		at, next, window := 0.0, 0.0, 0
		c := &Clock{}
		cells := 2 + i%6
		for range 1500 {
			at += rng.ExpFloat64() * (1 + 0.9*math.Sin(at/70)) // traffic that comes and goes by a clock
			for at > next {
				next += rng.ExpFloat64() * 40
				window++
			}
			cell := rng.IntN(cells)
			c.Add(int64(cell), at, []float64{rand.New(rand.NewPCG(uint64(window), uint64(cell))).Float64()})
		}
		if c.Grid(t.Context(), level, 1<<22).Period > 0 {
			found++
		}
	}
	t.Logf("%d of %d logs without a clock have one at level %g", found, logs, level)
	if found > most {
		t.Errorf("%d of %d logs without a clock have one at level %g", found, logs, level)
	}
}

// The recursion from one frequency to the next computes the formula.
func TestSpectrumIsItsFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 6))
		pairs := make([]clockPair, 40)
		for i := range pairs {
			s := 1000 * rng.Float64()
			pairs[i] = clockPair{s: s, e: s + 20*rng.Float64(), z: rng.Float64() - 0.5}
		}
		s := &spectrum{pairs: pairs, span: 1020, from: 8.0 / 1020, step: 1.0 / 2040, z: make([]float64, 1100)}
		s.scan(context.Background())
		for _, i := range []int{0, 1, 1023, 1024, 1099} {
			f, sum, v := s.at(i), complex(0, 0), 0.0
			for _, p := range pairs {
				w := p.z * math.Sin(math.Pi*f*(p.e-p.s))
				sum += complex(w, 0) * cmplx.Exp(complex(0, math.Pi*f*(p.s+p.e)))
				v += w * w
			}
			want := real(sum*cmplx.Conj(sum)) / v / s.by[i]
			if math.Abs(s.z[i]-want) > 1e-9*(1+want) {
				t.Fatalf("Z(%g) = %g, want %g", f, s.z[i], want)
			}
		}
	})
}

// Labels are centred among pairs that are as far apart.
func TestClockCenters(t *testing.T) {
	c := &Clock{}
	for i := range 40 { // cell 0: pairs 1 apart, a quarter of them the same
		c.Add(0, float64(i), []float64{float64((i + i/4) / 1)}) // 0 1 2 3 5 6 7 8 10 …
	}
	pairs, changed := c.Changed()
	if pairs != 39 || changed != 39 || len(c.center()) != 0 || c.Tell() != 0 || c.Cells() != 1 {
		t.Errorf("%d pairs, %d changed, %d that say something", pairs, changed, len(c.center()))
	}
	c = &Clock{}
	for i := range 41 {
		c.Add(0, float64(i), []float64{float64(i / 2)})
	}
	sum := 0.0
	for _, p := range c.center() {
		if math.Abs(p.z) != 0.5 {
			t.Errorf("z = %g of pairs of which half are the same", p.z)
		}
		sum += p.z
	}
	if len(c.center()) != 40 || sum != 0 || c.Tell() != 20*0.5 {
		t.Errorf("%d pairs with sum %g, tell %g", len(c.center()), sum, c.Tell())
	}
	c.Add(0, 40, []float64{7})
	if pairs, _ := c.Changed(); pairs != 40 {
		t.Error("a row at the very time of the one before it makes a pair")
	}
}

// Rows in bursts: a log that is any number of times as long as the distance of its
// rows takes no more work than is allowed, and the clock within a burst is found.
// Its error is that of the burst, whose phase is not carried over the gap.
func TestClockBounds(t *testing.T) {
	const day, work = 86_400.0, 1 << 24
	for name, tc := range map[string]struct {
		rows int
		step float64
		late []float64
	}{
		"a row a day later":                {1000, 1e-3, []float64{day}},
		"microseconds and a row":           {400, 1e-6, []float64{day}},
		"rows that come later and later":   {1000, 1e-3, []float64{4, 16, 64, 256, 1024, 4096, day}},
		"microseconds and a row in a year": {1000, 1e-6, []float64{365 * day}},
	} {
		rng := rand.New(rand.NewPCG(12, 12))
		c, period := &Clock{}, 15*tc.step
		add := func(at float64) {
			cell := rng.IntN(2)
			p := rand.New(rand.NewPCG(uint64(at/period), uint64(cell))).Float64()
			c.Add(int64(cell), at, []float64{p})
		}
		for i := range tc.rows {
			add((float64(i) + 0.5) * tc.step)
		}
		for _, at := range tc.late {
			add(at)
		}
		g := c.Grid(t.Context(), 1e-6, work)
		if g.Looked > mostLooked || math.Abs(g.Period-period) > max(4*g.Error, period/100) || g.Error < period/1e4 {
			t.Errorf("%s: %+v, want a period of %g", name, g, period)
		}
	}
}

// However rows lie in time, frequencies and pairs times frequencies are bounded,
// and the beginning that is searched is no longer than its pairs.
func TestSpectrumIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 13))
		spread := rapid.Float64Range(0, 30).Draw(t, "spread")
		work := int64(1) << rapid.IntRange(5, 22).Draw(t, "work")
		pairs, at := make([]clockPair, 300), 0.0
		for i := range pairs {
			s := at
			at += math.Exp(spread * (rng.Float64() - 0.9))
			pairs[i] = clockPair{s: s, e: at}
		}
		s := newSpectrum(pairs, at, math.Exp(-spread), work)
		if s == nil {
			return
		}
		if n := int64(len(s.z)); n > mostLooked || n*int64(len(s.pairs)) > work {
			t.Fatalf("%d frequencies of %d pairs for %d", n, len(s.pairs), work)
		}
		if len(s.pairs) < leastPairs || s.pairs[len(s.pairs)-1].e > s.span {
			t.Fatalf("%d pairs up to %g in %g", len(s.pairs), s.pairs[len(s.pairs)-1].e, s.span)
		}
	})
}

// A search that is called off ends.
func TestClockEndsWithItsContext(t *testing.T) {
	c := ticking(rand.New(rand.NewPCG(3, 4)), 4000, 2, 1, func(at float64) int { return int(at / 100) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if g := c.Grid(ctx, 1e-6, 1<<26); g != (Grid{}) {
		t.Errorf("%+v", g)
	}
}
