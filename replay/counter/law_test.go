package counter

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
)

// built returns the counter of a spec that has no fault.
func built(tb testing.TB, s Spec) Counter {
	tb.Helper()
	c, err := New(s)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// noisy are specs of counters of this package with noise.
func noisy() []Spec {
	return []Spec{
		{Name: "laplace", Epsilon: big.NewRat(3, 10)},
		{Name: "binary", Epsilon: big.NewRat(3, 10), Horizon: 200},
		{Name: "binary", Epsilon: big.NewRat(1, 1), Horizon: 1},
		{Name: "binary", Epsilon: big.NewRat(1, 1), Horizon: 256},
		{Name: "hybrid", Epsilon: big.NewRat(3, 10)},
		{Name: "tree", Epsilon: big.NewRat(3, 10), Horizon: 200},
		{Name: "interval", Epsilon: big.NewRat(3, 10), Horizon: 200},
		{Name: "interval", Epsilon: big.NewRat(2, 1), Horizon: 257, Exponent: big.NewRat(3, 2)},
		{Name: "interval", Epsilon: big.NewRat(1, 10), Horizon: 5},
		{Name: "epochs", Epsilon: big.NewRat(3, 10)},
	}
}

// Every counter with noise is among those whose promises are tested.
func TestEveryNoisyCounterHasASpec(t *testing.T) {
	for _, d := range All() {
		if d.Noise && !slices.ContainsFunc(noisy(), func(s Spec) bool { return s.Name == d.Name }) {
			t.Errorf("noisy has no %s", d.Name)
		}
	}
}

// limit returns the horizon, and where there is none a number of rows that is
// enough for tests.
func limit(s Spec) int64 {
	if s.Horizon > 0 {
		return s.Horizon
	}
	return 200
}

// names lists the counters.
func names() []string {
	var out []string
	for _, d := range All() {
		out = append(out, d.Name)
	}
	return out
}

// New has the counters of All, and an unknown name is told all of them.
func TestNamesAreThoseOfNew(t *testing.T) {
	for _, name := range names() {
		s := Spec{Name: name, Epsilon: big.NewRat(1, 1), Horizon: 10}
		if name == "exact" {
			s = Spec{Name: name}
		}
		if c := built(t, s); c.Name() != name {
			t.Errorf("%s is called %s", name, c.Name())
		}
	}
	_, err := New(Spec{Name: "honaker"})
	if err == nil || !strings.Contains(err.Error(), strings.Join(names(), ", ")) {
		t.Errorf("an unknown name: %v", err)
	}
}

// The histogram is that of Cost, no cost is above Epsilon, and all special
// cases of a row outside its stream cost nothing.
func TestLevelsAreTheHistogramOfCost(t *testing.T) {
	for _, s := range noisy() {
		c := built(t, s)
		if c.Levels(0) != nil || c.Levels(-3) != nil || c.Releases(0) != nil || c.Noise(0) != nil {
			t.Errorf("%s: an empty stream has levels, releases or noise", s.Name)
		}
		for size := int64(1); size <= limit(s)+3; size++ {
			var rows []ledger.Level
			up := ledger.Costs(c, size)
			if up(0) != 0 || up(-1) != 0 || up(size+1) != 0 {
				t.Fatalf("%s: Costs of rows outside a stream of %d rows", s.Name, size)
			}
			for n := int64(1); n <= size; n++ {
				if got, want := up(n), c.Cost(n, size).Up(); got != want {
					t.Fatalf("%s: Costs gives %v for row %d of %d, Cost %v", s.Name, got, n, size, want)
				}
				cost := c.Cost(n, size)
				if cost.Cmp(c.Epsilon()) > 0 {
					t.Fatalf("%s: row %d of %d costs %s, above %s", s.Name, n, size, cost, c.Epsilon())
				}
				rows = append(rows, ledger.Level{Cost: cost, Rows: 1})
			}
			if diff := cmp.Diff(ledger.Merge(rows), c.Levels(size)); diff != "" {
				t.Fatalf("%s, %d rows (-histogram +Levels):\n%s", s.Name, size, diff)
			}
			if !c.Cost(0, size).IsZero() || !c.Cost(-1, size).IsZero() || !c.Cost(size+1, size).IsZero() {
				t.Fatalf("%s: a row outside a stream of %d rows costs something", s.Name, size)
			}
		}
	}
}

// Some row costs exactly Epsilon once the stream is as long as it gets.
func TestEpsilonIsAttained(t *testing.T) {
	for _, s := range noisy() {
		c := built(t, s)
		if got := ledger.Account(c, []int64{limit(s)}, nil).Realized(); !got.Equal(c.Epsilon()) {
			t.Errorf("%s: a stream of %d rows costs %s, want %s", s.Name, limit(s), got, c.Epsilon())
		}
	}
}

// Levels count all rows where nobody can look at single ones, and stay few.
func TestLevelsOfLongStreams(t *testing.T) {
	laws := []Counter{
		built(t, Spec{Name: "laplace", Epsilon: big.NewRat(1, 4)}),
		built(t, Spec{Name: "binary", Epsilon: big.NewRat(1, 4), Horizon: 1 << 40}),
		built(t, Spec{Name: "tree", Epsilon: big.NewRat(1, 4), Horizon: 1 << 20}),
		built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 4), Horizon: 1 << 34}),
		built(t, Spec{Name: "epochs", Epsilon: big.NewRat(1, 4)}),
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(laws).Draw(t, "counter")
		size := rapid.Int64Range(1, 1<<40).Draw(t, "size")
		levels := c.Levels(size)
		var rows int64
		for i, l := range levels {
			rows += l.Rows
			if l.Rows < 1 || i > 0 && levels[i-1].Cost.Cmp(l.Cost) >= 0 {
				t.Fatalf("%s: levels of %d rows are not ascending and full", c.Name(), size)
			}
		}
		if rows != size || len(levels) > 1<<12+1 {
			t.Fatalf("%s: %d levels of %d rows hold %d", c.Name(), len(levels), size, rows)
		}
		if n := rapid.Int64Range(1, size).Draw(t, "n"); c.Cost(n, size).Cmp(c.Epsilon()) > 0 {
			t.Fatalf("%s: row %d of %d costs more than %s", c.Name(), n, size, c.Epsilon())
		}
		if families := len(c.Releases(size)); families > 40 {
			t.Fatalf("%s: %d families of releases", c.Name(), families)
		}
	})
}

