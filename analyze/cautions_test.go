package analyze_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// Each caution with a log that gives it, and no other; and a log that gives none. None
// bears on a claim.
func TestCautions(t *testing.T) {
	t.Parallel()
	halves := func(i int) (float64, [2]float64) {
		p := .5
		if i%2 == 0 {
			p = .0002 // few rounds that weigh as much as all others together
		}
		return p, [2]float64{.4, .5}
	}
	hundredths := func(i int) (float64, [2]float64) { return float64(30+i%41) / 100, [2]float64{.4, .5} }
	for _, c := range []struct {
		name, source string
		rounds       int
		at           func(int) (float64, [2]float64)
		want         string // how the only caution begins; "" for none
	}{
		{"none", protocolOf("propensity: propensity"), 2000, always(.5, .4, .5), ""},
		{"few effective rounds", protocolOf("propensity: propensity"), 40, always(.5, .4, .5), "the weights of arm a, arm b have an effective sample size below 30, or below 5 % of the rounds that have a weight"},
		{"a few rounds that weigh much", protocolOf("propensity: propensity"), 20_000, halves, "the weights of arm b have an effective sample size below 30, or below 5 % of the rounds"},
		{"an arm that is never played", protocolOf("propensity: propensity", "[a, b]", "[a, b, c]"), 2000, always(.5, .4, .5), "the mean of 1/p is 2 where 3 is to be expected, which is -33.3 % and more than 3 standard errors off"},
		{"rounded propensities", protocolOf("propensity: propensity"), 2000, hundredths, "propensities look rounded to two decimals (those of one arm have 41 different values"},
		{"of a declared resolution", protocolOf("propensity: propensity, propensity_resolution: 0.005"), 2000, hundredths, ""},
		{"shares of draws", protocolOf("propensity: propensity, propensity_draws: 100, drawn: from-estimate"), 2000, hundredths, ""},
		{"a test without an answer", protocolOf("propensity: propensity") + "analysis: {chosen: before, decide: any-time, tests: [{id: D, difference: [b, a], value: 0}]}\n", 1, always(.5, .4, .5), "no answer to D: p is 1, and the interval holds nearly every value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := twoArmed(t, c.source, logfile.RewardBool, c.rounds, c.at, nil)
			var said []string
			for _, words := range e.Cautions {
				if c.want != "" && strings.HasPrefix(words, c.want) {
					continue
				}
				said = append(said, words)
			}
			if c.name == "an arm that is never played" || c.name == "a test without an answer" { // an arm without a pull, or few rounds, rest on few weights too
				said = slices.DeleteFunc(said, func(words string) bool { return strings.HasPrefix(words, "the weights of ") })
			}
			if len(said) > 0 || (c.want != "") != slices.ContainsFunc(e.Cautions, func(words string) bool { return strings.HasPrefix(words, c.want) && c.want != "" }) {
				t.Errorf("%q", e.Cautions)
			}
		})
	}
}

// Rewards that are missing in one arm more than in the other are a caution where answers rest on
// the declaration that none is missing because of its value, and none where they are missing as
// often in both.
func TestCautionOfMissing(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{.1, .3} {
		e := twoArmed(t, protocolOf("propensity: propensity, missing_reward: exclude-independent"), logfile.RewardBool, 4000, always(.5, .4, .4), func(i int, row *logfile.Row) {
			if gone := [2]float64{.1, share}[row.Arm]; float64(i*7919%1000) < 1000*gone {
				row.Reward = math.NaN()
			}
		})
		said := slices.ContainsFunc(e.Cautions, func(words string) bool {
			return strings.HasPrefix(words, "rewards are not missing as often in every arm")
		})
		if said != (share > .1) {
			t.Errorf("a share of %g: %q", share, e.Cautions)
		}
	}
}

// Rounds that weighted estimates leave out are one caution, with the estimate that leaves
// out most.
func TestCautionOfRoundsWithoutSupport(t *testing.T) {
	t.Parallel()
	rows := make([]logfile.Row, 300)
	for i := range rows {
		rows[i] = logfile.Row{Arm: i % 2, PropensityByArm: []float64{.5, .5, 0}, Reward: float64(i / 2 % 2)}
		if i%3 == 0 {
			rows[i] = logfile.Row{Arm: 2, PropensityByArm: []float64{0, 0, 1}}
		}
	}
	source := protocolOf("propensity_by_arm: propensity_by_arm", "[a, b]", "[a, b, c]")
	e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, PropensityByArm: true}, rows))
	if !slices.ContainsFunc(e.Cautions, func(words string) bool {
		return strings.HasPrefix(words, "weighted estimates leave out rounds in which an arm could not be played: the mean reward of arm c over the rounds in which it could be played leaves out 200 rounds")
	}) {
		t.Errorf("%q", e.Cautions)
	}
	if schemas.OverallOf(nil, len(e.Cautions)).String() == schemas.OverallClean {
		t.Error("the overall line does not count them")
	}
}

// By the propensity of the played arm alone too, an arm with p = 0 beside one with p = 1
// has no estimate over all rounds: its words are those of an arm that could not be played.
func TestTargetWithoutSupport(t *testing.T) {
	t.Parallel()
	rows := make([]logfile.Row, 300)
	for i := range rows {
		rows[i] = logfile.Row{Arm: i % 2, Propensity: .5, Reward: float64(i / 2 % 2)}
		if i%3 == 0 {
			rows[i] = logfile.Row{Propensity: 1}
		}
	}
	source := protocolOf("propensity: propensity") + "analysis: {control: a}\n"
	e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows))
	for _, c := range []struct {
		label, against, target string
		left                   int64
	}{
		{"a", "", "mean reward of arm a over all rounds", 0},
		{"b", "", "mean reward of arm b over the rounds in which it could be played", 100},
		{"b", "a", "mean reward of arm b above that of arm a over the rounds in which both could be played", 100},
	} {
		if x := estimateOf(t, e, "aipw", c.label, c.against); x.Target != c.target || *x.LeftOut != c.left || (c.left > 0) == strings.Contains(x.ValidUnder, "every arm could always be played") {
			t.Errorf("%s, %d left out, valid under %s", x.Target, *x.LeftOut, x.ValidUnder)
		}
	}
}
