package ipw

import (
	"math"
	"testing"
)

// supported is an arm with so many pulls that earned 1 and 0, in rounds of one
// propensity.
func supported(ones, zeros, rounds int, p float64) *Overlap {
	s := &Overlap{}
	for range ones {
		s.pull(new(worth).set(1, p), 1)
	}
	for range zeros {
		s.pull(new(worth).set(1, p), 0)
	}
	h, of := make([]float64, rounds), make([]float64, rounds)
	for t := range h {
		h[t], of[t] = 1, p
	}
	s.known(h, of)
	return s
}

// givenUp adds a round in which the arm has a lower propensity, and is not played.
func givenUp(s *Overlap, p float64) *Overlap {
	s.known([]float64{1}, []float64{p})
	return s
}

func TestRule(t *testing.T) {
	t.Parallel()
	binary, other := NormalityRule{Binary: true}, NormalityRule{}
	for _, c := range []struct {
		name   string
		rule   NormalityRule
		s      *Overlap
		fails  Part
		steady bool
	}{
		{"five of each, p never below a half", binary, supported(5, 5, 20, .5), Kept, false},
		{"four successes", binary, supported(4, 50, 108, .5), FewSeen, false},
		{"four failures", binary, supported(50, 4, 108, .5), FewSeen, false},
		{"fifteen of each", other, supported(15, 15, 60, .5), Kept, false},
		{"fourteen", other, supported(14, 15, 58, .5), FewSeen, false},
		{"all alike", binary, supported(50, 0, 100, .5), NoVariation, false},
		{"never played", binary, &Overlap{}, NoVariation, false},
		{"low throughout, and seen to hold enough", binary, supported(20, 80, 400, .25), Kept, false},
		{"low throughout, and once all but given up", binary, givenUp(supported(20, 80, 400, .25), .1), Kept, true},
		{"half as low is still seen", binary, givenUp(supported(20, 80, 400, .25), .125), Kept, false},
		{"low, 4.9 successes expected", binary, supported(5, 45, 196, .25), FewLow, false},
	} {
		if f := c.rule.Of(c.s); f.Fails != c.fails || f.NeedsConstantMean != c.steady {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
	// 100 pulls, 5 % of the weight in low rounds: g·√N = ½ is kept, and a little more is not.
	s := supported(50, 50, 190, .6)
	s.known([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []float64{.01, .01, .01, .01, .01, .01, .01, .01, .01, .01})
	if f := binary.Of(s); f.Fails != Kept || !f.NeedsConstantMean || math.Abs(f.LowWeight-.05) > 1e-12 {
		t.Errorf("light, where means stand still: %+v", f)
	}
	lighter := supported(50, 50, 196, .6)
	lighter.known([]float64{1, 1, 1, 1}, []float64{.01, .01, .01, .01})
	for stdErr, steady := range map[float64]bool{.1001: false, .0999: true, 0: true} { // a fifth of it, beside g = .02
		if f := (NormalityRule{Binary: true, StdErr: stdErr}).Of(lighter); f.Fails != Kept || f.NeedsConstantMean != steady || math.Abs(f.LowWeight-.02) > 1e-12 {
			t.Errorf("light, with a standard error of %g: %+v", stdErr, f)
		}
	}
	var played Overlap
	for i := range 40 {
		played.pull(new(worth).set(1, .6), float64(i%2))
		played.stands(new(worth).set(1, .6))
	}
	if f := (NormalityRule{Binary: true, StdErr: .1}).Of(&played); f.Fails != Kept || !f.NeedsConstantMean || !f.OnlyPlayedKnown {
		t.Errorf("p known only where the arm was played: %+v", f)
	}
	s.known([]float64{1}, []float64{.01})
	if f := binary.Of(s); f.Fails != FewLow || math.Abs(f.LowSuccess-.055) > 1e-12 {
		t.Errorf("heavier: %+v", f)
	}
	// Rewards count as parts of their declared range, whatever of it they span, from the
	// least on.
	var a, b Overlap
	for i := range 31 {
		y := float64(i % 2)
		a.pull(new(worth).set(1, .5), y)
		b.pull(new(worth).set(1, .5), .2+.1*y)
	}
	f, g := other.Of(&a), other.Of(&b)
	if f.Fails != Kept || f.Successes != 15 || g.Fails != FewSeen || math.Abs(g.Successes-1.5) > 1e-9 || math.Abs(g.Failures-1.6) > 1e-9 {
		t.Errorf("%+v and %+v", f, g)
	}
}

// Rewards other than 0 and 1 that vary little bear no interval, whatever they are counted
// for: m·(standard error) has to be 2.
func TestRuleOfNarrowRewards(t *testing.T) {
	t.Parallel()
	s := supported(50, 50, 200, .5) // 100 effective pulls
	for stdErr, fails := range map[float64]Part{0: Kept, .0199: Narrow, .02: Kept} {
		if f := (NormalityRule{StdErr: stdErr}).Of(s); f.Fails != fails || f.Effective != 100 {
			t.Errorf("a standard error of %g: %+v", stdErr, f)
		}
		if f := (NormalityRule{Binary: true, StdErr: stdErr}).Of(s); f.Fails != Kept {
			t.Errorf("of 0 and 1, a standard error of %g: %+v", stdErr, f)
		}
	}
	v, before := &Value{}, NewPlugin(2)
	for i := range 100 { // of weights of 1.2 and .8, whose gain is by .2 and −.2
		v.Add([]float64{.6, .4}, &Round{Arm: i % 2, P: []float64{.5, .5}, Reward: float64(i / 2 % 2)}, &before)
	}
	for stdErr, fails := range map[float64]Part{.0207: Narrow, .0209: Kept} { // 100²/104 effective ones
		if f := (NormalityRule{StdErr: stdErr}).OfValue(v); f.Fails != fails || math.Abs(f.Effective-1e4/104) > 1e-9 {
			t.Errorf("a value with a standard error of %g: %+v", stdErr, f)
		}
	}
	for stdErr, fails := range map[float64]Part{.0039: Narrow, .0041: Kept} { // 100/.2
		if f := (NormalityRule{StdErr: stdErr, Gain: true}).OfValue(v); f.Fails != fails || math.Abs(f.Effective-500) > 1e-9 {
			t.Errorf("a gain with a standard error of %g: %+v", stdErr, f)
		}
	}
}

// Of an arm whose propensity is known where it was played alone, the sums over rounds
// are estimated without bias, by enumerating the arms of three rounds.
func TestSupportOfPlayedAlone(t *testing.T) {
	t.Parallel()
	p := []float64{.2, .5, .3}
	share, weight, all := 0.0, 0.0, 0.0
	for path := range 8 {
		var s Overlap
		probability := 1.0
		for i, q := range p {
			if path>>i&1 == 0 {
				probability *= 1 - q
				continue
			}
			probability *= q
			s.stands(new(worth).set(1, q))
		}
		share, weight, all = share+probability*s.LowShare, weight+probability*s.Low, all+probability*s.All
	}
	for what, c := range map[string][2]float64{"Σp": {share, .5}, "Σh": {weight, 2}, "all": {all, 3}} {
		if math.Abs(c[0]-c[1]) > 1e-14 {
			t.Errorf("%s below a half: %g, want %g", what, c[0], c[1])
		}
	}
}

// IPW and AIPW by uniform weights are unbiased for an adaptive policy, by enumerating
// every path of three rounds on a fixed table of rewards; nothing else is promised of
// √p, nor of the ratio.
func TestArmsUnbiased(t *testing.T) {
	t.Parallel()
	rewards := [3][2]float64{{.9, .2}, {.1, .7}, {.4, .3}}
	var ipw, aipw [2]float64
	contrast := 0.0
	for path := range 8 {
		none := NewPlugin(2)
		a := NewArms(&none, true, [][2]int{{1, 0}}, nil)
		probability, last := 1.0, .5
		for r := range rewards {
			p := .2 + .6*last // the next probabilities depend on the reward just seen
			row := Round{Arm: path >> r & 1, P: []float64{p, 1 - p}}
			row.Reward = rewards[r][row.Arm]
			probability *= row.P[row.Arm]
			last = row.Reward
			a.Add(&row)
		}
		for i := range 2 {
			ipw[i] += probability * a.IPW(i).Value()
			aipw[i] += probability * a.AIPW(0, i).Value()
		}
		contrast += probability * a.Against(0).Value()
	}
	var want [2]float64
	for i := range 2 {
		want[i] = (rewards[0][i] + rewards[1][i] + rewards[2][i]) / 3
		near(t, "expectation of IPW", ipw[i], want[i])
		near(t, "expectation of AIPW", aipw[i], want[i])
	}
	near(t, "expectation of the contrast", contrast, want[1]-want[0])
}

// Where an arm could not be played the round is left out of its estimates, and of its
// contrasts: they are those of the rounds that are left.
func TestArmsLeftOut(t *testing.T) {
	t.Parallel()
	none := NewPlugin(3)
	pairs := [][2]int{{1, 0}, {2, 0}}
	a, without := NewArms(&none, true, pairs, nil, Root), NewArms(&none, true, pairs, nil, Root)
	for i, r := range smallLog() {
		if r.Arm != 0 && i%2 == 0 {
			r.P = []float64{0, r.P[1], r.P[2]}
		}
		a.Add(&r)
	}
	if n, m := a.AIPW(0, 0).N, a.AIPW(0, 1).N; n != 8 || m != 12 || a.IPW(0).N != 8 || a.Against(0).Rows() != 8 {
		t.Fatalf("%d and %d rounds, %d of IPW, %d of the contrast", n, m, a.IPW(0).N, a.Against(0).Rows())
	}
	near(t, "IPW over the rounds that are left", a.IPW(0).Value(), (3+1/.4+0+1/.2)*1/8)
	if !math.IsNaN(without.Against(0).Value()) || !math.IsNaN(without.Against(0).StdErr()) || !math.IsNaN(without.AIPW(0, 0).StdErr()) {
		t.Error("estimates without rounds")
	}
}
