package hypothesis

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/moments"
)

// betted bets on rewards in [lo, hi].
func betted(lo, hi float64, rewards ...float64) *Betted {
	out, g := &Betted{Lo: lo, Hi: hi}, moments.NewBetting(lo, hi)
	for _, y := range rewards {
		g.Add(&out.Bets, y)
		out.Mean += y / float64(len(rewards))
	}
	return out
}

// coins are s ones and n − s zeros.
func coins(s, n int) *Betted {
	y := make([]float64, n)
	for i := range s {
		y[i] = 1
	}
	out := betted(0, 1, y...)
	out.Mean = float64(s) / float64(n)
	return out
}

// ten are rewards that are not 0 or 1.
func ten(times int) []float64 {
	var out []float64
	for range times {
		out = append(out, .2, .35, .5, .4, .3, .45, .25, .6, .4, .35)
	}
	return out
}

// Computed by an independent Python program from the formula of E, with bisection
// for the ends: testdata/reference/bets.py.
func TestBetsReference(t *testing.T) {
	t.Parallel()
	for _, r := range []struct {
		b                *Betted
		level, lo, hi    float64
		m, lowAt, highAt float64 // ln E_low(m), ln E_high(m); NaN where it is not given
	}{
		{coins(0, 1), .05, 0, .9985315241, .5, -.2614560761, .2070713279},
		{coins(0, 50), .05, 0, .1042125772, .5, -.8244692165, 32.2131066583},
		{coins(1, 50), .05, .0000115101, .1678126515, .5, -.8163073506, 27.0512128361},
		{coins(15, 50), .05, .1110166655, .5467423211, .5, -.6599358640, 1.9095982170},
		{coins(700, 1000), .05, .6475168865, .7492903052, .5, 77.1129244091, -1.3695924770},
		{coins(700, 1000), .05 / 3, .6424012570, .7538690143, .5, 77.1129244091, -1.3695924770},
		{coins(25, 5000), .05, .0022191681, .0094067228, .5, -2.8321250966, 3272.2136924478},
		{coins(250_000, 500_000), .05, .4974524007, .5025475993, .5, -1.3570102446, -1.3570102446},
		{betted(0, 1, ten(1)...), .05, .2031001955, .6550139239, .3, .6967527442, math.NaN()},
		{betted(0, 1, ten(20)...), .05, .3541329171, .4071418111, .3, 35.4969768410, math.NaN()},
	} {
		s, got := newStakes(&r.b.Bets), Bets(r.b, r.m, TwoSided, math.Log(r.level))
		if math.Abs(got.Lo-r.lo) > 2e-10 || math.Abs(got.Hi-r.hi) > 2e-10 || !got.Exact || len(got.Warnings) != 0 {
			t.Errorf("%s: [%.10f, %.10f], want [%.10f, %.10f]; %v", &r.b.Bets, got.Lo, got.Hi, r.lo, r.hi, got.Warnings)
		}
		if low := s.logLow(r.m); math.Abs(low-r.lowAt) > 2e-10*max(1, math.Abs(r.lowAt)) {
			t.Errorf("%s: ln E_low = %.10f, want %.10f", &r.b.Bets, low, r.lowAt)
		}
		if high := s.logHigh(r.m); !math.IsNaN(r.highAt) && math.Abs(high-r.highAt) > 2e-10*max(1, math.Abs(r.highAt)) {
			t.Errorf("%s: ln E_high = %.10f, want %.10f", &r.b.Bets, high, r.highAt)
		}
	}
}

// Bets depend on the rescaled reward alone.
func TestBetsRescaled(t *testing.T) {
	t.Parallel()
	moved := ten(3)
	for i := range moved {
		moved[i] = 40*moved[i] - 10
	}
	a, b := Bets(betted(0, 1, ten(3)...), .3, Greater, -4), Bets(betted(-10, 30, moved...), 2, Greater, -4)
	if math.Abs(a.LogP-b.LogP) > 1e-11 || math.Abs(40*a.Lo-10-b.Lo) > 1e-9 || b.Hi != 30 {
		t.Errorf("%+v and %+v", a, b)
	}
}

