package report

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// The report names what neighbours match, with the keys to declare, and says that it is no
// verdict; where none explains enough it says how many were tried, and what was not.
func TestHintsInTheReport(t *testing.T) {
	h := &schemas.Hints{Rounds: 3000, Matched: 2990, Left: 30, Tried: 166, Named: []schemas.Hint{
		{Declare: []string{"width: {alpha: 1}", "unfit: identity"}, Without: []string{"theta_bound", "noise_sd"}, Matched: 3000, Rounds: 3000},
	}}
	shown := func() string {
		r := homepage()
		r.Experiments[0].Replay.Hints = h
		return markdownOf(t, r)
	}
	for _, want := range []string{
		"3,000 of 3,000 rounds match with width: {alpha: 1}, unfit: identity, and without theta\\_bound and noise\\_sd (of 166 neighbours of the declared options that were tried; a hint, not a verdict).",
		"Neighbours that match more rounds: hints, and no verdict", "without theta\\_bound, noise\\_sd", "/experiments/0/replay/hints/neighbours",
	} {
		if got := shown(); !strings.Contains(got, want) && !strings.Contains(got, strings.ReplaceAll(want, `\_`, "_")) {
			t.Errorf("the report does not say %q", want)
		}
	}
	h.Named, h.Untried, h.Replayed = nil, 12, 200_000_000
	const want = "none of 166 neighbours of the declared options that were tried explains half of the rounds that differ, or more (each was left at mismatch number 30 at the latest); 12 more were not tried to their end, for 200,000,000 rounds of replay are all that is spent on it."
	if got := shown(); !strings.Contains(got, want) || strings.Contains(got, "hints, and no verdict") {
		t.Errorf("the report does not say %q", want)
	}
}
