package analyze_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// approximateOnes are the estimates with an approximate interval, but for the control's.
func approximateOnes(e *schemas.Experiment, label string) (given []string) {
	for i := range e.Estimates {
		if x := &e.Estimates[i]; x.CI != nil && !x.Anytime && (x.EvaluationPolicy != "" || x.Label == label) {
			given = append(given, x.Estimator+" "+x.Target)
		}
	}
	return given
}

// TestFewRoundsThatPayMore: in 12 of 2,000 rounds an arm is drawn with 10⁻⁴, and both arms
// pay much more there than in the others. All is as logged. Where rewards of the others vary
// little every normal interval missed in such logs; none is given now, unless means are declared
// to stand still, which they do not.
func TestFewRoundsThatPayMore(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(41, 1))
	rows := make([]logfile.Row, 2000)
	for i := range rows {
		p, mean := .5, .2
		if i%167 == 80 {
			p, mean = 1e-4, .85
		}
		arm := 0
		if r.Float64() < p {
			arm = 1
		}
		rows[i] = logfile.Row{Arm: arm, PropensityByArm: []float64{1 - p, p}, Reward: mean + .15*(2*r.Float64()-1)}
	}
	source := protocolOf("propensity_by_arm: propensity_by_arm") + "analysis: {control: a, evaluate: [{id: V, target: uniform}]}\n"
	e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, PropensityByArm: true}, rows))
	if given := approximateOnes(e, "b"); given != nil {
		t.Errorf("an interval is given of %q", given)
	}
	if x := estimateOf(t, e, "aipw", "b", ""); !strings.Contains(x.Reason, "analysis.means: constant") || x.Estimate == nil {
		t.Errorf("no estimate, or the reason does not name the key: %q", x.Reason)
	}
}

// TestRoundsThatNobodySees: an arm has .6 in most rounds and 10⁻⁴ in 5 %, where all arms
// pay more. With the propensity of the played arm alone nothing in the log shows these
// rounds to the arm's estimates, of whose intervals half missed.
func TestRoundsThatNobodySees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(42, 1))
	rows := make([]logfile.Row, 2000)
	for i := range rows {
		p, mean := []float64{.6, .2, .2}, .3
		if i%20 == 7 {
			p, mean = []float64{1e-4, .49995, .49995}, .8
		}
		u, arm := r.Float64(), 0
		for ; arm < 2 && u >= p[arm]; arm++ {
			u -= p[arm]
		}
		reward := 0.0
		if r.Float64() < mean {
			reward = 1
		}
		rows[i] = logfile.Row{Arm: arm, Propensity: p[arm], Reward: reward}
	}
	source := protocolOf("propensity: propensity", "[a, b]", "[a, b, c]")
	e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Propensity: true}, rows))
	if given := approximateOnes(e, "a"); given != nil {
		t.Errorf("an interval is given of %q", given)
	}
	for _, name := range []string{"ipw", "aipw"} {
		if x := estimateOf(t, e, name, "a", ""); !strings.Contains(x.Reason, "log.propensity_by_arm") {
			t.Errorf("%s: %q", name, x.Reason)
		}
	}
}

// TestMissingHidesNoRounds: of two arms, one has 10⁻⁴ in 5 % of the rounds, in which the
// rewards of the other, that is played there, are all missing. The rounds whose reward is
// known show nothing of that; the propensities of all rounds do.
func TestMissingHidesNoRounds(t *testing.T) {
	t.Parallel()
	for _, hidden := range []bool{false, true} {
		e := twoArmed(t, protocolOf("propensity: propensity, missing_reward: exclude-independent"), logfile.RewardBool, 2000, func(i int) (float64, [2]float64) {
			if hidden && i%20 == 7 {
				return 1e-4, [2]float64{.3, .8}
			}
			return .6, [2]float64{.3, .3}
		}, func(i int, row *logfile.Row) {
			if i%20 == 7 && row.Arm == 0 {
				row.Reward = math.NaN()
			}
		})
		x := estimateOf(t, e, "snipw", "b", "")
		if (x.CI == nil) != hidden || strings.Contains(x.Reason, "below ½") != hidden {
			t.Errorf("hidden rounds %t: %v, %q", hidden, x.CI, x.Reason)
		}
	}
}
