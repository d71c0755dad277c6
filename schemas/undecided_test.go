package schemas

import (
	"strings"
	"testing"
)

// What is missing or empty in a protocol of init names the line that is open.
func TestUndecided(t *testing.T) {
	const start = `version: 1
experiment: {id: e}
log:
  # DECIDE: in which order were the rounds played? No column looks like time or a
  # sequence.
  # order: [COLUMN]
  # propensity: COLUMN             # no column looks like it
  action: a
  # reward: reward                 # DECIDE: no column looks like a reward.
reward:
  # DECIDE: the range that was agreed before the experiment
  # range: [0, 1]
  # out_of_range: error            # error | clip
# policy: {name: ucb}              # DECIDE: what chose the actions
`
	_, err := standard().ParseProtocol("p", []byte(start))
	if err == nil {
		t.Fatal("valid")
	}
	got := strings.Split(err.Error(), "\n")
	if len(got) != 3 {
		t.Fatalf("got\n%s", err)
	}
	for i, want := range []string{"log.order is missing line 6", "log.reward is missing line 9", "reward is empty line 12"} {
		what, line, _ := strings.Cut(want, " line ")
		if !strings.Contains(got[i], ": "+what+" (") || !strings.Contains(got[i], "; line "+line+", marked DECIDE, is still a comment") {
			t.Errorf("%s: %s", want, got[i])
		}
	}
	// A comment that nobody marked is no decision.
	_, err = standard().ParseProtocol("p", []byte(strings.ReplaceAll(start, "DECIDE", "NOTE")))
	if err == nil || strings.Contains(err.Error(), "marked") {
		t.Errorf("got %v", err)
	}
}
