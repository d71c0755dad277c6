package analyze_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
)

const sharesOfDraws = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: propensity}
arms: [a, b]
reward: {range: [0, 1]}
analysis: {sequence: normal}
`

// latticeWords are what H14 says of the lattice, "" where it names none.
func latticeWords(t *testing.T, l *lab) string {
	t.Helper()
	detail := check.Find(l.analyse(t, 1).Experiments[0].Data.Checks, "H14").Detail
	_, after, found := strings.Cut(detail, "decimals, ")
	if words, _, ok := strings.Cut(after, ";"); found && ok {
		return words
	}
	return ""
}

// Shares of draws are named by the lattice that they lie on, whole rows and up to one
// per cent beside it too; two per cent beside it are none, and neither are few
// different values.
func TestLatticeOfShares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		draws  int
		values int // different shares, at most
		off    []int
		want   string
	}{
		{"all", 700, 700, nil, "all multiples of 1/700, as shares of 700 draws are"},
		{"dust and a fallback", 200_000, 200_000, []int{30}, "all but 1 row (round 31) multiples of 1/200,000, as shares of 200,000 draws are"},
		{"one per cent", 4096, 4096, []int{5, 17, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100}, "all but 13 rows multiples of 1/4,096, as shares of 4,096 draws are"},
		{"two per cent", 4096, 4096, spaced(40), ""},
		{"few values", 700, 15, nil, ""},
	} {
		src := rand.New(rand.NewPCG(11, uint64(c.draws)))
		rows := make([]logfile.Row, 2000)
		for i := range rows {
			q := float64(1+src.IntN(min(c.values, c.draws-1))) / float64(c.draws)
			if i%3 == 0 && c.draws == 200_000 {
				q = q*3 - q - q // dust
			}
			rows[i] = logfile.Row{Arm: i % 2, Reward: 1, Propensity: q}
		}
		for _, i := range c.off {
			rows[i].Propensity = 1 / (math.Pi + float64(i))
		}
		l := written(t, t.TempDir(), sharesOfDraws, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows)
		if got := latticeWords(t, l); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// spaced are so many rows of 2,000.
func spaced(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 7 + i*2000/n
	}
	return out
}

// An honest policy's own probabilities lie on no lattice, in full or with any number
// of decimals.
func TestNoLatticeOfHonestPolicies(t *testing.T) {
	t.Parallel()
	protocol := func(policy string) string {
		return "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, propensity: propensity}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: " + policy + "\ncounter: {name: exact}\nanalysis: {sequence: normal}\n"
	}
	for _, policy := range []string{
		"{name: softmax, eta: 0.1}", "{name: softmax, eta: 0.1, floor: 0.05}", "{name: thompson, prior: {alpha: 1, beta: 1}}",
		"{name: epsilon-greedy, explore: 0.1}", "{name: epsilon-greedy, explore: {decay: 5}}", "{name: ucb, width: {c: 2}, floor: 0.02}", "{name: uniform}",
	} {
		source := protocol(policy)
		if strings.Contains(policy, "uniform") {
			source = strings.Replace(source, "counter: {name: exact}\n", "", 1)
		}
		l := simulated(t, source, 5, &world.Spec{World: "bernoulli", Means: []float64{.4, .5, .6}, Rounds: 3000})
		if words := latticeWords(t, l); words != "" {
			t.Errorf("%s: %s", policy, words)
		}
	}
	src := rand.New(rand.NewPCG(3, 4))
	for digits := 1; digits <= 15; digits++ {
		rows := make([]logfile.Row, 2000)
		for i := range rows {
			q, err := strconv.ParseFloat(strconv.FormatFloat(.02+.96*src.Float64(), 'f', digits, 64), 64)
			if err != nil {
				t.Fatal(err)
			}
			rows[i] = logfile.Row{Arm: i % 2, Reward: 1, Propensity: min(max(q, math.Pow10(-digits)), 1)}
		}
		l := written(t, t.TempDir(), sharesOfDraws, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows)
		if words := latticeWords(t, l); words != "" {
			t.Errorf("%d decimals: %s", digits, words)
		}
	}
	single := make([]logfile.Row, 2000)
	for i := range single {
		single[i] = logfile.Row{Arm: i % 2, Reward: 1, Propensity: float64(float32(.02 + .96*src.Float64()))}
	}
	l := written(t, t.TempDir(), sharesOfDraws, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, single)
	if words := latticeWords(t, l); words != "" {
		t.Errorf("float32: %s", words)
	}
}