// A row that moves a sum by the bound, where the noise was scaled for the
// sensitivity, costs bound/sensitivity times as much, exactly.
func TestSensitivityAndBoundScaleTheCost(t *testing.T) {
	for _, s := range noisy() {
		base := s
		base.Sensitivity = big.NewRat(7, 5)
		short := base
		short.Bound = big.NewRat(21, 10)
		plain, wide := built(t, base), built(t, short)
		ratio := big.NewRat(3, 2)
		times := func(l ledger.Loss) ledger.Loss { return ledger.NewLoss(new(big.Rat).Mul(l.Rat(), ratio)) }
		if !wide.Epsilon().Equal(times(plain.Epsilon())) {
			t.Errorf("%s: ε = %s, want 3/2 of %s", s.Name, wide.Epsilon(), plain.Epsilon())
		}
		for n := int64(1); n <= 40; n++ {
			if !wide.Cost(n, 40).Equal(times(plain.Cost(n, 40))) {
				t.Errorf("%s: row %d costs %s, want 3/2 of %s", s.Name, n, wide.Cost(n, 40), plain.Cost(n, 40))
			}
		}
		if !cmp.Equal(wide.Noise(1), plain.Noise(1)) {
			t.Errorf("%s: the bound changes the noise", s.Name)
		}
		if s.Name != "interval" { // whose scale is rounded
			unit := built(t, s)
			if !unit.Epsilon().Equal(plain.Epsilon()) {
				t.Errorf("%s: ε = %s for sensitivity 7/5, want %s", s.Name, plain.Epsilon(), unit.Epsilon())
			}
			if got, want := plain.Noise(1)[0].Scale, 1.4*unit.Noise(1)[0].Scale; math.Abs(got-want) > 1e-14*want {
				t.Errorf("%s: scale %v, want %v", s.Name, got, want)
			}
		}
	}
}

