package analyze_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// rareOnes is a log of two arms that are drawn evenly, whose rewards are within .01 of a
// usual one but for a rare one.
func rareOnes(t *testing.T, seed uint64, n int, usual, rate, rare float64) *schemas.Experiment {
	t.Helper()
	r := rand.New(rand.NewPCG(43, seed))
	rows := make([]logfile.Row, n)
	for i := range rows {
		rows[i] = logfile.Row{Arm: r.IntN(2), PropensityByArm: []float64{.5, .5}, Reward: usual + .01*(2*r.Float64()-1)}
		if r.Float64() < rate {
			rows[i].Reward = rare
		}
	}
	return rewarded(t, rows)
}

func rewarded(t *testing.T, rows []logfile.Row) *schemas.Experiment {
	t.Helper()
	source := protocolOf("propensity_by_arm: propensity_by_arm") + "analysis: {control: a, means: constant, evaluate: [{id: V, target: uniform}, {id: W, target: {arm: b}}]}\n"
	return one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, PropensityByArm: true}, rows))
}

// TestRareLargeRewards: a fee in every round, and once in 2,000 a reward from the other end
// of the range, or the other way round. Nothing that most such logs show tells of it, and
// normal intervals missed in up to half of them: none is given.
func TestRareLargeRewards(t *testing.T) {
	t.Parallel()
	for seed, c := range []struct {
		n           int
		usual, rare float64
		reason      string
	}{
		{2000, .05, 1, "fewer than 15 successes or failures"},
		{2000, .95, 0, "fewer than 15 successes or failures"},
		{5000, .05, 1, "the rewards of arm b vary so little, next to their declared range"},
	} {
		t.Run(fmt.Sprint(c.n, c.usual), func(t *testing.T) {
			t.Parallel()
			e := rareOnes(t, uint64(seed), c.n, c.usual, .0005, c.rare)
			for i := range e.Estimates {
				if x := &e.Estimates[i]; x.CI != nil && !x.Anytime && x.Estimator != schemas.EstimatorIPW && x.Estimator != schemas.EstimatorIPS {
					t.Errorf("%s of the %s: %v", x.Estimator, x.Target, x.CI)
				}
			}
			if x := estimateOf(t, e, "aipw-sqrt", "b", ""); !strings.Contains(x.Reason, c.reason) {
				t.Errorf("%q", x.Reason)
			}
			if x := valueOf(t, e, "W", "ips", "", true); x.CI == nil {
				t.Errorf("nothing at any time: %s", x.Reason)
			}
		})
	}
}

// Rewards that vary over their range have intervals as ever, and each says what no log
// shows.
func TestNumbersAreGiven(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func(r *rand.Rand) float64{
		"uniform":        func(r *rand.Rand) float64 { return r.Float64() },
		"skewed":         func(r *rand.Rand) float64 { return r.Float64() * r.Float64() * r.Float64() },
		"a tenth of it":  func(r *rand.Rand) float64 { return .5 + .1*(2*r.Float64()-1) },
		"0, or a number": func(r *rand.Rand) float64 { return float64(r.IntN(2)) * r.Float64() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(44, uint64(len(name))))
			rows := make([]logfile.Row, 3000)
			for i := range rows {
				rows[i] = logfile.Row{Arm: r.IntN(2), PropensityByArm: []float64{.5, .5}, Reward: draw(r)}
			}
			e := rewarded(t, rows)
			for i := range e.Estimates {
				x := &e.Estimates[i]
				if x.EvaluationPolicy == "V" && x.Against != "" {
					continue // the log's own policy earns no more than the log
				}
				if x.CI == nil {
					t.Errorf("%s of the %s: %s", x.Estimator, x.Target, x.Reason)
				}
				if says := strings.Contains(x.ValidUnder, "so rare"); says == x.Anytime {
					t.Errorf("%s of the %s is valid under %s", x.Estimator, x.Target, x.ValidUnder)
				}
			}
		})
	}
}
