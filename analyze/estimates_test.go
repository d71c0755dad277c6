package analyze_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// weightedLog heads protocols of logs with propensities.
const weightedLog = `version: 1
experiment: {id: weighted, stopping: fixed}
log: {order: [round], action: action, reward: reward, COLUMNS}
arms: [a, b]
reward: {range: [0, 1]}
`

// protocolOf is weightedLog with the columns, and what was replaced.
func protocolOf(columns string, changes ...string) string {
	return strings.NewReplacer(append([]string{"COLUMNS", columns}, changes...)...).Replace(weightedLog)
}

// estimateOf is the one estimate of these names.
func estimateOf(t *testing.T, e *schemas.Experiment, estimator, label, against string) *schemas.Estimate {
	t.Helper()
	var out *schemas.Estimate
	for i := range e.Estimates {
		if x := &e.Estimates[i]; x.Estimator == estimator && x.Label == label && x.Against == against {
			if out != nil {
				t.Fatalf("two estimates %s of %q against %q", estimator, label, against)
			}
			out = x
		}
	}
	if out == nil {
		t.Fatalf("no estimate %s of %q against %q", estimator, label, against)
	}
	return out
}

// raw is what the formula gives of an estimate.
func raw(e *schemas.Estimate) float64 {
	if e.OutsideRange {
		return *e.RawEstimate
	}
	return *e.Estimate
}

// The small log of the reference, whose numbers are those of a second program, through
// the whole analysis, on two scales of the reward.
func TestEstimatesReference(t *testing.T) {
	p := [][]float64{{1. / 3, 1. / 3, 1. / 3}, {.4, .2, .4}, {.3, .2, .5}, {.2, .1, .7}}
	arms, rewards := []int{0, 1, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0}, []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}
	means := map[string][3]float64{
		"ipw": {.875, 0, .9107142857}, "snipw": {.8076923077, 0, 1},
		"aipw": {.8229166667, -.1180555556, .9882936508}, "aipw-sqrt": {.7860479030, -.0936526858, .9869019364},
	}
	errors := map[string][3]float64{
		"ipw": {.4644478502, 0, .3263647649}, "snipw": {.1814769844, 0, 0},
		"aipw": {.2506321579, .1800763763, .1134662906}, "aipw-sqrt": {.2583812470, .1768864871, .0978774466},
	}
	for _, c := range []struct{ lo, width float64 }{{0, 1}, {-1, 4}} {
		rows := make([]logfile.Row, len(arms))
		for i, arm := range arms {
			rows[i] = logfile.Row{Arm: arm, Reward: c.lo + c.width*rewards[i], PropensityByArm: p[i/3]}
		}
		source := protocolOf("propensity_by_arm: propensity_by_arm", "[a, b]", "[a, b, c]", "[0, 1]", fmt.Sprintf("[%g, %g]", c.lo, c.lo+c.width)) + "analysis: {control: c, means: constant}\n"
		e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, PropensityByArm: true}, rows))
		if n := len(e.Estimates); n != 4*3+2 {
			t.Errorf("%d estimates", n)
		}
		for name, want := range means {
			for arm, label := range []string{"a", "b", "c"} {
				x := estimateOf(t, e, name, label, "")
				within(t, name+" of "+label, raw(x), c.lo+c.width*want[arm], 1e-9)
				inside := want[arm] >= 0 && want[arm] <= 1
				if x.OutsideRange == inside || inside != (x.RawEstimate == nil) || *x.Estimate < c.lo || *x.Estimate > c.lo+c.width {
					t.Errorf("%s of %s: %+v", name, label, x)
				}
				if errors[name][arm] == 0 {
					if x.StdError != nil {
						t.Errorf("%s of %s: a standard error of %g", name, label, *x.StdError)
					}
				} else {
					within(t, name+"'s error of "+label, *x.StdError, c.width*errors[name][arm], 1e-9)
				}
				if x.CI != nil || x.Reason == "" {
					t.Errorf("%s of %s: an interval from four pulls: %v, %q", name, label, x.CI, x.Reason)
				}
			}
		}
		for arm, want := range map[string][2]float64{"a": {-.2008540334, .2857193311}, "b": {-1.0805546223, .1706640356}} {
			x := estimateOf(t, e, "aipw-sqrt", arm, "c")
			within(t, "contrast of "+arm, raw(x), c.width*want[0], 1e-9)
			within(t, "contrast's error of "+arm, *x.StdError, c.width*want[1], 1e-9)
			if x.OutsideRange != (arm == "b") || *x.Estimate < -c.width {
				t.Errorf("contrast of %s: %+v", arm, x)
			}
		}
		if len(e.Cautions) != 1 || !strings.HasPrefix(e.Cautions[0], "the weights of arm a, arm b, arm c have an effective sample size below 30, or below 5 % of the rounds") {
			t.Errorf("cautions: %q", e.Cautions)
		}
		within(t, "ESS", *estimateOf(t, e, "ipw", "b", "").ESS, 2.4179104478, 1e-9)
	}
}

