package eprocess

import (
	"math"
	"testing"
)

// pairOf makes the small log a log of arms a and b.
func pairOf(a, b int, known bool) *DifferenceProcess {
	e := NewEffect()
	for _, r := range smallLog() {
		p := Played{Arm: Neither, Reward: r.reward}
		switch r.arm {
		case a:
			p.Arm = 0
		case b:
			p.Arm = 1
		}
		if known || p.Arm == 0 {
			p.P[0] = Exactly(r.p[a])
		}
		if known || p.Arm == 1 {
			p.P[1] = Exactly(r.p[b])
		}
		e.Add(p)
	}
	return e
}

// A one-sided interval is what its side does not reject: where the side's evidence against a
// value is 1/α, the interval ends, and its other end is that of all values.
func TestEffectOfOneSide(t *testing.T) {
	t.Parallel()
	e := NewEffect()
	for i := range 400 {
		r := Played{Arm: i % 2, P: [2]Span{Exactly(.5), Exactly(.5)}}
		if r.Arm == 0 && i%10 < 8 || r.Arm == 1 && i%10 < 5 {
			r.Reward = 1
		}
		e.Add(r)
	}
	logAlpha := math.Log(.05)
	up, high, _ := e.Interval(logAlpha, func(s Sides) float64 { return s.Up })
	low, down, _ := e.Interval(logAlpha, func(s Sides) float64 { return s.Down })
	lo, hi, _ := e.Interval(logAlpha, BothSides)
	near(t, "evidence at the lower end", e.Evidence(up).Up, -logAlpha, 1e-6)
	near(t, "evidence at the upper end", e.Evidence(down).Down, -logAlpha, 1e-6)
	near(t, "the end of all values", high, 1, 0)
	near(t, "the other end of all values", low, -1, 0)
	if up <= lo || down >= hi {
		t.Errorf("by one side [%g, …] and […, %g], by both [%g, %g]", up, down, lo, hi)
	}
}

func TestEffectReference(t *testing.T) {
	t.Parallel()
	logAlpha := math.Log(.05)

	plain := pairOf(2, 0, false)
	lo, hi, ok := plain.Interval(logAlpha, BothSides)
	if !ok {
		t.Fatal("the interval by weights is empty")
	}
	near(t, "lower end", lo, -.7814011636, 1e-9)
	near(t, "upper end", hi, .9523956421, 1e-9)
	near(t, "ln e(0)", plain.Evidence(0).Both, -.3918812704, 1e-9)

	both := pairOf(2, 0, true)
	lo, hi, ok = both.Interval(logAlpha, BothSides)
	if !ok {
		t.Fatal("the interval with the plug-in is empty")
	}
	near(t, "lower end with the plug-in", lo, -.8084326575, 1e-9)
	near(t, "upper end with the plug-in", hi, .9652075913, 1e-9)
	for delta, want := range map[float64]float64{0: -.4129539158, -.9: .640349926405} {
		got := logMean(both.bets.against(aroundUp, delta), both.bets.against(aroundDown, delta))
		near(t, "ln e around the plug-in", got, want, 1e-9)
	}
}
