package policy

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas/param"
)

// varied is a policy of one round with a value x of the key that its curve varies; nil
// where no such policy is declared here.
func varied(name string, curve int, x float64) Policy {
	switch name {
	case "inverse-gap":
		return NewInverseGap(4, Gamma{Scale: x}, false, Draws{})
	case "softmax":
		return NewSoftmax(4, x, nil)
	case "epsilon-greedy":
		return NewEpsilonGreedy(4, []Explore{{Constant: x}, {Decay: x}}[curve], Draws{})
	}
	return nil
}

// TestCurvesAreThePolicy: along a curve lie the propensities of the policy with that
// value, from those of the base, whatever could be played.
func TestCurvesAreThePolicy(t *testing.T) {
	declared := map[string]param.Values{"softmax": {"eta": 0.2}, "epsilon-greedy": {"explore": 0.1}, "inverse-gap": {"gamma": 0.5}}
	based := map[string]float64{"softmax": 0.2, "epsilon-greedy": 0, "inverse-gap": 0.5}
	for _, d := range All() {
		for _, refit := range d.Tunable {
			if refit.Curves == nil {
				continue
			}
			curves := refit.Curves(declared[d.Name])
			if !slices.ContainsFunc(curves, func(c Curve) bool { return c.Declared != nil }) {
				t.Errorf("%s: no curve has the declared value", d.Name)
			}
			rapid.Check(t, func(r *rapid.T) {
				i := rapid.IntRange(0, len(curves)-1).Draw(r, "curve")
				s := NewState(4)
				s.Round = rapid.Int64Range(1, 50).Draw(r, "round")
				s.Scores = s.Sums
				for a := range s.Sums {
					s.Pulls[a], s.Played[a] = 10, 10
					s.Sums[a] = rapid.Float64Range(0, 10).Draw(r, "sum")
				}
				if rapid.Bool().Draw(r, "not all") {
					s.Eligible = []bool{rapid.Bool().Draw(r, "first"), true, rapid.Bool().Draw(r, "third"), true}
				}
				x := rapid.Float64Range(1e-3, min(1, curves[i].Most(s.Round))).Draw(r, "x")
				from, want, got := make([]float64, 4), make([]float64, 4), make([]float64, 4)
				varied(d.Name, 0, based[d.Name]).Propensities(s, from)
				varied(d.Name, i, x).Propensities(s, want)
				curves[i].At(s, from, x, got)
				for a := range got {
					if math.Abs(got[a]-want[a]) > 1e-12 {
						r.Fatalf("%s, x = %g: %v, want %v", d.Name, x, got, want)
					}
				}
			})
		}
	}
}

// TestRefitsAreKeys: what an explanation varies is a key of the policy, and what is
// fitted reads back.
func TestRefitsAreKeys(t *testing.T) {
	for _, d := range All() {
		for _, refit := range d.Tunable {
			if !slices.ContainsFunc(d.Keys, func(k param.Key) bool { return k.Name == refit.Key }) || (refit.Curves == nil) == (refit.Grid == nil) {
				t.Errorf("%s: %s is no key, or is varied in no way, or in two", d.Name, refit.Key)
			}
			if refit.Grid == nil {
				continue
			}
			for _, declared := range []param.Values{betaPrior(3, 4), normalPrior(.5, 2, .25)} {
				for _, v := range refit.Grid(declared) {
					back := refit.Of(refit.Numbers(v))
					for key := range declared {
						if math.Abs(back.Float(key)-v.Float(key)) > 1e-12*math.Abs(v.Float(key)) {
							t.Errorf("%s: %v reads back as %v", d.Name, v, back)
						}
					}
				}
			}
		}
	}
}

// TestSharpest: the propensity of an arm rises along η up to there, and falls beyond.
func TestSharpest(t *testing.T) {
	s := NewState(3)
	pi, dst := []float64{.2, .5, .3}, make([]float64, 3)
	for arm := range pi {
		at := sharpest(s, pi, arm)
		chance := func(c float64) float64 {
			temper(s, pi, c, dst)
			return dst[arm]
		}
		most := chance(at)
		for _, c := range []float64{0, at / 2, at * .99, at*1.01 + 1e-3, 2*at + 1, mostTempering} {
			if chance(c) > most+1e-15 {
				t.Errorf("arm %d: %g at %g, %g at %g", arm, most, at, chance(c), c)
			}
		}
	}
}
