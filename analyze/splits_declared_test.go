package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// seededSource declares the policy with its seed, a context and a comparison.
func seededSource(policy string) string {
	seed := replay.Seed(1)
	return fmt.Sprintf(`version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, context: [x0]}
arms: [a, b]
reward: {range: [0, 1]}
policy: {%s, seed: "%x"}
privacy: {definition: pure, epsilon: 0}
analysis: {chosen: before, tests: [{id: D, difference: [b, a], value: 0}]}
`, policy, seed[:])
}

// seededRows are rounds with the arms that the seed gives, whose context and reward
// follow the arm where follows is set.
func seededRows(t *testing.T, source string, n int, draw *rand.Rand, follows bool) []logfile.Row {
	t.Helper()
	l := &lab{source: source}
	l.parse(t)
	declared, err := conformance.Declare(analyze.Standard(), l.protocol, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	run := declared.Mechanism.NewRunner(replay.Seed(1), "e")
	rows := make([]logfile.Row, n)
	for i := range rows {
		arm := run.Next(&replay.Round{Eligible: []bool{true, true}})
		x := draw.NormFloat64()
		if follows {
			x = math.Copysign(x, float64(arm)-.5)
		}
		won := 0.0
		if draw.Float64() < .5+math.Copysign(.1, x) {
			won = 1
		}
		rows[i] = logfile.Row{Arm: arm, Reward: won, X: []float64{x}}
	}
	return rows
}

// Rounds that were numbered after the fact, so that a seed gives arms which follow a
// context, contradict the declared probabilities by check H17, and compare nothing; in
// honest rounds the actions are recomputed, and a comparison says that the order of
// rounds is not.
func TestSeedGivesNoRounds(t *testing.T) {
	for _, policy := range []string{"name: uniform", "name: fixed, probabilities: [0.4, 0.6]"} {
		source, spec := seededSource(policy), &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, ContextDim: 1}
		draw := rand.New(rand.NewPCG(2, 7))
		r := written(t, t.TempDir(), source, spec, seededRows(t, source, 600, draw, true)).analyse(t, 1)
		f, d := claim(t, r, conforms), &r.Experiments[0].Tests[0]
		if f.Verdict != schemas.Violated || !strings.Contains(f.Reason, "x0 ") || !strings.Contains(f.Reason, "The seed gives the actions: the rounds were then numbered") || !strings.HasPrefix(f.Observed, "arm ") {
			t.Errorf("%s: %s, %q: %q", policy, f.Verdict, f.Observed, f.Reason)
		}
		if d.Decision == "rejected" || d.Comparison.Means != schemas.MeansContradicted {
			t.Errorf("%s: %s, %+v", policy, d.Decision, d.Comparison)
		}
		r = written(t, t.TempDir(), source, spec, seededRows(t, source, 600, draw, false)).analyse(t, 1)
		f, d = claim(t, r, conforms), &r.Experiments[0].Tests[0]
		if f.Verdict != schemas.Verified || !strings.Contains(f.Procedure, "evidence: seed; arms against the declared probabilities in rounds that something known before them picks out (check H17), level 0.0005") {
			t.Errorf("%s: %s, %q: %q", policy, f.Verdict, f.Procedure, f.Reason)
		}
		if d.Comparison.ValidIf != schemas.ValidIfOrdered || assumed(r, "A3").Status != schemas.MeansNotContradicted || !strings.Contains(d.Comparison.Words+d.Choice, "data.splits") {
			t.Errorf("%s: %+v, A3 %s", policy, d.Comparison, assumed(r, "A3").Status)
		}
	}
}

// sharedRows log shares of 100 draws of a uniform policy; b is played with the
// probability that p gives, by one more draw.
func sharedRows(n int, draw *rand.Rand, p func(x float64) float64) []logfile.Row {
	rows := make([]logfile.Row, n)
	for i := range rows {
		x, share, arm := draw.NormFloat64(), 0., 0
		for range 100 {
			share += float64(draw.IntN(2)) / 100
		}
		share = math.Round(100*share) / 100
		if draw.Float64() < p(x) {
			arm = 1
		}
		rows[i] = logfile.Row{Arm: arm, Reward: float64(draw.IntN(2)), X: []float64{x}, PropensityByArm: []float64{math.Round(100*(1-share)) / 100, share}}
	}
	return rows
}

// Where actions are drawn by one more draw, check H17 goes by the probabilities of a
// declared policy that reads no rewards: arms that follow a context are found. Where
// nothing has them, the allocation is not established.
func TestSplitsByOneMoreDraw(t *testing.T) {
	const source = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, context: [x0], propensity_by_arm: propensity_by_arm, propensity_draws: 100, drawn: one-more}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform}
`
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, ContextDim: 1, PropensityByArm: true}
	draw := rand.New(rand.NewPCG(4, 7))
	honest := func(float64) float64 { return .5 }
	follows := func(x float64) float64 { return .5 + math.Copysign(.5, x) }
	for _, c := range []struct {
		name, source string
		p            func(x float64) float64
		want         schemas.Verdict
		status       schemas.CheckStatus
		says         string
	}{
		{"honest", source, honest, schemas.Consistent, schemas.CheckPass, "the check goes by the probabilities that the policy declares"},
		{"by a context", source, follows, schemas.Violated, schemas.CheckFail, "The declared probabilities of the policy are not the probabilities given what was known before"},
		{"no policy", strings.Replace(source, "policy: {name: uniform}\n", "", 1), honest, schemas.NotEstablished, schemas.CheckNotRun, "log.drawn: one-more"},
	} {
		r := written(t, t.TempDir(), c.source, spec, sharedRows(600, draw, c.p)).analyse(t, 1)
		f, h17 := claim(t, r, allocation), check.Find(r.Experiments[0].Data.Checks, "H17")
		if f.Verdict != c.want || h17.Status != c.status || !strings.Contains(f.Reason, c.says) || strings.Contains(f.Statement, "marginally") {
			t.Errorf("%s: %s, %s; %q: %q", c.name, f.Verdict, h17.Status, f.Statement, f.Reason)
		}
	}
}
