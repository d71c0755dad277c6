package eprocess

import (
	"math"
	"testing"
)

func TestValueReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		bets        *Value
		target      [3]float64
		lo, hi      float64
		at, up, own float64 // ln of the evidence at a value, of its upper side and of both; up is NaN where it is not given
	}{
		{"uniform", NewValue(3), [3]float64{1. / 3, 1. / 3, 1. / 3}, .164730823466, .953132327025, .3, .77312725792, .33936435947},
		{"fixed", NewValue(3), [3]float64{.1, .1, .8}, .19427957257, .986385029784, .3, 1.4843396586, .91084133355},
		{"uniform, gain", NewGain(3), [3]float64{1. / 3, 1. / 3, 1. / 3}, -.440224872855, .280638553811, 0, math.NaN(), .309122253674},
		{"fixed, gain", NewGain(3), [3]float64{.1, .1, .8}, -.39622045164, .520865624738, 0, math.NaN(), -.157542115671},
	} {
		for _, r := range smallLog() {
			c.bets.Add(&Target{Arm: r.arm, P: Exactly(r.p[r.arm]), Target: c.target[r.arm], Reward: r.reward})
		}
		lo, hi, ok := c.bets.Interval(math.Log(.05))
		if !ok {
			t.Fatal(c.name + ": the interval is empty")
		}
		near(t, c.name+", lower end", lo, c.lo, 1e-10)
		near(t, c.name+", upper end", hi, c.hi, 1e-10)
		e := c.bets.Evidence(c.at)
		near(t, c.name+", both", e.Both, c.own, 1e-10)
		if !math.IsNaN(c.up) {
			near(t, c.name+", up", e.Up, c.up, 1e-10)
		}
	}
}

// A round that played an arm which the other policy never plays earns that policy
// nothing, also where the arm's propensity may be as small as 0.
func TestValueOfAnUnlikelyRound(t *testing.T) {
	t.Parallel()
	v := NewValue(2)
	for range 3 {
		v.Add(&Target{Arm: 0, P: Exactly(.5), Target: 1, Reward: 1, AllP: []float64{.5, .5}, AllTarget: []float64{1, 0}})
		v.Add(&Target{Arm: 1, P: Span{Lo: 0, Hi: 1e-9}, Target: 0, Reward: 1, AllP: []float64{.5, 0}, AllTarget: []float64{1, 0}})
	}
	if e := v.Evidence(.5); math.IsNaN(e.Both) || math.IsInf(e.Both, 0) {
		t.Errorf("%+v", e)
	}
}
