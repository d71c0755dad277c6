package ipw

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The numbers are those of the project's own derivation, made by a second program.
func TestValueReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		target []float64
		want   [9]float64 // IPS, SNIPS, DR and gain, each with its error; ESS
	}{
		{"uniform", []float64{1. / 3, 1. / 3, 1. / 3}, [9]float64{.5952380952, .1450721144, .5110732538, .1724811567, .5643849206, .1175363187, -.0714285714, .0805956191, 8.5426800545}},
		{"fixed", []float64{.1, .1, .8}, [9]float64{.8160714286, .2443379878, .8268998794, .1018894578, .8611210317, .0984127299, .1494047619, .1813346884, 7.7956928871}},
	} {
		v := valueOf(c.target, smallLog())
		for i, m := range []*Mean{&v.IPS, &v.SNIPS, &v.DR, &v.Gain} {
			near(t, c.name, m.Value(), c.want[2*i])
			near(t, c.name+", error", m.StdErr(), c.want[2*i+1])
		}
		near(t, c.name+", ESS", v.SNIPS.ESS(), c.want[8])
	}
}

func valueOf(target []float64, rounds []Round) *Value {
	v, before := &Value{}, NewPlugin(3)
	for i := range rounds {
		v.Add(target, &rounds[i], &before)
		before.Add(rounds[i].Arm, rounds[i].Reward)
	}
	return v
}

// IPS, DR and the gain are unbiased for an adaptive policy, by enumerating every path of
// three rounds on a fixed table of rewards.
func TestValueUnbiased(t *testing.T) {
	t.Parallel()
	rewards := [3][2]float64{{.9, .2}, {.1, .7}, {.4, .3}}
	target := []float64{.3, .7}
	ips, dr, gain, logged := 0.0, 0.0, 0.0, 0.0
	for path := range 8 {
		v, before := &Value{}, NewPlugin(2)
		probability, last := 1.0, .5
		for r := range rewards {
			p := .2 + .6*last
			row := Round{Arm: path >> r & 1, P: []float64{p, 1 - p}}
			row.Reward = rewards[r][row.Arm]
			probability *= row.P[row.Arm]
			last = row.Reward
			v.Add(target, &row, &before)
			before.Add(row.Arm, row.Reward)
			if r == 2 {
				ips += probability * v.IPS.Value()
				dr += probability * v.DR.Value()
				gain += probability * v.Gain.Value()
			}
		}
		sum := 0.0
		for r := range rewards {
			sum += rewards[r][path>>r&1] / 3
		}
		logged += probability * sum
	}
	want := 0.0
	for _, y := range rewards {
		want += (target[0]*y[0] + target[1]*y[1]) / 3
	}
	near(t, "IPS", ips, want)
	near(t, "DR", dr, want)
	near(t, "gain", gain, want-logged)
}

// Parts that are merged give what the whole gives; rounds in which the policy is none, or
// plays an arm that could not be played, are left out.
func TestValueMerges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rounds := smallLog()
		cut := rapid.IntRange(0, len(rounds)).Draw(t, "cut")
		gone := rapid.IntRange(0, len(rounds)-1).Draw(t, "gone")
		rounds[gone].P = append([]float64{}, rounds[gone].P...)
		rounds[gone].P[(rounds[gone].Arm+1)%3] = 0
		target := []float64{.2, .3, .5}
		whole := valueOf(target, rounds)
		first, second, before := &Value{}, &Value{}, NewPlugin(3)
		for i := range rounds {
			if i < cut {
				first.Add(target, &rounds[i], &before)
			} else {
				second.Add(target, &rounds[i], &before)
			}
			before.Add(rounds[i].Arm, rounds[i].Reward)
		}
		first.Merge(second)
		for what, c := range map[string][2]float64{
			"IPS": {first.IPS.Value(), whole.IPS.Value()}, "its error": {first.IPS.StdErr(), whole.IPS.StdErr()}, "SNIPS": {first.SNIPS.Value(), whole.SNIPS.Value()},
			"DR": {first.DR.StdErr(), whole.DR.StdErr()}, "gain": {first.Gain.Value(), whole.Gain.Value()}, "largest": {first.Largest, whole.Largest},
			"left out": {float64(first.LeftOut), 1}, "mean weight": {first.MeanWeight(), whole.MeanWeight()}, "share": {first.LargestShare(), whole.LargestShare()},
		} {
			if math.Abs(c[0]-c[1]) > 1e-12 {
				t.Errorf("%s: %g and %g", what, c[0], c[1])
			}
		}
		if f, g := (NormalityRule{}).OfValue(first), (NormalityRule{}).OfValue(whole); math.Abs(f.LowWeight-g.LowWeight) > 1e-12 || f.Fails != g.Fails || f.Fails != FewSeen {
			t.Errorf("%+v and %+v", f, g)
		}
	})
}

