package accounting

import (
	"context"
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestNotes: for every definition and unit the notes say the same of arms, name
// no definition that was not claimed, and add up what is of one unit.
func TestNotes(t *testing.T) {
	const (
		rows  = "The total, in ε as in ρ, is then that of the row that can lose most."
		round = "The total of one round, in ε as in ρ, is then that of the row that can lose most."
		users = "A user has up to 3 rounds in this experiment, in one arm or in several."
		once  = "No user has more than one round in this experiment."
		delta = "ε at the claimed δ is the smaller of the ε of pure privacy and of what ρ converts to."
	)
	several, single := []int64{0, 1, 0, 0}, []int64{0, 1, 2, 3}
	for _, claim := range []schemas.Privacy{
		{},
		{Definition: "pure", Epsilon: schemas.MustRational("1")},
		{Definition: "approximate", Epsilon: schemas.MustRational("1"), Delta: new(1e-6)},
		{Definition: "zcdp", Rho: schemas.MustRational("0.5")},
	} {
		for _, c := range []struct {
			unit      string
			units     []int64
			say, keep []string
		}{
			{"round", nil, []string{rows}, []string{round, "A user has", "No user"}},
			{"round", several, []string{rows}, []string{round, "A user has", "No user"}},
			{"user", several, []string{round, users}, []string{rows}},
			{"user", single, []string{round, once}, []string{rows, "A user has"}},
			{"user", nil, []string{round, "log.unit is missing"}, []string{rows, "A user has", delta}},
		} {
			say, keep := c.say, append([]string{"parallel", "under pure"}, c.keep...)
			if claim.Definition == "approximate" && (c.unit == "round" || c.units != nil) {
				say = append(slices.Clone(say), delta)
			} else {
				keep = append(keep, "pure", "δ")
			}
			p, v := protocol("ucb", "hybrid"), claim
			v.Unit = c.unit
			p.Privacy = &v
			h := &history{arm: []int32{0, 1, 1, 0}, round: []int64{1, 2, 3, 4}, unit: c.units}
			a, _, err := declare(t, p).Account(context.Background(), h.slice(t))
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(a.Notes, "\n")
			for _, s := range say {
				if !strings.Contains(notes, s) {
					t.Errorf("%s, %s: no note says %q:\n%s", claim.Definition, c.unit, s, notes)
				}
			}
			for _, s := range keep {
				if strings.Contains(notes, s) {
					t.Errorf("%s, %s: a note says %q:\n%s", claim.Definition, c.unit, s, notes)
				}
			}
		}
	}
}

// TestNotesOfDraws: an accounting of draws says what it is of, and one without a
// bound why there is none.
func TestNotesOfDraws(t *testing.T) {
	for policy, want := range map[string]string{
		"softmax":  "They are those of the actions alone, and upper bounds: released values or propensities that others see are functions of the rewards, and void it.",
		"thompson": "no ε is known: no bound is known for what the draws of this policy give away of exact sums.",
		"ucb":      "nothing that it draws hides them.",
	} {
		p := protocol(policy, "exact")
		switch policy {
		case "softmax":
			p.Policy.Set("eta", 0.1)
		case "thompson":
			p.Policy.Set("prior", schemas.Values{"alpha": 1.0, "beta": 1.0})
		}
		p.Arms = arms()
		h := &history{arm: []int32{0, 1, 1, 0}, round: []int64{1, 2, 3, 4}}
		a, _, err := declare(t, p).Account(context.Background(), h.slice(t))
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(a.Notes, "\n"); !strings.Contains(notes, want) {
			t.Errorf("%s: no note says %q:\n%s", policy, want, notes)
		}
	}
}