// A family's scale times its loss is the bound.
func TestReleasesStateWhatTheyCost(t *testing.T) {
	for _, s := range noisy() {
		s.Sensitivity, s.Bound = big.NewRat(7, 5), big.NewRat(21, 10)
		for _, f := range built(t, s).Releases(limit(s)) {
			if got := new(big.Rat).Mul(f.Scale, f.Epsilon.Rat()); got.Cmp(s.Bound) != 0 || f.Sensitivity != 2.1 || f.Count < 1 || f.Name == "" {
				t.Errorf("%s: %q has scale × loss %s and sensitivity %v, want 2.1", s.Name, f.Name, got, f.Sensitivity)
			}
		}
	}
}

// A stream of vectors with one coordinate and φ = 1 is the stream of rewards.
func TestVectorsOfOneCoordinateAreScalars(t *testing.T) {
	for _, s := range noisy() {
		c := built(t, s)
		scalar := c.Bank([]rand.Source{chacha(1), chacha(2)})
		vector := c.VectorBank([]rand.Source{chacha(1), chacha(2)}, 1)
		dst := make([]float64, 1)
		for n := range limit(s) {
			y := float64(n%8) / 8 // on the grid: rewards are rounded to even, products towards zero
			sum, rows, err := scalar.Add(1, y)
			if err != nil {
				t.Fatal(err)
			}
			got, err := vector.Add(1, []float64{1}, y, dst)
			if err != nil || got != rows || dst[0] != sum {
				t.Fatalf("%s, row %d: vector %v of %d rows (%v), scalar %v of %d", s.Name, n+1, dst, got, err, sum, rows)
			}
		}
	}
}

// Equal shapes have equal noise, where there are shapes.
func TestShapeDecidesNoise(t *testing.T) {
	for _, s := range noisy() {
		c := built(t, s)
		seen := map[int][]Noise{}
		for n := int64(1); n <= limit(s); n++ {
			shape, noise := c.Shape(n), c.Noise(n)
			if noise == nil {
				t.Fatalf("%s: a sum of %d rows has no noise", s.Name, n)
			}
			if c.Shapes() == 0 {
				continue
			}
			if shape < 0 || shape >= c.Shapes() {
				t.Fatalf("%s: shape %d of %d", s.Name, shape, c.Shapes())
			}
			if first, ok := seen[shape]; ok && !cmp.Equal(first, noise) {
				t.Fatalf("%s: shape %d has noise %v and %v", s.Name, shape, first, noise)
			}
			seen[shape] = noise
		}
	}
}

func TestEveryBankRefusesBadRewards(t *testing.T) {
	for _, s := range noisy() {
		c := built(t, s)
		for _, y := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
			_, _, err := c.Bank([]rand.Source{chacha(1)}).Add(0, y)
			_, errVector := c.VectorBank([]rand.Source{chacha(1)}, 1).Add(0, []float64{1}, y, make([]float64, 1))
			if !errors.Is(err, errReward) || !errors.Is(errVector, errReward) {
				t.Errorf("%s, reward %v: errors %v and %v", s.Name, y, err, errVector)
			}
		}
	}
}

// A bound below 1 is for features; a reward would move a sum by more, so that
// the cost would be wrong.
func TestNoScalarsUnderABoundBelowOne(t *testing.T) {
	for _, s := range noisy() {
		s.Sensitivity = big.NewRat(1, 2)
		if _, _, err := built(t, s).Bank([]rand.Source{chacha(1)}).Add(0, 0.25); !errors.Is(err, errFeature) {
			t.Errorf("%s: error %v", s.Name, err)
		}
	}
}