func within(t *testing.T, what string, got, want, margin float64) {
	t.Helper()
	if !(math.Abs(got-want) <= margin*max(1, math.Abs(want))) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// inFull is what makes a propensity one that no few decimals write.
const inFull = 1.2345678e-9

// fully has the same propensities, written in full.
func fully(at func(int) (float64, [2]float64)) func(int) (float64, [2]float64) {
	return func(i int) (float64, [2]float64) {
		p, mean := at(i)
		return p + inFull, mean
	}
}

// weightedRow is a round of two arms with the propensity of the second.
func weightedRow(r *rand.Rand, p float64, mean [2]float64) logfile.Row {
	row := logfile.Row{Propensity: 1 - p}
	if r.Float64() < p {
		row.Arm, row.Propensity = 1, p
	}
	if r.Float64() < mean[row.Arm] {
		row.Reward = 1
	}
	return row
}

// twoArmed is the analysis of n rounds of two arms.
func twoArmed(t *testing.T, source, reward string, n int, at func(i int) (p float64, mean [2]float64), change func(i int, row *logfile.Row)) *schemas.Experiment {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(n)))
	rows := make([]logfile.Row, n)
	for i := range rows {
		p, mean := at(i)
		rows[i] = weightedRow(r, p, mean)
		if change != nil {
			change(i, &rows[i])
		}
	}
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: reward, Propensity: true, Unit: rows[0].Unit != "", MissingReward: strings.Contains(source, "missing_reward"), KeepProb: strings.Contains(source, "keep_prob")}
	return one(t, written(t, t.TempDir(), source, spec, rows))
}

// always has the same propensity and means in every round.
func always(p, a, b float64) func(int) (float64, [2]float64) {
	return func(int) (float64, [2]float64) { return p, [2]float64{a, b} }
}

