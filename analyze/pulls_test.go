package analyze_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestPullsOfFixed: without a seed and propensities a fixed policy is held
// against how often it played each arm. p of 350 pulls of 400 under ½ is 1.5e-56,
// that of 212 is 0.25; the level is 0.0005, for check H17 has the other half: in no
// order it finds nothing, and in order what pulls do not show.
func TestPullsOfFixed(t *testing.T) {
	for _, c := range []struct {
		name, policy string
		a, b         int  // rounds
		eligible     bool // is logged
		violated     bool
		procedure    string
		ordered      bool // all rounds of a come first
	}{
		{"far", "{name: fixed, probabilities: [0.5, 0.5]}", 350, 50, false, true, "; pulls of a fixed policy against its probabilities, exact binomial tests of each arm (Bonferroni), level 0.0005; arms against the declared probabilities in rounds that something known before them picks out (check H17), level 0.0005", false},
		{"near", "{name: fixed, probabilities: [0.5, 0.5]}", 212, 188, false, false, "; pulls of a fixed policy", false},
		{"its own", "{name: fixed, probabilities: [0.875, 0.125]}", 350, 50, false, false, "; pulls of a fixed policy", false},
		{"never", "{name: fixed, probabilities: [1, 0]}", 399, 1, false, true, "; pulls of a fixed policy", false},
		{"never, but for the floor", "{name: fixed, probabilities: [1, 0], floor: 0.01}", 399, 1, false, false, "; pulls of a fixed policy", false},
		{"fixed, eligible", "{name: fixed, probabilities: [0.5, 0.5]}", 350, 50, true, false, "; pulls are not tested against the declared probabilities, since arms are not always eligible (log.eligible)", false},
		{"uniform", "{name: uniform}", 350, 50, false, true, "; pulls of a uniform policy against T/K, level 0.0005", false},
		{"uniform, eligible", "{name: uniform}", 350, 50, true, false, "; pulls are not tested", false},
		{"near, and in order", "{name: fixed, probabilities: [0.5, 0.5]}", 212, 188, false, true, "(check H17), level 0.0005", true},
		{"uniform, and in order", "{name: uniform}", 200, 200, false, true, "(check H17), level 0.0005", true},
	} {
		rows := make([]logfile.Row, c.a+c.b)
		for i, at := range rand.New(rand.NewPCG(1, 2)).Perm(len(rows)) {
			if c.ordered {
				at = i
			}
			rows[i].Reward = float64(i % 2)
			if at >= c.a {
				rows[i].Arm = 1
			}
			if c.eligible {
				rows[i].Eligible = []bool{at < c.a, at >= c.a}
			}
		}
		spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool}
		source := strings.NewReplacer("{name: uniform}", c.policy, "arms: [a, b, c]", "arms: [a, b]").Replace(plain)
		if c.eligible {
			source, spec.Eligible = strings.Replace(source, "reward: reward}", "reward: reward, eligible: eligible, eligible_by: schedule}", 1), logfile.EligibleFlags
		}
		r := written(t, t.TempDir(), source, spec, rows).analyse(t, 1)
		f := claim(t, r, conforms)
		if (f.Verdict == schemas.Violated) != c.violated || !strings.Contains(f.Procedure, c.procedure) {
			t.Errorf("%s: %s, %s, %s", c.name, f.Verdict, f.Procedure, f.Reason)
		}
		if c.violated && (!strings.Contains(f.Reason, "the arms were not played with ") || strings.Contains(f.Reason, ", whose count is the least likely, was played in ") == c.ordered) {
			t.Errorf("%s: %s", c.name, f.Reason)
		}
		if never := "arm b, whose count is the least likely, was played in 1 of 400 rounds, and its probability 0 gives it 0 on average (p of all arms: below 1e-300, level 0.0005): an honest log"; c.name == "never" && !strings.Contains(f.Reason, never) {
			t.Errorf("%s: %s", c.name, f.Reason)
		}
		m := method(t, &r.Experiments[0].Tests[0], schemas.MethodCorrected)
		if m.Applicable == c.violated {
			t.Errorf("%s: a corrected p is given: %v, %s", c.name, m.Applicable, m.Reason)
		}
	}
}