// A bank says which arm an error is about, passes on an aborted sampler, and
// refuses a row too many with the parameter to change.
func TestStreamsEnd(t *testing.T) {
	for _, s := range noisy() {
		never := []rand.Source{nil, &script{words: []uint64{0}}} // expBernoulli(u, t) never ends
		var err error
		for bank := built(t, s).Bank(never); err == nil; {
			_, _, err = bank.Add(1, 0.5)
		}
		full := s.Name == "interval" && s.Horizon == 5 // f = 10: nothing is ever drawn
		if errors.Is(err, errAborted) == full || !strings.Contains(err.Error(), "arm 1") {
			t.Errorf("%s: error %v", s.Name, err)
		}
		if s.Horizon == 0 {
			continue
		}
		bank := built(t, s).Bank([]rand.Source{chacha(1)})
		vectors := built(t, s).VectorBank([]rand.Source{chacha(1)}, 1)
		for n := range s.Horizon + 1 {
			_, _, err := bank.Add(0, 0.5)
			_, errVector := vectors.Add(0, []float64{0.5}, 0.5, make([]float64, 1))
			if last := n == s.Horizon; (err != nil) != last || (errVector != nil) != last {
				t.Fatalf("%s, row %d of %d: errors %v and %v", s.Name, n+1, s.Horizon, err, errVector)
			}
			if err != nil && !strings.Contains(err.Error(), "counter.horizon") {
				t.Errorf("%s: %v does not name the horizon", s.Name, err)
			}
		}
	}
}

