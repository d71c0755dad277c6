package world

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay"
)

// Names of worlds.
const (
	Gaussian = "gaussian"
	Linear   = "linear"
	Drift    = "drift"
)

// worlds are specifications of every world, with three arms, and contexts of
// two coordinates.
func worlds() map[string]*Spec {
	return map[string]*Spec{
		Bernoulli: {World: Bernoulli, Means: []float64{.2, .5, .8}},
		Beta:      {World: Beta, Means: []float64{.2, .5, .8}, Concentration: 3},
		Gaussian:  {World: Gaussian, Means: []float64{.2, .5, .8}, SD: .3},
		Linear:    {World: Linear, Theta: [][]float64{{.1, .9}, {.9, .1}, {.5, -.5}}, SD: .2},
		Drift:     {World: Drift, Means: []float64{.2, .5, .8}, MeansEnd: []float64{.8, .5, 0}, Period: 30},
	}
}

// lawOf is the law of a specification, for rewards clipped to [0,1].
func lawOf(t *testing.T, s *Spec) Law {
	t.Helper()
	st := private()
	st.Labels, st.World, st.ContextDim = DefaultLabels(3), s.World, 2
	d, err := st.Declare("p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s.Protocol, s.Rounds = &d.Protocol, 500
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s.law()
}

// busy is a scene with all that can stand in a round.
func busy(byArm bool) scene {
	return scene{dim: 2, byArm: byArm, l1: 1, batch: 7, delay: Delay{Mean: 3}, never: .1, eligible: .5}
}

// TestPotentialRewards: what an arm pays in a round depends on the seed, the
// round, the arm and the contexts, and not on what was asked before: in every
// world, whatever else there is to a round.
func TestPotentialRewards(t *testing.T) {
	const rounds = 40
	for name, s := range worlds() {
		for _, byArm := range []bool{false, true} {
			law := lawOf(t, s)
			enter := func(w *staged, round int64) *replay.Round {
				in := &replay.Round{X: make([]float64, w.Dim())}
				w.Context(round, in.X)
				w.Enter(round, in)
				return in
			}
			full := newStaged(law, busy(byArm), replay.Seed(3), "e")
			var table [rounds][3]float64
			for r := range table {
				enter(full, int64(r+1))
				for a := range 3 {
					table[r][a] = full.Reward(int64(r+1), a)
				}
			}
			rapid.Check(t, func(t *rapid.T) {
				w := newStaged(law, busy(byArm), replay.Seed(3), "e")
				for r := range table {
					enter(w, int64(r+1))
					for _, a := range rapid.SliceOfN(rapid.IntRange(0, 2), 0, 3).Draw(t, "arms") {
						if got := w.Reward(int64(r+1), a); got != table[r][a] {
							t.Fatalf("%s, round %d, arm %d pays %v, and %v when every arm is asked", name, r+1, a, got, table[r][a])
						}
					}
					if rapid.Bool().Draw(t, "known") { // its own stream
						w.Known(int64(r + 1))
					}
				}
			})
		}
	}
}

// TestMeans: in every world the rewards of an arm, clipped to [0,1], have the
// mean that the law states for their rounds, no correlation between arms, and
// none with the round before. Each of the 9 comparisons of a world is at 5
// standard errors, the variances of products bounded by 1/4 of theirs in the
// range; a right program crosses one with probability below 6e-7, and the seed
// is fixed.
func TestMeans(t *testing.T) {
	const n = 20_000
	for name, s := range worlds() {
		w := newStaged(lawOf(t, s), scene{dim: 2, l1: 1}, replay.Seed(17), "e")
		var sums, squares, pairs, lags [3]float64
		var before [3]float64
		for r := int64(1); r <= n; r++ {
			in := &replay.Round{X: make([]float64, 2)}
			w.Context(r, in.X)
			w.Enter(r, in)
			var y [3]float64
			for a := range y {
				y[a] = max(0, min(1, w.Reward(r, a))) - w.law.Mean(r, a, in)
				sums[a] += y[a]
				squares[a] += y[a] * y[a]
				lags[a] += y[a] * before[a]
			}
			for a := range y {
				pairs[a] += y[a] * y[(a+1)%3]
			}
			before = y
		}
		within := func(what string, sum, variance float64) {
			t.Helper()
			if z := sum / math.Sqrt(n*variance); !(math.Abs(z) <= 5) {
				t.Errorf("%s: %s is %.1f standard errors from 0", name, what, z)
			}
		}
		for a := range sums {
			v, next := squares[a]/n, squares[(a+1)%3]/n
			within("a reward less its mean", sums[a], v)
			within("the product of two rounds", lags[a], v*v)
			within("the product of two arms", pairs[a], v*next)
		}
	}
}

// TestClippedMean holds the closed form against quadrature: mpmath 1.3.0,
// lo*ncdf(lo,m,s) + hi*(1-ncdf(hi,m,s)) + quad(y*npdf(y,m,s), linspace(lo,hi,40))
// at 40 digits.
func TestClippedMean(t *testing.T) {
	for _, c := range []struct{ mean, sd, lo, hi, want float64 }{
		{.5, .25, 0, 1, .5},
		{.1, .3, 0, 1, .17615618799460727},
		{1.2, .1, 0, 1, .99915092973831704},
		{-3, 1, -1, 2, -.9915093508448257},
		{.9, .05, 0, 1, .89957546486915852},
		{40, 10, 0, 100, 40.000071451020754},
		{1e9, 1, 0, 1, 1},
		{-1e9, 1, 0, 1, 0},
	} {
		got := interval{c.lo, c.hi}.clippedMean(c.mean, c.sd)
		if math.Abs(got-c.want) > 1e-14*math.Max(1, math.Abs(c.want)) {
			t.Errorf("N(%g, %g²) clipped to [%g, %g] has mean %.17g, want %.17g", c.mean, c.sd, c.lo, c.hi, got, c.want)
		}
	}
}

// TestNormal: quantiles by mpmath 1.3.0, sqrt(2)*erfinv(2p-1) for p =
// (floor(u/2^11)+1/2)/2^53. A word and its complement are symmetric.
func TestNormal(t *testing.T) {
	for _, c := range []struct {
		word uint64
		want float64
	}{
		{0, -8.2923610758135955},
		{1 << 63, 1.3914582123358835e-16},
		{math.MaxUint64, 8.2923610758135955},
		{1 << 62, -.67448975019608157},
	} {
		if got := normal(c.word); math.Abs(got-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("word %x: %.17g, want %.17g", c.word, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Uint64().Draw(t, "word")
		if a, b := normal(u), normal(^u); a != -b {
			t.Fatalf("%v and %v", a, b)
		}
	})
}

// TestBetaLaw: the share of draws below q is the regularised incomplete beta
// function there (mpmath 1.3.0, betainc(a, b, 0, q, regularized=True)), and the
// mean and variance are a/(a+b) and ab/((a+b)²(a+b+1)), each at 5 standard
// errors: the 15 comparisons together reject right laws with probability below
// 9·10⁻⁶, and the seed is fixed. The second law is nearly all at 0 and 1, where
// a quotient of gammas would be 0/0.
func TestBetaLaw(t *testing.T) {
	const n = 40_000
	for _, c := range []struct{ a, b, q, below float64 }{
		{.5, 1.5, .1, .39581869640940785},
		{.02, .08, .5, .80069837862898341},
		{3, 7, .3, .537168834},
		{40, 60, .45, .84622479768139866},
		{1, 1, .25, .25},
	} {
		words := replay.Stream(replay.Seed(23), "world.reward", "beta", 0)
		w := beta{[]float64{c.a / (c.a + c.b)}, c.a + c.b}
		sum, squares, below := 0.0, 0.0, 0.0
		mean := c.a / (c.a + c.b)
		variance := c.a * c.b / ((c.a + c.b) * (c.a + c.b) * (c.a + c.b + 1))
		for range n {
			y := w.Reward(1, 0, words.Uint64(), nil)
			if !(y >= 0 && y <= 1) {
				t.Fatalf("Beta(%g, %g) pays %v", c.a, c.b, y)
			}
			sum += y - mean
			squares += (y - mean) * (y - mean)
			if y < c.q {
				below++
			}
		}
		if z := sum / math.Sqrt(n*variance); !(math.Abs(z) <= 5) {
			t.Errorf("Beta(%g, %g): the mean is %.1f standard errors off", c.a, c.b, z)
		}
		// The fourth central moment of a variable in [0,1] is at most its variance.
		if d := math.Abs(squares/n - variance); !(d <= 5*math.Sqrt(variance/n)) {
			t.Errorf("Beta(%g, %g): the variance is off by %g", c.a, c.b, d)
		}
		if z := (below - n*c.below) / math.Sqrt(n*c.below*(1-c.below)); !(math.Abs(z) <= 5) {
			t.Errorf("Beta(%g, %g): the share below %g is %.1f standard errors off", c.a, c.b, c.q, z)
		}
	}
}

// TestGaussianRewards: rewards are not clipped, and a reward is mean + sd·z.
func TestGaussianRewards(t *testing.T) {
	w := newGaussian([]float64{-2, 5}, 3, interval{0, 1})
	if got, want := w.Reward(1, 0, 1<<62, nil), -2+3*normal(1<<62); got != want {
		t.Errorf("pays %v, want %v", got, want)
	}
	if describeGaussian().Binary || w.Means()[0] < 0 || w.Means()[1] > 1 {
		t.Errorf("clipped means are %v", w.Means())
	}
}

// TestLinearMean: by the context of the round, or of the arm.
func TestLinearMean(t *testing.T) {
	w := linear{[][]float64{{1, 2}, {3, 4}}, 1, interval{-100, 100}}
	if got := w.mean(1, &replay.Round{X: []float64{.5, .25}}); got != 2.5 {
		t.Errorf("mean %v, want 2.5", got)
	}
	if got := w.mean(1, &replay.Round{XByArm: []float64{9, 9, .25, .5}}); got != 2.75 {
		t.Errorf("mean %v, want 2.75", got)
	}
}

// TestTheta: drawn coefficients give means in [0,1] on the contexts of the
// world, are those of the seed, and the same in every experiment.
func TestTheta(t *testing.T) {
	s := &Spec{World: Linear, ContextL1: 4}
	lawOf(t, s)
	s.Master = replay.Seed(9)
	theta := s.theta()
	if len(theta) != 3 || len(theta[0]) != 2 {
		t.Fatalf("θ is %v", theta)
	}
	for a, row := range theta {
		stream := replay.Stream(replay.Seed(9), "world.theta", "", a)
		for j, v := range row {
			if want := float64(stream.Uint64()>>11) * 0x1p-53 / 4; v != want {
				t.Errorf("θ[%d][%d] is %v, want %v", a, j, v, want)
			}
		}
	}
}

// TestDriftMeans: from the first means to the last and back, on straight lines.
func TestDriftMeans(t *testing.T) {
	w := drift{[]float64{.2, 1}, []float64{.8, 0}, 12}
	for _, c := range []struct {
		t    int64
		a, b float64
	}{{1, .2, 1}, {4, .5, .5}, {7, .8, 0}, {10, .5, .5}, {13, .2, 1}, {12_000_000_000_001, .2, 1}, {12_000_000_000_007, .8, 0}} {
		if a, b := w.Mean(c.t, 0, nil), w.Mean(c.t, 1, nil); math.Abs(a-c.a) > 1e-15 || math.Abs(b-c.b) > 1e-15 {
			t.Errorf("round %d: %v and %v, want %v and %v", c.t, a, b, c.a, c.b)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0, 1)
		w := drift{[]float64{p.Draw(t, "from")}, []float64{p.Draw(t, "to")}, rapid.Int64Range(2, 1<<40).Draw(t, "period")}
		if m := w.Mean(rapid.Int64Range(1, 1<<40).Draw(t, "t"), 0, nil); !(m >= min(w.from[0], w.to[0])-1e-15 && m <= max(w.from[0], w.to[0])+1e-15) {
			t.Fatalf("mean %v of %+v", m, w)
		}
	})
	s := &Spec{Rounds: 101}
	if got := (drift{[]float64{.2}, []float64{.7}, s.period()}).Mean(101, 0, nil); got != .7 {
		t.Errorf("with no period given the last round has mean %v, want that of the far end", got)
	}
}
