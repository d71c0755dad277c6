package diagnose

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas"
)

// TestHypothesesAreDescribed: every hypothesis has a name of its own, with words for
// readers, and a judge.
func TestHypothesesAreDescribed(t *testing.T) {
	var names []string
	for _, h := range All() {
		if (&schemas.Hypothesis{Name: h.Name}).Kind() == h.Name {
			t.Errorf("%s has no words in schemas/results_hypotheses.go", h.Name)
		}
		if slices.Contains(names, h.Name) || h.Replay == nil && h.Actions == nil {
			t.Errorf("%s is there twice, or is never tried", h.Name)
		}
		names = append(names, h.Name)
	}
}

// TestRanked: what fits comes first, then what explains most, on most rows, and what
// stands first in the list.
func TestRanked(t *testing.T) {
	made := func(name string, fits bool, explains float64, rows int64, order int) Explanation {
		return Explanation{Hypothesis: schemas.Hypothesis{Name: name, Fits: fits, Rows: rows}, explains: explains, order: order}
	}
	all := []Explanation{
		made("f", false, math.Inf(-1), 9, 0), made("e", false, .9, 9, 9), made("d", true, .2, 9, 2),
		made("c", true, .5, 8, 1), made("b", true, .5, 9, 2), made("a", true, .5, 9, 1),
	}
	for i, e := range ranked(all) {
		if want := string(rune('a' + i)); e.Name != want {
			t.Errorf("place %d: %s, want %s", i, e.Name, want)
		}
	}
}

// TestFitsExplainsMoreThanDeclared: whatever a tally holds, it fits only where it
// explains more rows than the declared policy, and more than two of those that the
// declared policy does not explain for each number that was fitted.
func TestFitsExplainsMoreThanDeclared(t *testing.T) {
	fitted := 0
	rapid.Check(t, func(r *rapid.T) {
		tt := tally{free: rapid.IntRange(0, 2).Draw(r, "fitted")}
		good := rapid.SampledFrom([]float64{0, .5, .995, 1}).Draw(r, "share")
		for i := range rapid.IntRange(0, 400).Draw(r, "rows") {
			tt.count(i%3 == 0, float64(i%200) < 200*good)
		}
		j := Tolerance{Starting: rapid.Bool().Draw(r, "starting"), Arithmetic: rapid.Bool().Draw(r, "arithmetic")}
		if !tt.fits(&j) {
			return
		}
		fitted++
		if tt.explained <= tt.declared() || tt.mended <= int64(2*tt.free) || j.Starting || j.Arithmetic && tt.free > 0 {
			r.Fatalf("%+v fits, by %+v", tt, j)
		}
	})
	if fitted == 0 {
		t.Error("nothing ever fits")
	}
}

// actionsOf are n rounds of two arms, as logged with p and 1 − p.
func actionsOf(t *testing.T, n int, p float64, arm func(i int) int) *Actions {
	t.Helper()
	rounds := func(visit func(r *Row)) {
		for i := range n {
			r := Row{Row: int64(i), Arms: 2, Arm: arm(i), ByArm: []float64{p, 1 - p}}
			r.P = r.ByArm[r.Arm]
			visit(&r)
		}
	}
	return &Actions{
		Context: t.Context(), Rounds: rounds, Arms: 2, Total: int64(n), ByArm: true, Name: func(arm int) string { return string(rune('a' + arm)) },
		Test: func(Law) (float64, bool, error) { return .5, false, nil },
	}
}

// TestActionsAreLikelier: a hypothesis fits only where actions are likelier under it
// than as logged, whatever the test says; a toy of a list is tried as those of All.
func TestActionsAreLikelier(t *testing.T) {
	a := actionsOf(t, 300, .2, func(i int) int { return min(1, i%5) }) // arm a in a fifth of rounds, as logged
	toy := Cause{Name: "toy", Actions: func(a *Actions) []Explanation {
		return []Explanation{a.tries("toy", "as logged", func() Law { return func(_ *Row, from, dst []float64) { copy(dst, from) } })}
	}}
	found, err := a.Explain(append(All(), toy))
	if err != nil || len(found) != 6 { // no exchange gains
		t.Fatalf("%d hypotheses were tried: %v", len(found), err)
	}
	for _, h := range found {
		if h.Fits {
			t.Errorf("%s fits actions as logged: %s", h.Name, h.Words)
		}
	}
	a = actionsOf(t, 300, .2, func(i int) int { return max(0, 1-i%5) }) // arm b instead
	if found, err = a.Explain(append(All(), toy)); err != nil || found[0].Name != "swapped" || !found[0].Fits {
		t.Errorf("the arms are exchanged, and first is %+v: %v", found[0], err)
	}
	for _, h := range found {
		if h.Name == "toy" && h.Fits {
			t.Error("what explains no more than the log fits")
		}
	}
}
