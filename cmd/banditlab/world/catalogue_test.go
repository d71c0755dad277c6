package world

import (
	"slices"
	"testing"

	"banditaudit/analyze"
	"banditaudit/replay"
)

// TestWorldsAreWhole: what every world must say, and that it says of rewards
// what they are.
func TestWorldsAreWhole(t *testing.T) {
	specs := worlds()
	for _, w := range Worlds() {
		t.Run(w.Name, func(t *testing.T) {
			if w.Doc == "" || len(w.Takes) == 0 || w.Law == nil {
				t.Fatal("it lacks a sentence, its parameters, or a law")
			}
			s := specs[w.Name]
			env := newStaged(lawOf(t, s), scene{dim: 2}, replay.Seed(1), "e")
			if k, what := w.Arms(s); k != 3 || what == "" {
				t.Errorf("it has %d %s for 3 arms", k, what)
			}
			binary, inside := true, true
			for r := int64(1); r <= 2000; r++ {
				in := &replay.Round{X: make([]float64, 2)}
				env.Context(r, in.X)
				env.Enter(r, in)
				y := env.Reward(r, 0)
				binary, inside = binary && (y == 0 || y == 1), inside && y >= 0 && y <= 1
			}
			if binary != w.Binary || inside == w.Outside {
				t.Errorf("rewards are 0 or 1: %v, from 0 to 1: %v; it says %v and %v", binary, inside, w.Binary, !w.Outside)
			}
			if w.Contexts && lawOf(t, s).Means() != nil {
				t.Error("what depends on contexts has no mean of its own")
			}
		})
	}
}

// TestFaultsAreWhole: what every fault must say. A fault is of noise or of
// propensities, and only those can have what belongs to them.
func TestFaultsAreWhole(t *testing.T) {
	c := Standard()
	var names []string
	for _, f := range c.Faults {
		names = append(names, f.Name)
	}
	for i, f := range c.Faults {
		if f.Name == "" || f.Doc == "" || f.Deploy == nil || slices.Contains(names[:i], f.Name) {
			t.Errorf("%s lacks a name of its own, a sentence, or what it changes", f.Name)
		}
		if f.Noise && f.Propensity || !f.Noise && (f.Anew || f.Alone != "") || !f.Propensity && (f.Uneven || f.Improper) {
			t.Errorf("%s says what does not go together: %+v", f.Name, f)
		}
		for other, why := range f.Excludes {
			if !slices.Contains(names, other) || why == "" {
				t.Errorf("%s excludes %s, which there is not, or not why", f.Name, other)
			}
		}
	}
	if got := c.World(""); got.Name != "bernoulli" || c.World("x").Law != nil || c.World("x").Name != "x" {
		t.Errorf("without a name the world is %s", got.Name)
	}
	if got := c.Takers("sd"); !slices.Equal(got, []string{"gaussian", "linear"}) {
		t.Errorf("%v take --sd", got)
	}
}

// full is the standard catalogue with what can be asked, which a starter's
// protocol asks.
func full() *replay.Catalogue { return analyze.Standard() }
