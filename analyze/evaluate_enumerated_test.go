package analyze_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// ofPaths are the analyses of a policy over all paths of two arms, one experiment each: rows
// makes those of a path.
func ofPaths(t *testing.T, rounds int, entry string, rows func(arms, rewards []int) []logfile.Row) []schemas.Experiment {
	t.Helper()
	source := protocolOf("propensity: propensity", "{id: weighted,", "{column: experiment,") + "analysis: {evaluate: [" + entry + "]}\n"
	var all []logfile.Row
	path := int64(0)
	paths(rounds, func(arms, rewards []int) {
		for i, row := range rows(arms, rewards) {
			row.Experiment, row.Round = path, int64(i+1)
			all = append(all, row)
		}
		path++
	})
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Experiments: true, Reward: logfile.RewardFloat, Propensity: true}
	out := written(t, t.TempDir(), source, spec, all).analyse(t, 2).Experiments
	if int64(len(out)) != path {
		t.Fatalf("%d experiments of %d paths", len(out), path)
	}
	return out
}

// paths calls visit with every path of actions and rewards of so many rounds of two arms.
func paths(rounds int, visit func(arms, rewards []int)) {
	arms, rewards := make([]int, rounds), make([]int, rounds)
	for i := range 1 << (2 * rounds) {
		for t := range rounds {
			arms[t], rewards[t] = i>>t&1, i>>(rounds+t)&1
		}
		visit(arms, rewards)
	}
}

// Over all paths of a logging policy that learns, the weighted mean of a policy that follows
// the log is on average what that policy was to earn in the states of the path.
func TestFollowsLogEnumerated(t *testing.T) {
	t.Parallel()
	const rounds, eta = 3, 1.5
	mu := [2]float64{.3, .6}
	var chances, values []float64
	found := ofPaths(t, rounds, "{id: V, target: {policy: {name: softmax, eta: 1.5}, mode: follows-log}}", func(arms, rewards []int) []logfile.Row {
		chance, value := 1.0, 0.0
		var n, s [2]float64
		rows := make([]logfile.Row, rounds)
		for i, arm := range arms {
			p := .5
			if s[1] > s[0] {
				p = .8 // of arm b
			} else if n[0] > n[1] {
				p = .3
			}
			q := [2]float64{1 - p, p}[arm]
			y := float64(rewards[i])
			rows[i] = logfile.Row{Arm: arm, Reward: y, Propensity: q}
			pi := 1 / (1 + math.Exp(eta*(s[0]-s[1])))
			value += (float64((1-pi)*mu[0]) + float64(pi*mu[1])) / rounds
			chance *= q * (float64(y*mu[arm]) + float64((1-y)*(1-mu[arm])))
			n[arm]++
			s[arm] += y
		}
		chances, values = append(chances, chance), append(values, value)
		return rows
	})
	mean, want, total := 0.0, 0.0, 0.0
	for i := range found {
		x := valueOf(t, &found[i], "V", "ips", "", false)
		got := *x.Estimate
		if x.RawEstimate != nil {
			got = *x.RawEstimate
		}
		mean += chances[i] * got
		want += chances[i] * values[i]
		total += chances[i]
	}
	within(t, "all paths", total, 1, 1e-14)
	within(t, "the mean of the estimate", mean, want, 1e-13)
}

// ucb1 is the arm of UCB1 with width √(2·ln t/N): each arm once in order, then the largest
// index, the first of equals.
func ucb1(n, s [2]float64) int {
	for arm := range n {
		if n[arm] == 0 {
			return arm
		}
	}
	t := n[0] + n[1] + 1
	index := func(arm int) float64 { return s[arm]/n[arm] + math.Sqrt(2*math.Log(t)/n[arm]) }
	if index(1) > index(0) {
		return 1
	}
	return 0
}

