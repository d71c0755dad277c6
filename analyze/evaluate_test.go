package analyze_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// valueOf is the one estimate of a policy by these names.
func valueOf(t *testing.T, e *schemas.Experiment, id, estimator, against string, anytime bool) *schemas.Estimate {
	t.Helper()
	i := slices.IndexFunc(e.Estimates, func(x schemas.Estimate) bool {
		return x.EvaluationPolicy == id && x.Estimator == estimator && x.Against == against && x.Anytime == anytime
	})
	if i < 0 {
		t.Fatalf("no estimate %s of %s against %q, at any time: %v", estimator, id, against, anytime)
	}
	return &e.Estimates[i]
}

// evaluating asks about three policies.
const evaluating = `analysis:
  evaluate:
    - {id: V1, target: uniform}
    - {id: V2, target: {fixed: [0.1, 0.1, 0.8]}}
    - {id: V3, target: {arm: a}}
`

// smallValues are the small log of the reference and its protocol, on a scale of rewards.
func smallValues(lo, width float64) (string, *logfile.Layout, []logfile.Row) {
	p := [][]float64{{1. / 3, 1. / 3, 1. / 3}, {.4, .2, .4}, {.3, .2, .5}, {.2, .1, .7}}
	arms, rewards := []int{0, 1, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0}, []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}
	rows := make([]logfile.Row, len(arms))
	for i, arm := range arms {
		rows[i] = logfile.Row{Arm: arm, Reward: lo + width*rewards[i], PropensityByArm: p[i/3]}
	}
	source := protocolOf("propensity_by_arm: propensity_by_arm", "[a, b]", "[a, b, c]", "[0, 1]", fmt.Sprintf("[%g, %g]", lo, lo+width)) + evaluating
	return source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, PropensityByArm: true}, rows
}

// The small log of the reference through the whole analysis, on two scales of the reward.
// That of one arm is that arm's weighted mean.
func TestValuesReference(t *testing.T) {
	for _, c := range []struct{ lo, width float64 }{{0, 1}, {-1, 4}} {
		source, spec, rows := smallValues(c.lo, c.width)
		e := one(t, written(t, t.TempDir(), source, spec, rows))
		for id, want := range map[string][8]float64{
			"V1": {.5952380952, .1450721144, .5110732538, .1724811567, .5643849206, .1175363187, -.0714285714, .0805956191},
			"V2": {.8160714286, .2443379878, .8268998794, .1018894578, .8611210317, .0984127299, .1494047619, .1813346884},
		} {
			for i, name := range []string{"ips", "snips", "dr", "ips"} {
				against, lo := "", c.lo
				if i == 3 {
					against, lo = "the logging policy", 0
				}
				x := valueOf(t, e, id, name, against, false)
				within(t, id+" by "+name, *x.Estimate, lo+c.width*want[2*i], 1e-9)
				within(t, id+" by "+name+", error", *x.StdError, c.width*want[2*i+1], 1e-9)
				if x.CI != nil || !strings.Contains(x.Reason, "fewer than 15 successes or failures") || *x.Rounds != 12 || *x.LeftOut != 0 {
					t.Errorf("%s by %s: %+v", id, name, x)
				}
			}
		}
		arm, alone := estimateOf(t, e, "ipw", "a", ""), valueOf(t, e, "V3", "ips", "", false)
		if *arm.Estimate != *alone.Estimate || *arm.StdError != *alone.StdError || *arm.ESS != *alone.ESS || *arm.LargestWeight != *alone.LargestWeight {
			t.Errorf("the policy of one arm: %+v, the arm: %+v", alone, arm)
		}
		// Wagers: those on the plain weights are in analyze/stat/eprocess against the reference; with
		// the propensities of all arms they are averaged with those around a plug-in.
		for _, id := range []string{"V1", "V2", "V3"} {
			x, gain := valueOf(t, e, id, "ips", "", true), valueOf(t, e, id, "ips", "the logging policy", true)
			if x.CI == nil || x.Estimate == nil || *x.Estimate < x.CI[0] || *x.Estimate > x.CI[1] || x.CI[0] < c.lo || x.CI[1] > c.lo+c.width || *x.Rounds != 12 || !strings.Contains(x.Target, "over all rounds") {
				t.Errorf("%s at any time: %+v", id, x)
			}
			if gain.CI == nil || gain.CI[0] < -c.width || gain.CI[1] > c.width {
				t.Errorf("%s above the log at any time: %+v", id, gain)
			}
		}
		within(t, "gain of V1, lower end", valueOf(t, e, "V1", "ips", "the logging policy", true).CI[0], -.440224872855*c.width, 1e-6)
		within(t, "gain of V1, upper end", valueOf(t, e, "V1", "ips", "the logging policy", true).CI[1], .280638553811*c.width, 1e-6)
		if len(e.Cautions) != 1 || !strings.HasPrefix(e.Cautions[0], "the weights of arm a, arm b, arm c, policy V1, policy V2, 1 more have an effective sample size below 30") {
			t.Errorf("cautions: %q", e.Cautions)
		}
	}
}

