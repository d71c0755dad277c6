package analyze_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

const restingLog = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, batch: batch, context: [x0]}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: ucb, width: {c: 2}, update: {every: 1}}
counter: {name: laplace, epsilon: 0.1}
privacy: {epsilon: 0.1}
analysis: {decide: corrected, chosen: before, tests: [{id: H1, arm: each, mean: 0.99, test: exact}, {id: H2, arm: a, mean: 0.99, test: exact, decide: any-time}]}
claims:
  - {id: B1, kind: bias.bound, comparator: "<=", threshold: 0.5, arms: all}
  - {id: B2, kind: bias.bound, comparator: "<=", threshold: 0.4, arms: [a]}
  - {id: C1, kind: hypothesis, test: H1, finding: rejected}
  - {id: C2, kind: hypothesis, test: H2, finding: rejected}
`

// restsOn are the cautions of claims that rest on undeclared keys, each as kind and
// key.
func restsOn(cautions []string) []string {
	var out []string
	for _, words := range cautions {
		if kind, rest, ok := strings.Cut(words, " rests on "); ok {
			key, _, _ := strings.Cut(rest, ",")
			out = append(out, kind+" "+key)
		}
	}
	return out
}

// A required claim that holds is a caution for each key on which it rests and that
// nobody declared, once for all claims of a kind. Where the key is declared there is
// none, and where it has the unfavourable word the claim does not hold: the caution is
// about just those keys.
func TestCautionsOfUndeclaredKeys(t *testing.T) {
	t.Parallel()
	rows, draw := make([]logfile.Row, 400), rand.New(rand.NewPCG(2, 6))
	for i := range rows {
		rows[i] = logfile.Row{Arm: i % 2, Reward: float64(draw.IntN(2)), Batch: int64(i / 100), X: []float64{1}}
	}
	l := written(t, t.TempDir(), restingLog, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Batch: true, ContextDim: 1}, rows)
	r := l.analyse(t, 1)
	for _, id := range []string{"B1", "B2", "C1", "C2"} {
		if f := claim(t, r, id); f.Verdict != schemas.Verified && f.Verdict != schemas.Consistent {
			t.Fatalf("%s is %s: %s", id, f.Verdict, f.Reason)
		}
	}
	all := []string{"bias.bound log.batch_by", "bias.bound log.context_by", "hypothesis log.batch_by", "hypothesis log.context_by"}
	if got := restsOn(r.Experiments[0].Cautions); !slices.Equal(got, all) {
		t.Errorf("%q, want %q", got, all)
	}
	const advised = ", severity: advisory}"
	none := l.but(t, changes{"arms: all}": "arms: all" + advised, "arms: [a]}": "arms: [a]" + advised, "test: H1, finding: rejected}": "test: H1, finding: rejected" + advised}).analyse(t, 1)
	if got := restsOn(none.Experiments[0].Cautions); got != nil {
		t.Errorf("advisory claims, and one that wagers decide: %q", got)
	}
	for key, column := range map[string]string{"batch_by": "batch: batch", "context_by": "context: [x0]"} {
		left := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.HasSuffix(s, key) })
		good := l.but(t, changes{column: column + ", " + key + ": schedule"}).analyse(t, 1)
		if got := restsOn(good.Experiments[0].Cautions); !slices.Equal(got, left) {
			t.Errorf("%s: schedule: %q, want %q", key, got, left)
		}
		bad := l.but(t, changes{column: column + ", " + key + ": unknown"}).analyse(t, 1)
		for id, holds := range map[string]bool{"B1": false, "B2": false, "C1": false, "C2": true, total: true, conforms: claim(t, r, conforms).Verdict == schemas.Verified} {
			f := claim(t, bad, id)
			if got := f.Verdict == schemas.Verified || f.Verdict == schemas.Consistent; got != holds {
				t.Errorf("%s: unknown: %s is %s: %s", key, id, f.Verdict, f.Reason)
			}
		}
		if got := restsOn(bad.Experiments[0].Cautions); got != nil {
			t.Errorf("%s: unknown: %q", key, got)
		}
	}
}

// The allocation rests on log.drawn where propensities are shares of draws: beside one
// more draw they are none.
func TestCautionOfUndeclaredDrawn(t *testing.T) {
	t.Parallel()
	rows := make([]logfile.Row, 2000)
	src := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		rows[i] = logfile.Row{Arm: src.IntN(2), Reward: float64(i / 2 % 2), Propensity: .5}
	}
	source := protocolOf("propensity: propensity, propensity_draws: 1000")
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows)
	r := l.analyse(t, 1)
	if f := claim(t, r, allocation); f.Verdict != schemas.Consistent {
		t.Fatalf("%s: %s", f.Verdict, f.Reason)
	}
	if got := restsOn(r.Experiments[0].Cautions); !slices.Equal(got, []string{allocation + " log.drawn"}) {
		t.Errorf("%q", got)
	}
	for word, verdict := range map[string]schemas.Verdict{schemas.DrawnFromEstimate: schemas.Consistent, "one-more": schemas.NotEstablished} {
		r := l.but(t, changes{"propensity_draws: 1000": "propensity_draws: 1000, drawn: " + word}).analyse(t, 1)
		if f := claim(t, r, allocation); f.Verdict != verdict || restsOn(r.Experiments[0].Cautions) != nil {
			t.Errorf("%s: %s, %q", word, f.Verdict, r.Experiments[0].Cautions)
		}
	}
}