// Where the floor is the propensity of both arms, which rounds a replay keeps follows from
// the log. Over all paths their number and what they earned together have the law of a
// learner that plays alone for that many rounds, the number that of a coin.
func TestReplayEnumerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out 256 experiments; the full run has them")
	}
	t.Parallel()
	const rounds = 4
	mu := [2]float64{.3, .6}
	var chances []float64
	found := ofPaths(t, rounds, "{id: V, target: {policy: {name: ucb, width: {c: 2}}, mode: replay, floor: 0.5}}", func(arms, rewards []int) []logfile.Row {
		chance := 1.0
		rows := make([]logfile.Row, rounds)
		for i, arm := range arms {
			y := float64(rewards[i])
			rows[i] = logfile.Row{Arm: arm, Reward: y, Propensity: .5}
			chance *= .5 * (float64(y*mu[arm]) + float64((1-y)*(1-mu[arm])))
		}
		chances = append(chances, chance)
		return rows
	})
	var got, want [rounds + 1][rounds + 1]float64 // by rounds kept, and earned
	for i := range found {
		x := valueOf(t, &found[i], "V", "replay", "", true)
		earned := 0
		if *x.Rounds > 0 {
			earned = int(math.Round(*x.Estimate * float64(*x.Rounds)))
		}
		got[*x.Rounds][earned] += chances[i]
	}
	binomial := [rounds + 1]float64{1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16}
	for kept := range rounds + 1 {
		for path := range 1 << kept {
			chance, earned := binomial[kept], 0
			var n, s [2]float64
			for i := range kept {
				arm, y := ucb1(n, s), path>>i&1
				chance *= [2]float64{1 - mu[arm], mu[arm]}[y]
				n[arm]++
				s[arm] += float64(y)
				earned += y
			}
			want[kept][earned] += chance
		}
	}
	for kept := range got {
		for earned := range got[kept] {
			within(t, "a probability", got[kept][earned], want[kept][earned], 1e-14)
		}
	}
}

// Where propensities move and differ, every round is still kept with the floor's
// probability, and kept rounds have the arms of the policy.
func TestReplayKeepsRoundsOfThePolicy(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 9))
	const rounds = 20_000
	rows := make([]logfile.Row, rounds)
	for i := range rows {
		p := []float64{.1, .3, .9, .6}[i%4] // of arm b
		rows[i] = logfile.Row{Arm: 0, Propensity: 1 - p}
		if r.Float64() < p {
			rows[i] = logfile.Row{Arm: 1, Propensity: p}
		}
		if r.Float64() < []float64{.2, .8}[rows[i].Arm] {
			rows[i].Reward = 1
		}
	}
	source := protocolOf("propensity: propensity") + "analysis: {evaluate: [{id: V, target: {policy: {name: fixed, probabilities: [0.75, 0.25]}, mode: replay, floor: 0.1}}, {id: N, target: {policy: {name: uniform}, mode: replay}}, {id: H, target: {policy: {name: uniform}, mode: replay, floor: 0.2}}]}\n"
	e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows))
	x := valueOf(t, e, "V", "replay", "", true)
	// Five standard errors: √(T·f·(1−f)) = 42, and √(.35·.65/2000) = .0107.
	if n := float64(*x.Rounds); math.Abs(n-.1*rounds) > 5*42 {
		t.Errorf("%v rounds are kept", n)
	}
	if math.Abs(*x.Estimate-.35) > 5*.0107 || x.CI[0] > .35 || x.CI[1] < .35 {
		t.Errorf("%v, %v", *x.Estimate, x.CI)
	}
	for id, why := range map[string]string{"N": "no floor is declared", "H": "in round 1 arm b could be played and has a propensity of at most 0.1005, below the declared floor 0.2"} {
		if y := valueOf(t, e, id, "replay", "", true); y.CI != nil || y.Rounds != nil || !strings.Contains(y.Reason, why) {
			t.Errorf("%s: %+v", id, y)
		}
	}
	for i := range rows { // a mean that moves
		if rows[i].Reward = 0; i > rounds/2 {
			rows[i].Reward = 1
		}
	}
	e = one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows))
	if y := valueOf(t, e, "V", "replay", "", true); y.CI != nil || !strings.Contains(y.Reason, "a mean moves (check H13") {
		t.Errorf("drift: %+v", y)
	}
}
