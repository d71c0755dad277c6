package analyze_test

import (
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestPropensitiesExplained: a claim that logged propensities contradict says
// where, how far at most, within which tolerance, and what fits of what was tried.
func TestPropensitiesExplained(t *testing.T) {
	rows := make([]logfile.Row, 400)
	for i := range rows {
		rows[i] = logfile.Row{Arm: i % 2, Reward: float64(i / 2 % 2), Propensity: 0.5}
	}
	source := strings.Replace(uniform, ", seed: {file: seed.hex}", "", 1)
	source = strings.Replace(source, "propensity: propensity", "propensity: propensity, propensity_resolution: 1e-3", 1)
	base := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows)
	if f := claim(t, base.analyse(t, 1), conforms); f.Verdict != schemas.Consistent || !strings.Contains(f.Procedure, ", and their declared resolution (log.propensity_resolution: 0.001)") {
		t.Errorf("%s by %q", f.Verdict, f.Procedure)
	}
	const found = "recomputed propensities equal the logged ones; in any round, a propensity further off than 1e-6 of the larger and 1e-8"
	if f := claim(t, base.analyse(t, 1), conforms); f.Statement != "Every logged propensity is the one that the declared policy gives." || !strings.HasPrefix(f.Reason, found) {
		t.Errorf("%q, because %q", f.Statement, f.Reason)
	}
	stale := schemas.Hypothesis{Name: "stale", Words: "the propensities are those of the update before.", Rows: 400, Explained: 4}
	floor := schemas.Hypothesis{Name: "floor", Words: "a floor of 0.01 is mixed in.", Rows: 400, Explained: 399, Fits: true}
	tested := schemas.Hypothesis{Name: "floor", Words: "a floor of 0.01 is mixed in.", Rows: 400, P: new(0.3), Fits: true}
	settled := schemas.Hypothesis{Name: "floor", Words: "a floor of 0.01 is mixed in.", Rows: 400, Explained: 400, Declared: new(int64(390)), Fits: true, Settles: new("policy.floor: 0.01")}
	for _, c := range []struct {
		name  string
		tried []schemas.Hypothesis
		want  string // the end of the reason
	}{
		{"nothing tried", nil, "the most in round 300 (0.9 of arm b, and not 0.5)"},
		{"nothing fits", []schemas.Hypothesis{stale, {Name: "floor", Words: "x"}, stale}, "and not 0.5). None of the explanations tried fits: another floor that is mixed in, propensities of another moment"},
		{"one fits", []schemas.Hypothesis{stale, floor}, "and not 0.5). What fits: a floor of 0.01 is mixed in (explains 399 of 400 rows on which it was tried)"},
		{"one that says which key would settle it", []schemas.Hypothesis{settled, stale}, "What fits: a floor of 0.01 is mixed in (explains 400 of 400 rows on which it was tried, and the declared policy 390); if that is what ran, declare policy.floor: 0.01"},
		{"one that is tested and not compared row by row fits", []schemas.Hypothesis{stale, tested}, "What fits: a floor of 0.01 is mixed in"},
	} {
		l := *base
		l.replays = []schemas.ReplayExperiment{base.replays[0]}
		r := &l.replays[0].Conformance
		p := *r.Propensities
		r.Propensities = &p
		r.Matched, p.Matched = 390, 390
		p.FirstMismatch = &schemas.PropensityMismatch{Round: 17, Arm: "a", Logged: 0.51, Replayed: 0.5}
		p.Worst = &schemas.PropensityMismatch{Round: 300, Arm: "b", Logged: 0.9, Replayed: 0.5}
		r.FirstMismatch, r.LastMismatch = &schemas.Mismatch{Round: 17, Logged: "a", Replayed: "a"}, new(int64(300))
		p.Hypotheses = c.tried
		f := claim(t, l.analyse(t, 1), conforms)
		const begins = "round 17: logged propensity 0.51 of arm a, the policy plays it with 0.5; the propensities of 10 of 400 rounds differ, "
		if f.Verdict != schemas.Violated || !strings.HasPrefix(f.Reason, begins) || !strings.HasSuffix(f.Reason, c.want) {
			t.Errorf("%s: %s, %q", c.name, f.Verdict, f.Reason)
		}
	}
}