// Of a log of several chunks, in which arms cannot always be played, values are those of
// loops over all rows, with the same bytes for every number of workers.
func TestValuesInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out wagers over 70,000 rounds; the full run has them")
	}
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	rows := make([]logfile.Row, 70_000)
	for i := range rows {
		p := []float64{.5, .3, .2}
		if i%5 == 0 {
			p = []float64{.6, 0, .4}
		}
		u, arm := r.Float64(), 0
		for ; u >= p[arm] && arm < 2; arm++ {
			u -= p[arm]
		}
		rows[i] = logfile.Row{Arm: arm, PropensityByArm: p, Reward: r.Float64() * float64(arm+1) / 3, Eligible: []bool{true, true, true}}
		if p[1] == 0 {
			rows[i].Eligible = []bool{true, false, true}
		}
	}
	source := protocolOf("propensity_by_arm: propensity_by_arm, eligible: eligible, eligible_by: schedule", "[a, b]", "[a, b, c]") + strings.ReplaceAll(evaluating, "{arm: a}", "{arm: b}")
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, PropensityByArm: true, Eligible: logfile.EligibleFlags}, rows)
	e := one(t, l)
	for id, target := range map[string][2][]float64{ // where all can be played, and where b cannot
		"V1": {{1. / 3, 1. / 3, 1. / 3}, {.5, 0, .5}}, "V2": {{.1, .1, .8}, {1. / 9, 0, 8. / 9}}, "V3": {{0, 1, 0}, nil},
	} {
		sum, n := 0.0, 0
		for i := range rows {
			of := target[0]
			if i%5 == 0 {
				of = target[1]
			}
			if of == nil {
				continue
			}
			n++
			sum += of[rows[i].Arm] / rows[i].PropensityByArm[rows[i].Arm] * rows[i].Reward
		}
		x := valueOf(t, e, id, "ips", "", false)
		within(t, id, *x.Estimate, sum/float64(n), 1e-12)
		atAll := valueOf(t, e, id, "ips", "", true)
		if *x.Rounds != int64(n) || *x.LeftOut != int64(len(rows)-n) || *atAll.Rounds != int64(n) || x.CI == nil || atAll.CI == nil || atAll.CI[0] > *x.Estimate || atAll.CI[1] < *x.Estimate {
			t.Errorf("%s: %+v, at any time %+v", id, x, atAll)
		}
		if strings.Contains(x.Target, "in which every arm that it plays could be played") != (id == "V3") || strings.Contains(atAll.Target, "in which the arm could be played") != (id == "V3") {
			t.Errorf("%s: %s; %s", id, x.Target, atAll.Target)
		}
	}
	want := encode(t, l.analyse(t, 1))
	if !bytes.Equal(encode(t, l.analyse(t, 2)), want) {
		t.Error("2 jobs give other bytes than 1")
	}
}

// What is declared decides what is given of another policy.
func TestValuesApplicability(t *testing.T) {
	t.Parallel()
	const asks = "analysis: {evaluate: [{id: V, target: uniform}, {id: B, target: {arm: b}}]}\n"
	third := func(i int, row *logfile.Row) {
		if i%3 == 0 {
			row.Reward = math.NaN()
		}
	}
	units := func(i int, row *logfile.Row) { row.Unit = fmt.Sprint("u", i%100) }
	even := always(.5, .3, .6)
	for _, c := range []struct {
		name, source string
		at           func(int) (float64, [2]float64)
		change       func(int, *logfile.Row)
		interval     bool   // ips has one
		given        string // the estimators of V with an estimate, and any-time where it has an interval
		reason       string // of all others
	}{
		{"all", protocolOf("propensity: propensity"), even, nil, true, "ips snips dr any-time", ""},
		{"the played propensity alone", protocolOf("propensity: propensity", "[a, b]", "[a, b, c]"), even, nil, false, "ips snips dr any-time", "the mean weight is 0.6"},
		{"arms found in the log", protocolOf("propensity: propensity", "arms: [a, b]\n", ""), even, nil, false, "", "the arms are not declared"},
		{"missing by their value", protocolOf("propensity: propensity, missing_reward: exclude"), even, third, false, "any-time", "may be missing because of their value"},
		{"missing independently", protocolOf("propensity: propensity, missing_reward: exclude-independent"), even, third, false, "snips any-time", "would need the probability that a reward is known"},
		{"no propensity", strings.Replace(protocolOf("context: []"), ", context: []", "", 1), even, nil, false, "", "no propensity is logged"},
		{"declared and not logged", strings.Replace(protocolOf("context: []"), ", context: []", "", 1) + "policy: {name: uniform}\n", even, nil, true, "ips snips dr any-time", ""},
		{"named after looking", protocolOf("propensity: propensity"), even, nil, false, "ips snips dr", "was named after looking (analysis.chosen)"},
		{"units", protocolOf("propensity: propensity, unit: unit"), even, units, false, "", "write policy.draw: {by: round}"},
		{"false propensities", protocolOf("propensity: propensity"), even, func(_ int, row *logfile.Row) {
			if row.Propensity = .9; row.Arm == 1 {
				row.Propensity = .1
			}
		}, false, "ips snips dr", "the arms were not played with their propensities"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asks := asks
			if c.name == "named after looking" {
				asks = strings.Replace(asks, "{evaluate", "{chosen: from-actions, evaluate", 1)
			}
			e := twoArmed(t, c.source+asks, logfile.RewardBool, 600, c.at, c.change)
			for _, name := range []string{"ips", "snips", "dr", "any-time"} {
				x := valueOf(t, e, "V", strings.Replace(name, "any-time", "ips", 1), "", name == "any-time")
				given := slices.Contains(strings.Fields(c.given), name)
				if (x.Estimate != nil || name == "any-time" && x.CI != nil) != given || !given && !strings.Contains(x.Reason, c.reason) {
					t.Errorf("%s: %+v", name, x)
				}
				if name == "ips" && given && ((x.CI != nil) != c.interval || !c.interval && c.name != "false propensities" && !strings.Contains(x.Reason, c.reason)) {
					t.Errorf("%s: %+v", name, x)
				}
				if given && c.name == "false propensities" && (x.CI != nil || !strings.Contains(x.Reason, "contradicted by H05")) {
					t.Errorf("%s: %+v", name, x)
				}
			}
			for _, d := range e.Disclosures {
				if c.given == "" && strings.HasPrefix(d.Purpose, "estimate:value V") {
					t.Errorf("rewards were read for %s", d.Purpose)
				}
			}
		})
	}
}

