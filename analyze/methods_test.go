package analyze_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/stat/eprocess"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// small is the log of twelve rounds of three arms of the formula sheet, with the
// propensities of all arms.
func small(t *testing.T, source string, all bool) *lab {
	t.Helper()
	const third = 1.0 / 3
	laws := [][]float64{{third, third, third}, {.4, .2, .4}, {.3, .2, .5}, {.2, .1, .7}}
	arms := []int{0, 1, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0}
	rewards := []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}
	rows := make([]logfile.Row, len(arms))
	for i, arm := range arms {
		p := laws[i/3]
		rows[i] = logfile.Row{Arm: arm, Reward: rewards[i], Propensity: p[arm], PropensityByArm: p}
	}
	columns := "propensity: propensity"
	if all {
		columns += ", propensity_by_arm: propensity_by_arm"
	}
	source = "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, " + columns + "}\narms: [a, b, c]\nreward: {range: [0, 1]}\n" + source
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, Propensity: true, PropensityByArm: all}, rows)
}

// decidedBy is the test with an id, which must be decided by a method.
func decidedBy(t *testing.T, r *schemas.Results, id, by string) (*schemas.Test, *schemas.TestResult) {
	t.Helper()
	for i := range r.Experiments[0].Tests {
		if test := &r.Experiments[0].Tests[i]; test.ID == id {
			if test.DecidedBy != by {
				t.Fatalf("%s is decided by %q (%s), want %q", id, test.DecidedBy, test.Choice, by)
			}
			if by == "" {
				return test, nil
			}
			return test, method(t, test, by)
		}
	}
	t.Fatalf("no test %s", id)
	return nil, nil
}

// TestWagersOfTheSheet: the vectors of the formula sheet for its small log, through
// the whole analysis.
func TestWagersOfTheSheet(t *testing.T) {
	r := small(t, `analysis:
  chosen: before
  multiplicity: none
  tests:
    - {id: D, difference: [c, a], value: 0}
    - {id: N, difference: [c, a], value: -0.9}
    - {id: E31, equal: [c, a]}
    - {id: E32, equal: [c, b]}
    - {id: M, arm: c, mean: 0.3}
`, true).analyse(t, 1)
	test, d := decidedBy(t, r, "D", schemas.MethodAnyTime)
	sheet(t, "low end", d.CI[0], -.8084326575)
	sheet(t, "high end", d.CI[1], .9652075913)
	if *d.P != 1 || test.Comparison.ValidIf != schemas.ValidIfGiven+"; "+schemas.ValidIfLogged {
		t.Errorf("D: %+v, valid if %q", d, test.Comparison.ValidIf)
	}
	_, n := decidedBy(t, r, "N", schemas.MethodAnyTime)
	// The average of e at −.9: without the plug-in it is not in the sheet.
	e := eprocess.NewEffect()
	each(func(arm int, y float64, p []float64) {
		played := eprocess.Played{Arm: eprocess.Neither, P: [2]eprocess.Span{eprocess.Exactly(p[2]), eprocess.Exactly(p[0])}, Reward: y}
		switch arm {
		case 2:
			played.Arm = 0
		case 0:
			played.Arm = 1
		}
		e.Add(played)
	})
	sheet(t, "log2 p at -0.9", float64(*n.Log2P), math.Min(0, -e.Evidence(-.9).Both)/math.Ln2)
	_, e31 := decidedBy(t, r, "E31", schemas.MethodAssignment)
	sheet(t, "p of c and a", *e31.P, 1/1.004088183881)
	_, e32 := decidedBy(t, r, "E32", schemas.MethodAssignment)
	sheet(t, "p of c and b", *e32.P, 1/3.197555743378)
	decidedBy(t, r, "M", schemas.MethodAnyTime)

	r = small(t, "analysis: {chosen: before, tests: [{id: D, difference: [c, a], value: 0}, {id: E, equal: [c, a]}, {id: A, equal: all}]}\n", false).analyse(t, 1)
	_, d = decidedBy(t, r, "D", schemas.MethodAnyTime)
	sheet(t, "low end by the played arm's p", d.CI[0], -.7814011636)
	sheet(t, "high end by the played arm's p", d.CI[1], .9523956421)
	test, _ = decidedBy(t, r, "E", schemas.MethodAnyTime)
	if why := method(t, test, schemas.MethodAssignment).Reason; !strings.Contains(why, "log.propensity_by_arm") {
		t.Errorf("assignment by the played arm's p: %q", why)
	}
	decidedBy(t, r, "A", schemas.MethodAnyTime)
}