// At n = 1 the evidence against the true mean of a coin has mean exactly 1, on each
// side: what each bet has does.
func TestBetsFair(t *testing.T) {
	t.Parallel()
	for _, m := range []float64{.001, .3, .5, .97} {
		one, none := newStakes(&coins(1, 1).Bets), newStakes(&coins(0, 1).Bets)
		for name, e := range map[string]func(s *stakes) float64{
			"low":  func(s *stakes) float64 { return s.logLow(m) },
			"high": func(s *stakes) float64 { return s.logHigh(m) },
			"both": func(s *stakes) float64 { return s.log(TwoSided, m) },
		} {
			if mean := m*math.Exp(e(one)) + (1-m)*math.Exp(e(none)); math.Abs(mean-1) > 1e-12 {
				t.Errorf("%s at %g: mean %.15f", name, m, mean)
			}
		}
	}
}

// All coins of every number of rows up to 12, and one that drifts: at no α is p ≤ α
// more probable than α for the running mean of the expectations.
func TestBetsLevel(t *testing.T) {
	t.Parallel()
	for _, drift := range []float64{0, .05} {
		for n := 1; n <= 12; n++ {
			probabilities := make([]float64, n)
			mean := 0.0
			for i := range probabilities {
				probabilities[i] = .1 + drift*float64(i)
				mean += probabilities[i] / float64(n)
			}
			for _, alt := range []Alternative{TwoSided, Greater, Less} {
				var outcomes []outcome
				for path := range 1 << n {
					p, ones := 1.0, 0
					for i, q := range probabilities {
						if path>>i&1 == 1 {
							p, ones = p*q, ones+1
						} else {
							p *= 1 - q
						}
					}
					outcomes = append(outcomes, outcome{p, -newStakes(&coins(ones, n).Bets).log(alt, mean)})
				}
				if e := excess(outcomes); e > 1+1e-9 {
					t.Errorf("n = %d, drift %g, %s: P(p ≤ x)/x reaches %g", n, drift, alt, e)
				}
			}
		}
	}
}

// E_low decreases in m, interval and p agree, and the interval holds the mean.
func TestBetsDuality(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Float64Range(-1, 3), 1, 300).Draw(t, "rewards")
		b := betted(-1, 3, y...)
		alt := Alternative(rapid.IntRange(0, 2).Draw(t, "alternative"))
		level := -rapid.Float64Range(1e-9, 60).Draw(t, "minus ln alpha")
		value := rapid.Float64Range(-1, 3).Draw(t, "value")
		r := Bets(b, value, alt, level)
		if len(r.Warnings) != 0 || !(r.LogP <= 0) || r.Lo > b.Mean+1e-9 || r.Hi < b.Mean-1e-9 {
			t.Fatalf("%+v", r)
		}
		if outside := value < r.Lo || value > r.Hi; outside != (r.LogP <= level) && math.Abs(value-r.Lo) > 1e-10 && math.Abs(value-r.Hi) > 1e-10 {
			t.Fatalf("ln p = %g at ln α = %g, and the interval is [%g, %g] for %g", r.LogP, level, r.Lo, r.Hi, value)
		}
		s, m := newStakes(&b.Bets), rapid.Float64Range(0, .99).Draw(t, "m")
		if s.logLow(m) < s.logLow(m+.01) || s.logHigh(1-m) < s.logHigh(1-m-.01) {
			t.Fatal("the evidence does not decrease in the mean")
		}
	})
}

// Gains do not depend on how the rows are cut, but for rounding.
func TestBetsMerge(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(3, 4))
	y := make([]float64, 1000)
	for i := range y {
		y[i] = draw.Float64()
	}
	whole, parts := betted(0, 1, y...), moments.Bets{}
	for len(y) > 0 {
		n := min(len(y), 1+draw.IntN(200))
		parts.Merge(&betted(0, 1, y[:n]...).Bets)
		y = y[n:]
	}
	low, want := parts.Low(), whole.Low()
	for j := range low {
		if parts.N != whole.N || !near(low[j], want[j], 1e-12) {
			t.Errorf("bet %d: %.17g and %.17g", j, low[j], want[j])
		}
	}
}