// TestPullsOfFloor: without seed, propensities and released values a declared floor is
// held against how often each arm was played. Twice P(X ≤ 50) of X ~ Bin(400, ½) is
// 1.54e-56, as above; of Bin(400, 1/8), where 50 are expected, it is .54.
func TestPullsOfFloor(t *testing.T) {
	const ucb = "{name: ucb, width: {c: 2}, floor: %s}\ncounter: {name: hybrid, epsilon: 1, horizon: 400}"
	for _, c := range []struct {
		name, policy, stopping string
		eligible               bool // arm b only where it is played
		says                   string
		procedure              string
	}{
		{"all of it", strings.ReplaceAll(ucb, "%s", "1/2"), "fixed", false, "arm b was played in 50 of the 400 rounds in which it could be, and policy.floor = 0.5 gives it at least 200 on average (p = 1.5", "; pulls against policy.floor = 0.5, exact binomial tests of each arm (Bonferroni), level 0.001"},
		{"any number of rounds", strings.ReplaceAll(ucb, "%s", "1/2"), "unknown", false, "gives it at least 200 on average (p = ", "; pulls against policy.floor = 0.5, a wager on every arm in the rounds in which it could be played, valid at every number of rounds (Ville), level 0.001"},
		{"some of it", strings.ReplaceAll(ucb, "%s", "1/8"), "fixed", false, "", "; pulls against policy.floor = 0.125, exact"},
		{"where it could be played", strings.ReplaceAll(ucb, "%s", "1/2"), "fixed", true, "", "; pulls against policy.floor = 0.5, a wager"},
		{"of a fixed policy", "{name: fixed, probabilities: [0.9, 0.1], floor: 1/4}", "fixed", true, "", "; pulls against policy.floor = 0.25, a wager"},
	} {
		rows := make([]logfile.Row, 400)
		for i := range rows {
			rows[i].Reward = float64(i % 2)
			if i%8 == 7 {
				rows[i].Arm = 1
			}
			if c.eligible {
				rows[i].Eligible = []bool{true, i%8 == 7 || i%8 == 3}
			}
		}
		spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool}
		source := strings.NewReplacer("{name: uniform}", c.policy, "arms: [a, b, c]", "arms: [a, b]", "stopping: fixed", "stopping: "+c.stopping).Replace(plain)
		if c.eligible {
			source, spec.Eligible = strings.Replace(source, "reward: reward}", "reward: reward, eligible: eligible, eligible_by: schedule}", 1), logfile.EligibleFlags
		}
		f := claim(t, written(t, t.TempDir(), source, spec, rows).analyse(t, 1), conforms)
		if violated := f.Verdict == schemas.Violated; violated != (c.says != "") || !strings.Contains(f.Reason, c.says) || !strings.Contains(f.Procedure, c.procedure) {
			t.Errorf("%s: %s, %s, %s", c.name, f.Verdict, f.Procedure, f.Reason)
		}
	}
}

// Where propensities are the declared ones and pulls are not, what matches is said to
// be the propensities, and the arm is named with its share and its probability.
func TestPullsBesidePropensities(t *testing.T) {
	t.Parallel()
	var at []int64
	var actions []string
	var p, rewards []float64
	for i := range 1000 {
		at, actions, p, rewards = append(at, int64(i+1)), append(actions, "aab"[i%3:i%3+1]), append(p, .5), append(rewards, float64(i%2))
	}
	l := (&truth.Log{}).Put("round", at).Put("action", actions).Put("reward", rewards).Put("p", p)
	found := audited(t, l, "version: 1\nexperiment: {id: pulls}\nlog: {order: [round], action: action, reward: reward, propensity: p}\narms: [a, b]\nreward: {range: [0, 1]}\npolicy: {name: uniform}\n")
	for i := range found.Head.Claims {
		c := &found.Head.Claims[i]
		if c.Kind != schemas.KindConformance {
			continue
		}
		if c.Verdict != schemas.Violated || !strings.HasPrefix(c.Observed, "arm a was played 667 times, 500 expected (+33.4 %)") ||
			!strings.Contains(c.Reason, "was played in 667 of 1,000 rounds, and its probability 0.5 gives it 500 on average") {
			t.Errorf("%s: %s; %s", c.Verdict, c.Observed, c.Reason)
		}
	}
}