// sheet compares with a number of the sheet, where propensities are exact; those of a
// log are known to about 1e-8.
func sheet(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

// each goes over the small log.
func each(round func(arm int, y float64, p []float64)) {
	const third = 1.0 / 3
	laws := [][]float64{{third, third, third}, {.4, .2, .4}, {.3, .2, .5}, {.2, .1, .7}}
	rewards := []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}
	for i, arm := range []int{0, 1, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0} {
		round(arm, rewards[i], laws[i/3])
	}
}

// greedyRows are rounds of an ε-greedy policy with ε = .4 over two arms, with the means
// of a round.
func greedyRows(seed uint64, rounds int, means func(t int) [2]float64) []logfile.Row {
	draw := rand.New(rand.NewPCG(seed, 1))
	rows := make([]logfile.Row, rounds)
	var n, s [2]float64
	for t := range rows {
		best := 0
		if s[1]*n[0] > s[0]*n[1] {
			best = 1
		}
		p := [2]float64{.2, .2}
		p[best] = .8
		arm, reward := 0, 0.0
		if draw.Float64() < p[1] {
			arm = 1
		}
		if draw.Float64() < means(t)[arm] {
			reward = 1
		}
		n[arm]++
		s[arm] += reward
		rows[t] = logfile.Row{Arm: arm, Reward: reward, Propensity: p[arm]}
	}
	return rows
}

const greedy = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: propensity}
arms: [a, b]
reward: {range: [0, 1]}
analysis:
  chosen: before
  tests:
    - {id: D, difference: [b, a], value: 0}
    - {id: V, difference: [b, a], value: 0.05}
    - {id: E, equal: all}
    - {id: M, arm: b, mean: 0.5}