// Every part of the rule with a log that keeps it and one that does not: of those that
// keep it the interval is the normal one, met with the range.
func TestEstimatesRule(t *testing.T) {
	t.Parallel()
	halves := func(first, second float64, a, b [2]float64) func(int) (float64, [2]float64) {
		return func(i int) (float64, [2]float64) {
			if i < 1000 {
				return first, [2]float64{a[0], b[0]}
			}
			return second, [2]float64{a[1], b[1]}
		}
	}
	still := [2]float64{.5, .5}
	ended := func(i int) (float64, [2]float64) {
		b := .2
		if i >= 900 {
			b = .8
		}
		if i >= 1800 {
			return .005, [2]float64{.5, b}
		}
		return .4, [2]float64{.5, b}
	}
	thin := halves(.4, .005, still, still)
	for _, c := range []struct {
		name   string
		at     func(int) (float64, [2]float64)
		reward string
		reason string // why b has no interval; "" where it has
		but    map[string]string
		steady string // the estimators that rest on a mean that does not move
		moves  bool   // check H13 finds it, so that rounds are not weighed by √p
	}{
		{name: "uniform", at: always(.5, .5, .5)},
		{name: "few successes", at: always(.5, .5, .002), reason: "fewer than 5 successes or failures of arm b: "},
		{name: "few failures", at: always(.5, .5, .998), reason: "fewer than 5 successes or failures of arm b: "},
		{name: "enough of 0 and 1, not of numbers", at: always(.5, .5, .011), reward: logfile.RewardFloat, reason: "fewer than 15 successes or failures, rewards counted by what they lie above the least and below the largest that was seen, as parts of their declared range, of arm b: "},
		{name: "the same of 0 and 1", at: always(.5, .5, .011)},
		{name: "low propensities with enough successes", at: always(.2, .5, .5)},
		{name: "few successes where propensities are low", at: halves(.8, .01, still, [2]float64{.1, .1}), reason: "of the weight: "},
		{name: "enough can be expected, and is not seen", at: thin, but: map[string]string{"ipw": unseen, "snipw": unseen}, steady: "aipw aipw-sqrt"},
		{name: "a mean that moves, low propensities", at: halves(.8, .2, still, [2]float64{.2, .8}), moves: true},
		{name: "a mean that moves, all but given up at the end", at: ended, reason: "and the mean moves (check H13: b ", moves: true},
		{name: "a mean that moves, no low propensities", at: halves(.5, .5, still, [2]float64{.2, .8}), moves: true},
		{name: "one reward", at: always(.5, .5, 1), reason: "what arm b earned is the same in each of its "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := twoArmed(t, protocolOf("propensity: propensity")+"analysis: {means: constant}\n", cmp.Or(c.reward, logfile.RewardBool), 2000, fully(c.at), nil)
			names := []string{"ipw", "snipw", "aipw", "aipw-sqrt"}
			if c.moves {
				names = names[:3]
				if x := estimateOf(t, e, "aipw-sqrt", "", ""); x.Estimate != nil || !strings.Contains(x.Reason, "means are not constant: the mean of an arm moves (check H13: b ") {
					t.Errorf("aipw-sqrt: %+v", x)
				}
			}
			for _, name := range names {
				x, reason := estimateOf(t, e, name, "b", ""), cmp.Or(c.but[name], c.reason)
				if (x.CI == nil) != (reason != "") || !strings.Contains(x.Reason, reason) || (x.Reason == "") != (reason == "") {
					t.Errorf("%s: %v, %q", name, x.CI, x.Reason)
				}
				if x.CI != nil {
					near(t, name+"'s lower end", x.CI[0], max(0, *x.Estimate-1.959963984540054**x.StdError))
					near(t, name+"'s upper end", x.CI[1], min(1, *x.Estimate+1.959963984540054**x.StdError))
				}
				if strings.Contains(x.ValidUnder, "approximately (up to .09 for a nominal .05)") != (x.CI != nil) {
					t.Errorf("%s: valid under %q", name, x.ValidUnder)
				}
				if strings.Contains(x.ValidUnder, "does not move") != slices.Contains(strings.Fields(c.steady), name) {
					t.Errorf("%s: valid under %q", name, x.ValidUnder)
				}
			}
			last := names[len(names)-1]
			reason := cmp.Or(c.but[last], c.reason)
			if x := estimateOf(t, e, last, "b", "a"); (x.CI == nil) != (reason != "") || !strings.Contains(x.Reason, reason) {
				t.Errorf("contrast: %v, %q", x.CI, x.Reason)
			}
		})
	}
	// Where nobody declares that means stand still, what needs it is not given.
	e := twoArmed(t, protocolOf("propensity: propensity"), logfile.RewardBool, 2000, thin, nil)
	if x := estimateOf(t, e, "aipw", "b", ""); x.CI != nil || !strings.Contains(x.Reason, "which is not declared (analysis.means: constant") {
		t.Errorf("aipw: %v, %q", x.CI, x.Reason)
	}
	if x := estimateOf(t, e, "aipw", "b", "a"); x.CI != nil || !strings.Contains(x.Reason, "which is not declared (analysis.means: constant") {
		t.Errorf("contrast: %v, %q", x.CI, x.Reason)
	}
	if x := estimateOf(t, e, "aipw-sqrt", "", ""); x.Estimate != nil || !strings.Contains(x.Reason, "it weighs rounds by √p") {
		t.Errorf("aipw-sqrt: %+v", x)
	}
}

// unseen is why a mean that guesses no rewards has no interval.
const unseen = "are not seen to hold enough rewards where the propensity is smallest"

