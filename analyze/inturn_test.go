package analyze_test

import (
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestInTurn: in the first batch no reward is known. The declared policy goes on with the
// first arm; a log that goes through the arms in turn is not accused of it, and one that
// begins otherwise is.
func TestInTurn(t *testing.T) {
	const source = `version: 1
experiment: {id: begin, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: ucb, width: {c: 2}, update: {every: 20}}
counter: {name: exact}
`
	for name, c := range map[string]struct {
		arm  func(i int) int
		want schemas.Verdict
	}{
		"as declared": {func(int) int { return 0 }, schemas.Verified},
		"in turn":     {func(i int) int { return i % 2 }, schemas.NotEstablished},
		"otherwise":   {func(int) int { return 1 }, schemas.Violated},
	} {
		rows := make([]logfile.Row, 20)
		for i := range rows {
			rows[i] = logfile.Row{Arm: c.arm(i), Reward: float64(i / 3 % 2)}
		}
		l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool}, rows)
		l.replay(t)
		if f := claim(t, l.analyse(t, 1), conforms); f.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, f.Verdict, f.Reason, c.want)
		}
	}
}