`

func greedyLab(t *testing.T, source string, rows []logfile.Row) *lab {
	t.Helper()
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, PropensityByArm: rows[0].PropensityByArm != nil, Unit: true}, rows)
}

func constant(a, b float64) func(int) [2]float64 {
	return func(int) [2]float64 { return [2]float64{a, b} }
}

// TestWithoutPrivacy: a log with propensities and nothing else is answered, every
// question by the first method of its row.
func TestWithoutPrivacy(t *testing.T) {
	r := greedyLab(t, greedy, greedyRows(3, 4000, constant(.4, .6))).analyse(t, 2)
	for id, by := range map[string]string{"D": schemas.MethodAssignment, "V": schemas.MethodAnyTime, "E": schemas.MethodAssignment, "M": schemas.MethodAnyTime} {
		test, _ := decidedBy(t, r, id, by)
		if test.Decision != schemas.DecisionRejected {
			t.Errorf("%s: %s by %s: %+v", id, test.Decision, by, test.Results)
		}
	}
	_, v := decidedBy(t, r, "V", schemas.MethodAnyTime)
	if !(v.CI[0] > .05 && v.CI[0] < .2 && v.CI[1] > .2) {
		t.Errorf("interval of the difference %v, the truth is .2", *v.CI)
	}
}

// TestDriftThatArmsShare: means that move alike in both arms reject nothing, though
// the arms were played at different times. Of 100 logs at level .05 at most 11 may, which
// more than 11 of 100 have with probability .001 where each has .05.
func TestDriftThatArmsShare(t *testing.T) {
	logs := 100
	if testing.Short() {
		logs = 12
	}
	rejected := map[string]int{}
	for seed := range uint64(logs) {
		rows := greedyRows(seed+100, 1000, func(t int) [2]float64 {
			m := .1 + .6*float64(t)/1000
			return [2]float64{m, m}
		})
		r := greedyLab(t, strings.Replace(greedy, "analysis:\n", "analysis:\n  multiplicity: none\n", 1), rows).analyse(t, 1)
		for _, test := range r.Experiments[0].Tests {
			if test.ID != "M" && test.ID != "V" && test.Decision == schemas.DecisionRejected {
				rejected[test.ID]++
			}
		}
	}
	for id, n := range rejected {
		if n > 11*logs/100+1 {
			t.Errorf("%s rejects in %d of %d logs of arms that pay alike", id, n, logs)
		}
	}
}

// TestWhatStopsWagers: what takes propensities for the probabilities of the arms is
// not applicable where they are not, and the reason names what to do.
func TestWhatStopsWagers(t *testing.T) {
	rows := greedyRows(5, 600, constant(.5, .5))
	units := make([]logfile.Row, len(rows))
	for i := range units {
		units[i] = rows[i]
		units[i].Unit = string(rune('A' + i/20))
	}
	wrong := make([]logfile.Row, len(rows))
	for i := range wrong {
		wrong[i] = rows[i]
		wrong[i].PropensityByArm = []float64{.7, .7}
		wrong[i].Propensity = .7
	}
	for _, c := range []struct {
		name    string
		changes []string
		rows    []logfile.Row
		why     string
		mean    bool // is still decided
	}{
		{"no propensity", []string{", propensity: propensity", ""}, rows, "no propensity is logged", true},
		{"units without draw", []string{"propensity: propensity}", "propensity: propensity, unit: unit}"}, units, "policy.draw: {by: round}", true},
		{"one more draw", []string{"propensity: propensity}", "propensity: propensity, propensity_draws: 10, drawn: one-more}"}, rows, "one-more", true},
		{"no probabilities", []string{"propensity: propensity}", "propensity: propensity, propensity_by_arm: propensity_by_arm}"}, wrong, "check H04", true},
		{"chosen after", []string{"chosen: before", "chosen: after-rewards"}, rows, "", true},
	} {
		r := greedyLab(t, strings.NewReplacer(c.changes...).Replace(greedy), c.rows).analyse(t, 1)
		if c.why != "" {
			test, _ := decidedBy(t, r, "D", "")
			for _, name := range []string{schemas.MethodAssignment, schemas.MethodAnyTime} {
				if got := method(t, test, name); got.Applicable || !strings.Contains(got.Reason, c.why) {
					t.Errorf("%s: %s: %+v", c.name, name, got)
				}
			}
			if test.Decision != schemas.DecisionNone || !strings.Contains(test.Choice, "no method applies") {
				t.Errorf("%s: %s, %q", c.name, test.Decision, test.Choice)
			}
		}
		decidedBy(t, r, "M", schemas.MethodAnyTime)
	}
}

// TestTolls: a question that was thought of after looking pays for all that it may have
// been chosen from.
func TestTolls(t *testing.T) {
	rows := greedyRows(6, 3000, constant(.4, .6))
	plain := strings.Replace(greedy, "analysis:\n", "analysis:\n  multiplicity: none\n", 1)
	before := greedyLab(t, plain, rows).analyse(t, 1)
	after := greedyLab(t, strings.Replace(plain, "chosen: before", "chosen: after-rewards", 1), rows).analyse(t, 1)
	_, m := decidedBy(t, before, "M", schemas.MethodAnyTime)
	_, paid := decidedBy(t, after, "M", schemas.MethodAnyTime)
	near(t, "p times the arms", *paid.P, 2**m.P)
	if !(paid.CI[0] < m.CI[0] && paid.CI[1] > m.CI[1]) {
		t.Errorf("the interval of a chosen arm %v is not around that of a declared one %v", *paid.CI, *m.CI)
	}
	decidedBy(t, after, "E", "")
	most := greedyLab(t, strings.Replace(plain, "arm: b, mean", "arm: most-pulled, mean", 1), rows).analyse(t, 1)
	_, chosen := decidedBy(t, most, "M", schemas.MethodAnyTime)
	near(t, "p of the most pulled", *chosen.P, *paid.P)
}

// TestDecideByName: a declared method decides or none does, and the others stand
// beside.
func TestDecideByName(t *testing.T) {
	rows := greedyRows(7, 2000, constant(.4, .6))
	r := greedyLab(t, strings.Replace(greedy, "analysis:\n", "analysis:\n  decide: assignment\n", 1), rows).analyse(t, 1)
	decidedBy(t, r, "D", schemas.MethodAssignment)
	for _, id := range []string{"V", "M"} {
		test, _ := decidedBy(t, r, id, "")
		if !strings.Contains(test.Choice, "assignment does not answer a test of kind") {
			t.Errorf("%s: %q", id, test.Choice)
		}
	}
	r = greedyLab(t, strings.Replace(greedy, "id: D, ", "id: D, decide: corrected, ", 1), rows).analyse(t, 1)
	test, _ := decidedBy(t, r, "D", "")
	if test.Choice != "corrected is declared to decide (analysis.decide) and does not apply: A1: no policy is declared, so there is no ledger" {
		t.Errorf("%q", test.Choice)
	}
	decidedBy(t, r, "E", schemas.MethodAssignment)
}

// TestFamiliesOfWagers: e-BH goes by the evidence at the end of the log, and BH over
// raw p-values does not adjust what a wager decides.
func TestFamiliesOfWagers(t *testing.T) {
	rows := greedyRows(8, 3000, constant(.4, .6))
	by := func(multiplicity string) *schemas.Results {
		return greedyLab(t, strings.Replace(greedy, "analysis:\n", "analysis:\n  multiplicity: "+multiplicity+"\n", 1), rows).analyse(t, 1)
	}
	e := by("e-bh")
	for _, test := range e.Experiments[0].Tests {
		r := method(t, &test, test.DecidedBy)
		if test.Decision != schemas.DecisionRejected || r.PAdjusted == nil || *r.PAdjusted < *r.P {
			t.Errorf("%s: %s by %s, p %v, adjusted %v", test.ID, test.Decision, test.DecidedBy, r.P, r.PAdjusted)
		}
	}
	b := by("bh")
	for _, id := range []string{"D", "M"} {
		if test, _ := decidedBy(t, b, id, ""); !strings.Contains(test.Choice, "multiplicity bh") {
			t.Errorf("%s under bh: %q", id, test.Choice)
		}
	}
}

// TestAutoAndNoise: where a policy reads noisy sums, the corrected p of a mean decides
// only where the noise leaves it a chance; where a policy reads none, it always does.
func TestAutoAndNoise(t *testing.T) {
	for _, c := range []struct{ epsilon, by string }{{"2", schemas.MethodAnyTime}, {"0.02", schemas.MethodCorrected}} {
		source := strings.NewReplacer("decide: corrected", "decide: auto", "epsilon: 0.1", "epsilon: "+c.epsilon).Replace(private)
		l := simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
		test, _ := decidedBy(t, l.analyse(t, 1), "H1", c.by)
		if passed := strings.Contains(test.Choice, "corrected is passed over: for that a raw p of 10^-"); passed != (c.by == schemas.MethodAnyTime) {
			t.Errorf("ε = %s: %q", c.epsilon, test.Choice)
		}
	}
}

// TestRerunDecides: of a policy that was recomputed and has no privacy, UCB1 among them,
// whether arms pay alike is decided by running it again; of two arms in all, also
// whether their means differ. A pair of three is not.
func TestRerunDecides(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out many runs of the policy; the full run has it")
	}
	source := strings.NewReplacer("decide: corrected\n  sequence: normal", "decide: auto", "name: hybrid, epsilon: 0.1, horizon: 900", "name: exact", "privacy: {epsilon: 0.1}\n", "", "bonus: quantile, ", "",
		"    - {id: H1, arm: most-pulled, mean: 0.5}\n", "    - {id: E, equal: all}\n    - {id: P, equal: [a, b]}\n    - {id: D, difference: [b, a], value: 0}\n",
	).Replace(private)
	three := simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .6}, Rounds: 900}).analyse(t, 2)
	test, r := decidedBy(t, three, "E", schemas.MethodRerun)
	if test.Decision != schemas.DecisionRejected || !strings.Contains(r.Reason, "exact if rewards within blocks of 10 rounds are exchangeable") {
		t.Errorf("%s, %+v", test.Decision, r)
	}
	decidedBy(t, three, "P", "")
	decidedBy(t, three, "D", "")
	two := strings.NewReplacer("arms: [a, b, c]", "arms: [a, b]").Replace(source)
	l := simulated(t, two, 5, &world.Spec{Means: []float64{.3, .6}, Rounds: 900})
	for _, id := range []string{"E", "P", "D"} {
		test, _ = decidedBy(t, l.analyse(t, 1), id, schemas.MethodRerun)
		if test.Decision != schemas.DecisionRejected {
			t.Errorf("%s of two arms: %s", id, test.Decision)
		}
	}
	named := l.but(t, changes{"decide: auto": "decide: any-time"}).analyse(t, 1)
	test, _ = decidedBy(t, named, "E", "")
	if got := method(t, test, schemas.MethodRerun); got.Applicable || !strings.Contains(got.Reason, "was not carried out") {
		t.Errorf("%+v", got)
	}
}