// Over many logs of a learning policy with a floor, the interval at any time holds what
// the policy would have earned; the normal one where one is given, at its stated level.
func TestValuesCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out 200 logs; the full run has them")
	}
	t.Parallel()
	const logs = 200
	missed, atAnyTime, given := 0, 0, 0
	for run := range logs {
		r := rand.New(rand.NewPCG(11, uint64(run)))
		n, s := [2]float64{1, 1}, [2]float64{.5, .5}
		rows := make([]logfile.Row, 600)
		for i := range rows {
			p := .1
			if s[1]/n[1] > s[0]/n[0] {
				p = .9
			}
			rows[i] = weightedRow(r, p, [2]float64{.3, .5})
			n[rows[i].Arm]++
			s[rows[i].Arm] += rows[i].Reward
		}
		e := one(t, written(t, t.TempDir(), protocolOf("propensity: propensity")+"analysis: {evaluate: [{id: V, target: uniform}]}\n", &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows))
		if x := valueOf(t, e, "V", "ips", "", true); x.CI[0] > .4 || x.CI[1] < .4 {
			atAnyTime++
		}
		if x := valueOf(t, e, "V", "ips", "", false); x.CI != nil {
			given++
			if x.CI[0] > .4 || x.CI[1] < .4 {
				missed++
			}
		}
	}
	// At a chance of .05 more than 22 of 200 come less than once in 10,000 runs.
	if atAnyTime > 22 || missed > 22+logs/20 || given < logs/2 {
		t.Errorf("%d of %d miss at any time, %d of %d normal ones", atAnyTime, logs, missed, given)
	}
}

// Of rewards that are missing by chance the mean weight falls below 1 by chance. Which
// rounds have a large weight follows from propensities of all rounds where these are known,
// and the same ratio of an arm and of the policy that plays it alone has an interval in
// both; else it is said what is not known.
func TestValueOfKnownRewards(t *testing.T) {
	t.Parallel()
	const evaluated = "analysis: {chosen: before, evaluate: [{id: B, target: {arm: b}}, {id: F, target: {policy: {name: fixed, probabilities: [0, 1]}, mode: frozen}}]}\n"
	refused := map[string]int{}
	for _, rounds := range []int{400, 401, 402, 403, 404, 405} { // of which each is another log
		for name, columns := range map[string]string{"known": "propensity: propensity", "not known": "propensity: propensity, keep_prob: {column: keep_prob}, keep_by: schedule"} {
			e := twoArmed(t, protocolOf(columns+", missing_reward: exclude-independent")+evaluated, logfile.RewardBool, rounds, always(.5, .5, .5), func(i int, r *logfile.Row) {
				if r.KeepProb = 1; i%6 == 0 {
					r.Reward = math.NaN()
				}
			})
			for _, x := range e.Estimates {
				if x.Estimator != schemas.EstimatorSNIPS {
					continue
				}
				if x.CI == nil {
					refused[name]++
				}
				if *x.LargestWeight != 2 || x.CI == nil && !strings.Contains(x.Reason, "may have") {
					t.Errorf("%s, %d rounds, %s: %v, largest weight %g (%s)", name, rounds, x.EvaluationPolicy, x.CI, *x.LargestWeight, x.Reason)
				}
			}
		}
	}
	if refused["known"] > 0 || refused["not known"] == 0 {
		t.Errorf("refused: %v", refused)
	}
}