// What was declared of the end, of the draws and of missing rewards decides what is given.
func TestEstimatesApplicability(t *testing.T) {
	t.Parallel()
	third := func(i int, row *logfile.Row) {
		if i%3 == 0 {
			row.Reward = math.NaN()
		}
	}
	units := func(i int, row *logfile.Row) { row.Unit = fmt.Sprint("u", i%100) }
	even := always(.5, .3, .6)
	const constant = "analysis: {means: constant}\n"
	for _, c := range []struct {
		name, source string
		change       func(int, *logfile.Row)
		given        string // the estimators that are
		reason       string // why others are not, or why there is no interval
	}{
		{"all", protocolOf("propensity: propensity") + constant, nil, "ipw snipw aipw aipw-sqrt", ""},
		{"an end that nobody declares", protocolOf("propensity: propensity", ", stopping: fixed", "") + constant, nil, "ipw snipw aipw aipw-sqrt", "(experiment.stopping: fixed)"},
		{"arms found in the log", protocolOf("propensity: propensity", "arms: [a, b]\n", "") + constant, nil, "ipw snipw aipw", "(log.propensity_by_arm)"},
		{"means that nobody declares", protocolOf("propensity: propensity"), nil, "ipw snipw aipw", "it weighs rounds by √p"},
		{"missing by their value", protocolOf("propensity: propensity, missing_reward: exclude") + constant, third, "", "may be missing because of their value (missing_reward: exclude)"},
		{"missing independently", protocolOf("propensity: propensity, missing_reward: exclude-independent") + constant, third, "snipw", "would need the probability that a reward is known"},
		{"none is missing", protocolOf("propensity: propensity, missing_reward: exclude") + constant, nil, "ipw snipw aipw aipw-sqrt", ""},
		{"nothing is drawn", protocolOf("propensity: propensity") + constant, func(_ int, row *logfile.Row) { row.Propensity = 1 }, "", "(positivity)"},
		{"units", protocolOf("propensity: propensity, unit: unit") + constant, units, "", "write policy.draw: {by: round}"},
		{"units, by round", protocolOf("propensity: propensity, unit: unit") + "policy: {draw: {by: round}}\n" + constant, units, "ipw snipw aipw aipw-sqrt", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := twoArmed(t, c.source, logfile.RewardBool, 600, even, c.change)
			for _, name := range []string{"ipw", "snipw", "aipw", "aipw-sqrt"} {
				if given := strings.Contains(" "+c.given+" ", " "+name+" "); !given {
					x := estimateOf(t, e, name, "", "")
					if x.Estimate != nil || x.StdError != nil || x.CI != nil || x.Arm != nil || !strings.Contains(x.Reason, c.reason) {
						t.Errorf("%s is not to be given: %+v", name, x)
					}
					continue
				}
				x := estimateOf(t, e, name, "b", "")
				if x.Estimate == nil || x.StdError == nil || (x.CI == nil) != (x.Reason != "") || !strings.Contains(c.reason, x.Reason) && !strings.Contains(x.Reason, c.reason) {
					t.Errorf("%s: %+v", name, x)
				}
			}
			for _, d := range e.Disclosures {
				if name, is := strings.CutPrefix(d.Purpose, "estimate:"); is && name != "arms" && !strings.Contains(" "+c.given+" ", " "+name+" ") {
					t.Errorf("rewards were read for %s", d.Purpose)
				}
			}
		})
	}
}

// Of units that keep their arm, the first rounds count alone.
func TestEstimatesOfFirstRounds(t *testing.T) {
	source := protocolOf("propensity: propensity, unit: unit") + "policy: {draw: {by: unit}}\n"
	kept := map[string]logfile.Row{}
	var of []logfile.Row
	e := twoArmed(t, source, logfile.RewardBool, 1200, always(.5, .3, .6), func(i int, row *logfile.Row) {
		row.Unit = fmt.Sprint("u", i%400)
		if first, met := kept[row.Unit]; met {
			row.Arm, row.Propensity, row.Reward = first.Arm, first.Propensity, 0
			return
		}
		kept[row.Unit] = *row
		of = append(of, *row)
	})
	sum := 0.0
	for _, row := range of {
		if row.Arm == 1 {
			sum += row.Reward / row.Propensity
		}
	}
	x := estimateOf(t, e, "ipw", "b", "")
	near(t, "the mean over first rounds", *x.Estimate, sum/400)
	if *x.Rounds != 400 || *x.LeftOut != 0 || !strings.HasSuffix(x.Target, "over all first rounds of 400 units") || x.CI == nil {
		t.Errorf("%+v", x)
	}
}

// A ratio of weighted sums over the rounds whose reward is known.
func TestEstimatesOfKnownRewards(t *testing.T) {
	var up, down float64
	e := twoArmed(t, protocolOf("propensity: propensity, missing_reward: exclude-independent"), logfile.RewardBool, 900, func(i int) (float64, [2]float64) {
		return .5 + .2*float64(i%2), [2]float64{.3, .6}
	}, func(i int, row *logfile.Row) {
		if row.Arm == 1 && i%4 == 0 {
			row.Reward = math.NaN()
		} else if row.Arm == 1 {
			up += row.Reward / row.Propensity
			down += 1 / row.Propensity
		}
	})
	x := estimateOf(t, e, "snipw", "b", "")
	near(t, "the ratio", *x.Estimate, up/down)
	if x.CI == nil || !strings.Contains(x.ValidUnder, "depends on the arm alone") || e.Arms[1].IPWMean != nil {
		t.Errorf("%+v", x)
	}
}

