package ipw

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The small log of testdata/reference/anytime.py.
func smallLog() []Round {
	p := [4][]float64{{1. / 3, 1. / 3, 1. / 3}, {.4, .2, .4}, {.3, .2, .5}, {.2, .1, .7}}
	rewards := []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}
	out := make([]Round, len(rewards))
	for i, arm := range []int{1, 2, 3, 1, 1, 3, 2, 3, 3, 2, 3, 1} {
		out[i] = Round{Arm: arm - 1, Reward: rewards[i], P: p[i/3]}
	}
	return out
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

// share weighs by p.
func share(p float64) float64 { return p }

// The numbers are those of the project's own derivation, made by a second program;
// IPW and SNIPW do not depend on a plug-in and are those of
// gsbDBI/adaptive-confidence-intervals at 5c2057b, recomputed.
func TestArmsReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		weigh             Weighting
		mean, se          [3]float64
		contrast, spreads [2]float64
	}{
		{"uniform", nil, [3]float64{.8229166667, -.1180555556, .9882936508}, [3]float64{.2506321579, .1800763763, .1134662906}, [2]float64{.1653769841, 1.1063492063}, [2]float64{.2867915187, .1844423641}},
		{"root", Root, [3]float64{.7860479030, -.0936526858, .9869019364}, [3]float64{.2583812470, .1768864871, .0978774466}, [2]float64{.2008540334, 1.0805546223}, [2]float64{.2857193311, .1706640356}},
		{"share", share, [3]float64{.7511261261, -.0766666667, .9852011494}, [3]float64{.2711808974, .1860105373, .0836028362}, [2]float64{.2340750233, 1.0618678161}, [2]float64{.2907395386, .1733767612}},
	} {
		none := NewPlugin(3)
		a := NewArms(&none, true, [][2]int{{2, 0}, {2, 1}}, c.weigh)
		for _, r := range smallLog() {
			a.Add(&r)
		}
		for i := range 3 {
			near(t, c.name+" AIPW", a.AIPW(0, i).Value(), c.mean[i])
			near(t, c.name+" AIPW's error", a.AIPW(0, i).StdErr(), c.se[i])
			near(t, "IPW", a.IPW(i).Value(), [3]float64{.875, 0, .9107142857142857}[i])
			near(t, "IPW's error", a.IPW(i).StdErr(), [3]float64{.4644478502, 0, .3263647649}[i])
			near(t, "SNIPW", a.SNIPW(i).Value(), [3]float64{.8076923077, 0, 1}[i])
			near(t, "SNIPW's error", a.SNIPW(i).StdErr(), [3]float64{.1814769844, 0, 0}[i])
			near(t, "ESS", a.SNIPW(i).ESS(), [3]float64{3.6344086022, 2.4179104478, 4.7224127496}[i])
		}
		for i := range 2 {
			near(t, c.name+" contrast", a.Against(i).Value(), c.contrast[i])
			near(t, c.name+" contrast's error", a.Against(i).StdErr(), c.spreads[i])
		}
	}
}

// A log that is read in two parts gives what it gives in one.
func TestArmsMerge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rounds := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Round {
			p := []float64{rapid.SampledFrom([]float64{0, .2, .5}).Draw(t, "p0"), .3, rapid.Float64Range(.01, .2).Draw(t, "p2")}
			return Round{Arm: rapid.IntRange(1, 2).Draw(t, "arm"), P: p, Least: []float64{.9 * p[0], .29, p[2] - .005}, Reward: rapid.Float64Range(0, 1).Draw(t, "y")}
		}), 1, 40).Draw(t, "rounds")
		cut := rapid.IntRange(0, len(rounds)).Draw(t, "cut")
		none := NewPlugin(3)
		pairs := [][2]int{{1, 2}, {0, 1}}
		whole, first := NewArms(&none, true, pairs, nil, Root), NewArms(&none, true, pairs, nil, Root)
		for i := range rounds {
			whole.Add(&rounds[i])
			if i < cut {
				first.Add(&rounds[i])
			}
		}
		second := NewArms(&first.plugin, true, pairs, nil, Root)
		for i := range rounds[cut:] {
			second.Add(&rounds[cut+i])
		}
		first.Merge(second)
		same := func(what string, got, want, size float64) {
			if !(math.Abs(got-want) <= 1e-12*max(size, math.Abs(want))) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%s: %g in two parts, %g in one", what, got, want)
			}
		}
		// A variance is a difference of sums of that of its parts, and is compared at their size.
		for i := range 3 {
			same("mean", first.AIPW(1, i).Value(), whole.AIPW(1, i).Value(), 1)
			same("variance", math.Pow(first.AIPW(1, i).StdErr(), 2), math.Pow(whole.AIPW(1, i).StdErr(), 2), 1)
			same("rows", float64(first.IPW(i).N), float64(whole.IPW(i).N), 0)
			same("ESS", first.SNIPW(i).ESS(), whole.SNIPW(i).ESS(), 1)
			same("low share", first.AIPW(1, i).LowShare, whole.AIPW(1, i).LowShare, 1)
			same("move", first.AIPW(1, i).Move().Value, whole.AIPW(1, i).Move().Value, 0)
			same("move of the ratio", first.MoveSNIPW(i).Value, whole.MoveSNIPW(i).Value, 1e-4) // a root of what cancels
			same("move of the error", first.MoveIPW(i).StdErr, whole.MoveIPW(i).StdErr, 0)
			same("largest weight", first.AIPW(0, i).Largest, whole.AIPW(0, i).Largest, 0)
		}
		for i := range pairs {
			same("contrast", first.Against(i).Value(), whole.Against(i).Value(), 1)
			if whole.Against(i).Rows() > 0 {
				v, of := whole.Against(i).variance()
				again, _ := first.Against(i).variance()
				same("contrast's variance", again, v, max(1, of))
			}
		}
	})
}