func TestBetsSpecial(t *testing.T) {
	t.Parallel()
	good := betted(0, 1, ten(1)...)
	for name, r := range map[string]Result{
		"outside":     Bets(betted(0, 1, .5, 1.5), .5, TwoSided, -3),
		"NaN":         Bets(betted(0, 1, math.NaN()), .5, TwoSided, -3),
		"no range":    Bets(betted(1, 1, 1), 1, TwoSided, -3),
		"value":       Bets(good, 1.1, TwoSided, -3),
		"level":       Bets(good, .5, TwoSided, .1),
		"difference":  BetsDifference(&BettedPair{*good, *good}, 1.1, TwoSided, -3),
		"other range": BetsDifference(&BettedPair{*good, *betted(0, 2, 1)}, 0, TwoSided, -3),
		"other NaN":   BetsDifference(&BettedPair{*good, *betted(0, 1, math.NaN())}, 0, TwoSided, -3),
	} {
		if !math.IsNaN(r.LogP) || !math.IsNaN(r.Lo) || len(r.Warnings) != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := Bets(betted(0, 1), .5, TwoSided, -3); r.LogP != 0 || r.Lo != 0 || r.Hi != 1 || len(r.Warnings) != 1 {
		t.Errorf("no rows: %+v", r)
	}
	if r := BetsDifference(&BettedPair{*good, *betted(0, 1)}, 0, TwoSided, -3); r.LogP != 0 || r.Lo != -1 || r.Hi != 1 || len(r.Warnings) != 1 {
		t.Errorf("no rows of one arm: %+v", r)
	}
}

// Computed by the same Python program, with a search over the mean of the second arm.
func TestBetsDifferenceReference(t *testing.T) {
	t.Parallel()
	for _, r := range []struct {
		sa, na, sb, nb int
		lo, hi         float64
		more, less     float64 // ln E(0) of each side; NaN where it is not given
	}{
		{60, 100, 40, 100, -.06892361, .45154084, 1.31886340, -1.00593254},
		{300, 500, 30, 100, .08785129, .48176448, 10.59379454, -1.47191581},
		{500, 1000, 500, 1000, -.08574613, .08574613, -.90436136, -.90436136},
		{30, 1000, 20, 1000, -.01736599, .03826521, math.NaN(), math.NaN()},
		{1000, 20_000, 1000, 30_000, .00963525, .02388704, 36.78965786, -2.16252927},
		{0, 5, 5, 5, -1, -.07250501, math.NaN(), math.NaN()},
	} {
		p := &BettedPair{*coins(r.sa, r.na), *coins(r.sb, r.nb)}
		got := BetsDifference(p, 0, TwoSided, math.Log(.05))
		if math.Abs(got.Lo-r.lo) > 2e-8 || math.Abs(got.Hi-r.hi) > 2e-8 || !got.Exact {
			t.Errorf("%v: [%.8f, %.8f]", r, got.Lo, got.Hi)
		}
		j := newJointStakes(p)
		if more, less := j.log(Greater, 0), j.log(Less, 0); !math.IsNaN(r.more) && (math.Abs(more-r.more) > 1e-7 || math.Abs(less-r.less) > 1e-7) {
			t.Errorf("%v: ln E = %.8f, %.8f", r, more, less)
		}
		turned := BetsDifference(&BettedPair{p.B, p.A}, 0, TwoSided, math.Log(.05))
		if !near(turned.Lo, -got.Hi, 1e-9) || !near(turned.Hi, -got.Lo, 1e-9) || !near(turned.LogP, got.LogP, 1e-9) {
			t.Errorf("%v: arms exchanged: %+v", r, turned)
		}
	}
}

// Every outcome of two arms of coins: the level holds at the true difference.
func TestBetsDifferenceLevel(t *testing.T) {
	t.Parallel()
	const n = 20
	for _, arms := range [][2]float64{{.5, .5}, {.1, .1}, {.8, .3}} {
		pa, pb := binomialLaw(n, arms[0]), binomialLaw(n, arms[1])
		var outcomes []outcome
		for x, px := range pa {
			for y, py := range pb {
				j := newJointStakes(&BettedPair{*coins(x, n), *coins(y, n)})
				outcomes = append(outcomes, outcome{px * py, -j.log(TwoSided, arms[0]-arms[1])})
			}
		}
		if e := excess(outcomes); e > 1+1e-9 || e < 1e-4 {
			t.Errorf("%v: P(p ≤ x)/x reaches %g", arms, e)
		}
	}
}