// Propensities that are not those of the draws put a mean, and all of its interval,
// outside the range: no such mean is printed, and H14 says so.
func TestEstimatesOutsideRange(t *testing.T) {
	e := twoArmed(t, protocolOf("propensity: propensity"), logfile.RewardBool, 2000, always(.5, .5, .5), func(_ int, row *logfile.Row) {
		if row.Propensity = .9; row.Arm == 1 {
			row.Propensity = .1
		}
	})
	x := estimateOf(t, e, "ipw", "b", "")
	if !x.OutsideRange || *x.Estimate != 1 || *x.RawEstimate < 2 || x.CI != nil || !strings.Contains(x.Reason, "propensities or range are wrong") || !strings.Contains(x.Reason, "contradicted by H05") {
		t.Errorf("%+v", x)
	}
	if *e.Arms[1].IPWMean != 1 {
		t.Errorf("ipw_mean is %g", *e.Arms[1].IPWMean)
	}
	if h14 := check.Find(e.Data.Checks, "H14"); h14.Status != schemas.CheckNote || !strings.Contains(h14.Detail, "ipw of the mean reward of arm b over all rounds") {
		t.Errorf("H14: %+v", h14)
	}
	fine := twoArmed(t, protocolOf("propensity: propensity"), logfile.RewardBool, 2000, always(.5, .5, .5), nil)
	if h14 := check.Find(fine.Data.Checks, "H14"); h14.Status != schemas.CheckPass || estimateOf(t, fine, "ipw", "b", "").OutsideRange {
		t.Errorf("H14 of a log whose weights are right: %+v", h14)
	}
}

// plainAIPW is the mean of an arm's scores, its error and that of the difference to
// arm 0, by loops over the whole log.
func plainAIPW(rows []logfile.Row, arm int, weigh func(p float64) float64) (mean, stdErr, rounds float64) {
	var score, h []float64
	n, sum := 0.0, 0.0
	for i := range rows {
		row := &rows[i]
		guess := (sum + .5) / (n + 1)
		if row.Arm == arm {
			n++
			sum += row.Reward
		}
		p := row.PropensityByArm[arm]
		if p == 0 {
			continue
		}
		s := guess
		if row.Arm == arm {
			s += (row.Reward - guess) / p
		}
		score, h = append(score, s), append(h, weigh(p))
	}
	up, down, around := 0.0, 0.0, 0.0
	for t := range score {
		up += h[t] * score[t]
		down += h[t]
	}
	for t := range score {
		around += h[t] * h[t] * (score[t] - up/down) * (score[t] - up/down)
	}
	return up / down, math.Sqrt(around) / down, float64(len(score))
}

// A log of several chunks, in which arms cannot always be played, against loops over all
// rows; with the same bytes for every number of workers.
func TestEstimatesInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out 140,000 rounds; the full run has it")
	}
	r := rand.New(rand.NewPCG(3, 3))
	rows := make([]logfile.Row, 140_000)
	for i := range rows {
		p := []float64{.5, .3, .2}
		if i%5 == 0 {
			p = []float64{.6, 0, .4}
		} else if i > 70_000 {
			p = []float64{.1, .1, .8}
		}
		u, arm := r.Float64(), 0
		for ; u >= p[arm] && arm < 2; arm++ {
			u -= p[arm]
		}
		rows[i] = logfile.Row{Arm: arm, PropensityByArm: p, Reward: r.Float64() * float64(arm+1) / 3}
	}
	source := protocolOf("propensity_by_arm: propensity_by_arm", "[a, b]", "[a, b, c]") + "analysis: {means: constant}\n"
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, PropensityByArm: true}, rows)
	if n := l.tableau.Slice(0).Chunks(); n < 3 {
		t.Fatalf("%d chunks", n)
	}
	first := l.analyse(t, 1)
	e, want := &first.Experiments[0], encode(t, first)
	for arm, label := range []string{"a", "b", "c"} {
		for name, weigh := range map[string]func(float64) float64{"aipw": func(float64) float64 { return 1 }, "aipw-sqrt": math.Sqrt} {
			mean, stdErr, rounds := plainAIPW(rows, arm, weigh)
			x := estimateOf(t, e, name, label, "")
			near(t, name+" of "+label, *x.Estimate, mean)
			near(t, name+"'s error of "+label, *x.StdError, stdErr)
			if float64(*x.Rounds) != rounds || *x.Rounds+*x.LeftOut != int64(len(rows)) || x.CI == nil {
				t.Errorf("%s of %s: %d rounds, want %g; %d left out; %q", name, label, *x.Rounds, rounds, *x.LeftOut, x.Reason)
			}
		}
	}
	if x := estimateOf(t, e, "aipw-sqrt", "b", "a"); *x.LeftOut != 28_000 || !strings.HasSuffix(x.Target, "over the rounds in which both could be played") || math.Abs(*x.Estimate-1./6) > 4**x.StdError {
		t.Errorf("%+v", x)
	}
	if !bytes.Equal(encode(t, l.analyse(t, 3)), want) {
		t.Error("3 jobs give other bytes than 1")
	}
}