// The rule of a value: what counts, in rounds of what weight.
func TestRuleOfValue(t *testing.T) {
	t.Parallel()
	binary := NormalityRule{Binary: true}
	of := func(ones, zeros int, target, p float64) *Value {
		v, before := &Value{}, NewPlugin(2)
		for i := range ones + zeros {
			row := Round{P: []float64{p, 1 - p}}
			if i < ones {
				row.Reward = 1
			}
			v.Add([]float64{target, 1 - target}, &row, &before)
		}
		return v
	}
	merged := func(a, b *Value) *Value { a.Merge(b); return a }
	for _, c := range []struct {
		name  string
		rule  NormalityRule
		v     *Value
		fails Part
	}{
		{"five of each", binary, of(5, 5, .5, .5), Kept},
		{"four successes", binary, of(4, 50, .5, .5), FewSeen},
		{"fourteen of numbers", NormalityRule{}, of(14, 50, .5, .5), FewSeen},
		{"all alike", binary, of(50, 0, .5, .5), NoVariation},
		{"none", binary, &Value{}, NoVariation},
		{"heavy, and enough of them", binary, of(5, 5, .9, .3), Kept},
		{"few of the heavy ones", binary, merged(of(50, 50, .5, .5), of(4, 50, .9, .3)), FewLow},
		{"few of the heavy ones, which are light", NormalityRule{Binary: true, StdErr: .001}, merged(of(5000, 5000, .5, .5), of(1, 1, .9, .3)), Kept},
	} {
		if f := c.rule.OfValue(c.v); f.Fails != c.fails || f.NeedsConstantMean {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

// A round with a larger weight than any that was seen makes the rule one of means that
// stand still; of rounds whose propensities are known only where an arm was played so
// does a mean weight that lacks much of 1.
func TestRuleOfValueUnseen(t *testing.T) {
	t.Parallel()
	binary, before := NormalityRule{Binary: true}, NewPlugin(3)
	v := &Value{}
	for i := range 100 {
		v.Add([]float64{.9, .1}, &Round{P: []float64{.3, .7}, Reward: float64(i % 2)}, &before)
	}
	if f := binary.OfValue(v); f.Fails != Kept || f.NeedsConstantMean || math.Abs(f.SeenLow-50) > 1e-9 || math.Abs(f.LowWeight-.9) > 1e-12 {
		t.Errorf("seen: %+v", f)
	}
	v.Add([]float64{.9, .1}, &Round{Arm: 1, P: []float64{.03, .97}}, &before)
	if f := binary.OfValue(v); f.Fails != Kept || !f.NeedsConstantMean || f.SeenLow > 1 {
		t.Errorf("unseen: %+v", f)
	}
	if f := binary.OfValue(ofPlayed(0)); f.Fails != Kept || f.NeedsConstantMean {
		t.Errorf("a weight of 1 throughout: %+v", f)
	}
	if z := ofPlayed(0).Lacking(); z != 0 {
		t.Errorf("a mean weight of 1 lacks %g standard errors", z)
	}
	v = &Value{} // a third of the weight lies on an arm that is never played
	for i := range 300 {
		v.Add([]float64{1. / 3, 1. / 3, 1. / 3}, &Round{Arm: i % 2, P: []float64{.5, .5, math.NaN()}, Reward: float64(i % 2)}, &before)
	}
	if z := v.Lacking(); !(z > 1e6) {
		t.Errorf("a mean weight of 2/3 lacks %g standard errors", z)
	}
	if f := binary.OfValue(ofPlayed(10)); f.Fails != Kept || !f.NeedsConstantMean {
		t.Errorf("some heavy ones: %+v", f)
	}
	v = &Value{} // all that has a weight is heavy, and half of the rounds have none
	for i := range 100 {
		v.Add([]float64{1, 0}, &Round{Arm: i % 2, P: [][]float64{{.4, math.NaN()}, {math.NaN(), .6}}[i%2], Reward: float64(i / 2 % 2)}, &before)
		v.Add([]float64{1, 0}, &Round{Arm: 1, P: []float64{math.NaN(), .6}}, &before)
	}
	if g := binary.OfValue(v).LowWeight; g != 1 {
		t.Errorf("rounds with a weight above 2 have %g of it", g)
	}
}

// ofPlayed is 100 rounds of weight 1 and some heavy ones, of which only the played
// propensity is known.
func ofPlayed(some int) *Value {
	v, before := &Value{}, NewPlugin(2)
	for i := range 100 + some {
		p := .5
		if i >= 100 {
			p = .2
		}
		v.Add([]float64{.5, .5}, &Round{P: []float64{p, math.NaN()}, Reward: float64(i % 2)}, &before)
	}
	return v
}