func TestFaultsOfParameters(t *testing.T) {
	one, quarter := big.NewRat(1, 1), big.NewRat(1, 4)
	for _, tt := range []struct {
		name string
		spec Spec
		want []string // parameters
	}{
		{"laplace", Spec{Name: "laplace", Epsilon: quarter, Horizon: 100}, nil},
		{"laplace without ε", Spec{Name: "laplace"}, []string{"epsilon"}},
		{"laplace, everything", Spec{Name: "laplace", Epsilon: new(big.Rat), Grid: big.NewRat(1, 3), Exponent: one, Sensitivity: new(big.Rat)}, []string{"grid", "sensitivity", "exponent", "epsilon"}},
		{"laplace, ε too long", Spec{Name: "laplace", Epsilon: big.NewRat(1, 1<<37)}, []string{"epsilon"}},
		{"epochs", Spec{Name: "epochs", Epsilon: quarter, Horizon: 100}, nil},
		{"epochs, everything", Spec{Name: "epochs", Epsilon: big.NewRat(-1, 2), Exponent: one, Bound: big.NewRat(1<<17, 1)}, []string{"bound", "exponent", "epsilon"}},
		{"epochs, ε too long", Spec{Name: "epochs", Epsilon: big.NewRat(1, 1<<37)}, []string{"epsilon"}},
		{"binary", Spec{Name: "binary", Epsilon: quarter, Horizon: 1 << 40}, nil},
		{"binary without horizon", Spec{Name: "binary", Epsilon: quarter}, []string{"horizon"}},
		{"binary, horizon too long", Spec{Name: "binary", Epsilon: quarter, Horizon: 1<<40 + 1}, []string{"horizon"}},
		{"binary, horizon too long for the grid", Spec{Name: "binary", Epsilon: quarter, Horizon: 1<<30 + 1, Grid: big.NewRat(1, 1<<30)}, []string{"horizon"}},
		{"binary, everything", Spec{Name: "binary", Horizon: -1, Exponent: one}, []string{"horizon", "exponent", "epsilon"}},
		{"binary, ε too long", Spec{Name: "binary", Epsilon: big.NewRat(1234567891, 10_000_000_000), Horizon: 1 << 20}, []string{"epsilon"}},
		{"hybrid has no exponent", Spec{Name: "hybrid", Epsilon: quarter, Exponent: one}, []string{"exponent"}},
		{"interval", Spec{Name: "interval", Epsilon: quarter, Horizon: 1000, Exponent: big.NewRat(3, 2)}, nil},
		{"interval of one release at most", Spec{Name: "interval", Epsilon: big.NewRat(1, 1000), Horizon: 10}, nil},
		{"interval, everything", Spec{Name: "interval", Exponent: one}, []string{"horizon", "epsilon", "exponent"}},
		{"interval, v too large", Spec{Name: "interval", Epsilon: quarter, Horizon: 10, Exponent: big.NewRat(151, 100)}, []string{"exponent"}},
		{"interval, v too long", Spec{Name: "interval", Epsilon: quarter, Horizon: 10, Exponent: big.NewRat(1101, 1000)}, []string{"exponent"}},
		{"interval, ε too small", Spec{Name: "interval", Epsilon: big.NewRat(1, 1<<41), Horizon: 10}, []string{"epsilon"}},
		{"interval, widest scale", Spec{Name: "interval", Epsilon: big.NewRat(1, 1<<20), Horizon: 1 << 20, Grid: big.NewRat(1, 1<<30), Exponent: big.NewRat(3, 2)}, nil}, // w = 2^11
		{"interval, scale too large", Spec{Name: "interval", Epsilon: one, Horizon: 1 << 30, Grid: big.NewRat(1, 1<<30), Exponent: big.NewRat(3, 2)}, []string{"horizon"}},
	} {
		_, err := New(tt.spec)
		if diff := cmp.Diff(tt.want, params(t, tt.name, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// params returns the parameters that the faults joined in err name, also those
// joined twice; each fault must be complete.
func params(t *testing.T, name string, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, params(t, name, e)...)
		}
		return all
	}
	var p *ParamError
	if !errors.As(err, &p) || p.Value == "" || p.Rule == "" || p.Mend == "" {
		t.Fatalf("%s: fault %v has no parameter, value, rule and mend", name, err)
	}
	return []string{p.Param}
}

// zCDP of the discrete law, Σ over the releases of a row of
// ε − (h/sinh h)(1 − e^{−ε}), h = ε·2^-20: with Python 3.11 and mpmath 1.3.0,
//
//	rho = lambda e: e - e/2**20/sinh(e/2**20)*(1-exp(-e))
//	rho(mpf(1)); 9*rho(mpf(1)/9); rho(mpf(1)/2) + 1*rho(mpf(1)/2); tanh(mpf(1)/2)
func TestRhoOfCounters(t *testing.T) {
	for _, tt := range []struct {
		spec Spec
		want float64
	}{
		{Spec{Name: "laplace", Epsilon: big.NewRat(1, 1)}, 0.36787944117153814},
		{Spec{Name: "epochs", Epsilon: big.NewRat(1, 1)}, 0.36787944117153814},
		{Spec{Name: "binary", Epsilon: big.NewRat(1, 1), Horizon: 500}, 0.0535538513293297424},
		{Spec{Name: "hybrid", Epsilon: big.NewRat(1, 1)}, 0.213061319425296669},
		{Spec{Name: "tree", Epsilon: big.NewRat(1, 1), Horizon: 500}, 0.46211715726000976},
	} {
		if got := built(t, tt.spec).Rho(); got < tt.want*(1-1e-15) || got > tt.want*(1+1e-11) {
			t.Errorf("%s: ρ = %.17g, want %.17g, rounded up", tt.spec.Name, got, tt.want)
		}
		tt.spec.Sensitivity, tt.spec.Bound = big.NewRat(1, 1), big.NewRat(2, 1)
		if wide := built(t, tt.spec).Rho(); wide < 3*tt.want || wide > 4*tt.want {
			t.Errorf("%s: ρ = %v at twice the bound, where it is near four times %v", tt.spec.Name, wide, tt.want)
		}
	}
}
