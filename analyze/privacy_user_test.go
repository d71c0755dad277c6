package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestPrivacyOfOneUser has eight rounds of one user, a binary tree of ε = 1 and the
// horizon 8. Over the sequences of UCB, which plays each of two arms once first, she loses
// 4 at most and on the logged actions; where any arm can be drawn in any round, 5. Both
// are enumerated over all 256 sequences by a second program (Python).
func TestPrivacyOfOneUser(t *testing.T) {
	const (
		ucb     = "{name: ucb, width: {c: 2}}"
		epsilon = "{name: epsilon-greedy, explore: 0.1}"
		binary  = "{name: binary, epsilon: 1, horizon: 8}"
		exact   = "{name: exact}"
	)
	for _, c := range []struct {
		policy, counter, privacy string
		want                     schemas.Verdict
		observed, reason         string // the end of it
	}{
		{ucb, binary, "epsilon: 6", schemas.Verified, "ε = 4 for a user with 8 rounds, of the declared mechanism", ""},
		{ucb, binary, "epsilon: 4", schemas.Verified, "ε = 4 for a user with 8 rounds, of the declared mechanism", ""},
		{ucb, binary, "epsilon: 3.999", schemas.Violated, "ε = 4 for a user with 8 rounds, of the declared mechanism", "a user with 8 rounds loses at least 4 (on the logged actions); the claim is 3.999"},
		{epsilon, binary, "epsilon: 5", schemas.Verified, "ε = 5 for a user with 8 rounds, of the declared mechanism", ""},
		{epsilon, binary, "epsilon: 4.5", schemas.Violated, "ε = 5 for a user with 8 rounds, of the declared mechanism", "a user with 8 rounds loses at least 5 (a sequence of actions is shown); the claim is 4.5"},
		{ucb, binary, "definition: approximate, delta: 1e-9, epsilon: 3", schemas.NotEstablished, "", "it is an upper bound, and does not show that the mechanism loses as much"},
		{ucb, binary, "definition: zcdp, rho: 2", schemas.Verified, "ρ = 1.064023334 of the declared mechanism", ""},
		{ucb, binary, "definition: zcdp, rho: 1", schemas.NotEstablished, "ρ = 1.064023334 of the declared mechanism", "it is an upper bound, and does not show that the mechanism loses as much"},
		// Seven decisions know of a reward, and each loses ln 19 at most, however many
		// rewards change.
		{epsilon, exact, "epsilon: 20.7", schemas.Verified, "ε at most 20.62 for a user with 8 rounds, of the declared mechanism", ""},
		{epsilon, exact, "epsilon: 20", schemas.NotEstablished, "ε at most 20.62 for a user with 8 rounds, of the declared mechanism", "it bounds what the policy's draws give away, which does not show that they give away as much"},
	} {
		rows := make([]logfile.Row, 8)
		for i := range rows {
			rows[i] = logfile.Row{Round: int64(i + 1), Arm: i % 2, Reward: float64(i % 2), Unit: "u"}
		}
		spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, Unit: true}
		source := fmt.Sprintf("version: 1\nexperiment: {id: up, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, unit: unit}\narms: [a, b]\nreward: {range: [0, 1]}\npolicy: %s\ncounter: %s\nprivacy: {unit: user, %s}\n", c.policy, c.counter, c.privacy)
		f := claim(t, written(t, t.TempDir(), source, spec, rows).analyse(t, 1), total)
		if f.Verdict != c.want || c.observed != "" && f.Observed != c.observed || !strings.HasSuffix(f.Reason, c.reason) {
			t.Errorf("%s × %s, %s: %s, observed %q, reason %q\nwant %s, %q, %q", c.policy, c.counter, c.privacy, f.Verdict, f.Observed, f.Reason, c.want, c.observed, c.reason)
		}
	}
}
