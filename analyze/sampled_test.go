package analyze_test

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// keptColumns are those of a log whose rows say with which probability they were kept.
const keptColumns = "propensity_by_arm: propensity_by_arm, keep_prob: {column: keep_prob}, keep_by: "

func keptSpec(k int) *logfile.Layout {
	return &logfile.Layout{Labels: []string{"a", "b", "c"}[:k], Reward: logfile.RewardBool, Propensity: true, PropensityByArm: true, KeepProb: true}
}

// sampledSmall is the small log of the formula sheet, with o of every row.
func sampledSmall(t *testing.T, by, analysis string) *lab {
	t.Helper()
	p := [][]float64{{1. / 3, 1. / 3, 1. / 3}, {.4, .2, .4}, {.3, .2, .5}, {.2, .1, .7}}
	var rows []logfile.Row
	for i, arm := range []int{0, 1, 2, 0, 0, 2, 1, 2, 2, 1, 2, 0} {
		o := []float64{.2, .6, .6, .6}[i%4]
		if by == schemas.KeepByAction {
			o = []float64{.5, 1, .8}[arm]
		}
		rows = append(rows, logfile.Row{Arm: arm, Reward: []float64{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1}[i], PropensityByArm: p[i/3], Propensity: p[i/3][arm], KeepProb: o})
	}
	return written(t, t.TempDir(), protocolOf(keptColumns+by, "[a, b]", "[a, b, c]")+analysis, keptSpec(3), rows)
}

// sampledNinety are rounds of two arms that were kept with .5 and 1.
func sampledNinety() []logfile.Row {
	x := 1
	word := func() float64 {
		x = (x*1103515245 + 12345) % (1 << 31)
		return float64(x) / (1 << 31)
	}
	var rows []logfile.Row
	for range 90 {
		row := logfile.Row{Arm: 1, PropensityByArm: []float64{.5 + inFull, .5 - inFull}, KeepProb: 1}
		if word() < 1./3 {
			row.Arm, row.KeepProb = 0, .5
		}
		if row.Propensity = row.PropensityByArm[row.Arm]; word() < []float64{.8, .3}[row.Arm] {
			row.Reward = 1
		}
		rows = append(rows, row)
	}
	return rows
}

// Means with 1/keep_prob, and wagers on the arm given that its row was kept, are those of a
// second program: cd testdata/reference && python3 sampled.py.
func TestSampledInPython(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../testdata/reference/sampled.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || len(lines) != 21 {
		t.Fatalf("%d rows: %v", len(lines), err)
	}
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	e := map[string]*schemas.Experiment{}
	for _, by := range []string{schemas.KeepBySchedule, schemas.KeepByAction} {
		e[by] = one(t, sampledSmall(t, by, "analysis:\n  evaluate: [{id: U, target: uniform}]\n"))
	}
	for _, line := range lines[1:19] {
		of := func(x *schemas.Estimate) bool {
			if line[2] != "" {
				return x.Estimator == line[1] && x.EvaluationPolicy == "" && *x.Arm == int(number(line[2]))
			}
			return x.EvaluationPolicy != "" && !x.Anytime && x.Estimator == strings.Replace(line[1], "gain", "ips", 1) && (x.Against != "") == (line[1] == "gain")
		}
		list := e[line[0]].Estimates
		at := slices.IndexFunc(list, func(x schemas.Estimate) bool { return (x.Arm != nil || x.EvaluationPolicy != "") && of(&x) })
		if at < 0 {
			t.Fatalf("no estimate %v", line)
		}
		within(t, fmt.Sprint(line[:3]), raw(&list[at]), number(line[3]), 1e-12)
		if x := list[at].StdError; x != nil || number(line[4]) != 0 {
			within(t, fmt.Sprint(line[:3], " error"), *x, number(line[4]), 1e-12)
		}
	}
	const test = "analysis:\n  chosen: before\n  tests: [{id: E, equal: [a, b]}]\n"
	source := protocolOf(keptColumns+schemas.KeepByAction) + test
	l := written(t, t.TempDir(), source, keptSpec(2), sampledNinety())
	_, got := decidedBy(t, l.analyse(t, 1), "E", schemas.MethodAssignment)
	within(t, "assignment", *got.P, number(lines[19][3]), 1e-7) // .5 is written in full, and is not .5
	_, got = decidedBy(t, l.but(t, changes{"keep_by: action": "keep_by: schedule"}).analyse(t, 1), "E", schemas.MethodAssignment)
	within(t, "assignment of rows kept by schedule", *got.P, number(lines[20][3]), 1e-7)
}

// halved are rounds of two arms that pay alike, drawn evenly, of which every other of arm a
// was dropped: the negative control of the contract, section 7. alike: rows of either arm are
// kept with .5 or 1 in turn.
func halved(seed uint64, rounds int, alike bool) []logfile.Row {
	r := rand.New(rand.NewPCG(7, seed))
	var rows []logfile.Row
	for i := range rounds {
		row := logfile.Row{Arm: r.IntN(2), Propensity: .5, PropensityByArm: []float64{.5, .5}, KeepProb: 1}
		if r.Float64() < .3 {
			row.Reward = 1
		}
		if !alike && row.Arm == 0 || alike && i%2 == 0 {
			row.KeepProb = .5
		}
		if r.Float64() < row.KeepProb {
			rows = append(rows, row)
		}
	}
	return rows
}

// Where it is not declared that an arm was sampled down, 23.2 rejects arms that pay alike
// and H17 contradicts their propensities, in every log; declared, both levels hold.
func TestSampledDownArm(t *testing.T) {
	if testing.Short() {
		t.Skip("fifteen logs")
	}
	t.Parallel()
	const tests = "analysis:\n  chosen: before\n  multiplicity: none\n  tests: [{id: E, equal: [a, b]}, {id: X, equal: [a, b], decide: any-time}, {id: M, arm: a, mean: 0.3}]\n"
	rejected := map[string]int{}
	const logs = 12
	for seed := range uint64(logs) {
		l := written(t, t.TempDir(), protocolOf(keptColumns+schemas.KeepByAction)+tests, keptSpec(2), halved(seed, 3000, false))
		r := l.analyse(t, 1)
		if f := claim(t, r, schemas.KindAllocation); f.Verdict != schemas.Consistent {
			t.Errorf("declared, log %d: %s is %s (%s)", seed, f.Kind, f.Verdict, f.Reason)
		}
		decidedBy(t, r, "X", "")
		for id, by := range map[string]string{"E": schemas.MethodAssignment, "M": schemas.MethodAnyTime} {
			if test, _ := decidedBy(t, r, id, by); test.Decision == schemas.DecisionRejected {
				rejected[id]++
			}
		}
		if seed >= 3 {
			continue
		}
		r = l.but(t, changes{", keep_prob: {column: keep_prob}, keep_by: action": ""}).analyse(t, 1)
		if f := claim(t, r, schemas.KindAllocation); f.Verdict != schemas.Violated {
			t.Errorf("undeclared, log %d: %s is %s", seed, f.Kind, f.Verdict)
		}
	}
	for id, n := range rejected { // at .05 four of twelve and more have probability .002
		if n > 3 {
			t.Errorf("%s is rejected in %d of %d logs", id, n, logs)
		}
	}
}

// What goes on under every word, what does not, and by which key.
func TestSampledRules(t *testing.T) {
	t.Parallel()
	const analysis = `analysis:
  chosen: before
  means: constant
  approximate: accept
  tests:
    - {id: M, arm: a, mean: 0.3}
    - {id: D, difference: [b, a], value: 0}
    - {id: X, difference: [b, a], value: 0, decide: any-time}
    - {id: E, equal: all}
    - {id: A, equal: [a, b], decide: any-time}
    - {id: R, equal: all, decide: rerun}
    - {id: C, arm: a, mean: 0.3, decide: corrected}
    - {id: W, difference: [b, a], value: 0, decide: adaptive}
  evaluate: [{id: U, target: uniform}]
`
	l := written(t, t.TempDir(), protocolOf(keptColumns+schemas.KeepByAction)+analysis, keptSpec(2), halved(99, 2000, false))
	spread := written(t, t.TempDir(), protocolOf(keptColumns+schemas.KeepByAction)+analysis, keptSpec(2), halved(98, 2000, true))
	several := halved(99, 2000, false)
	for i := range several {
		several[i].KeepProb /= float64(1 + i%2)
	}
	varying := written(t, t.TempDir(), protocolOf(keptColumns+schemas.KeepByAction)+analysis, keptSpec(2), several)
	const goes = "goes"
	all := func(on string) map[string]string {
		out := map[string]string{}
		for id := range strings.FieldsSeq("M D X E A W H05 H17 ipw snipw aipw ips snips dr any") {
			out[id] = on
		}
		return out
	}
	but := func(m map[string]string, pairs ...string) map[string]string {
		for i := 0; i < len(pairs); i += 2 {
			for id := range strings.FieldsSeq(pairs[i]) {
				m[id] = pairs[i+1]
			}
		}
		return m
	}
	for name, c := range map[string]struct {
		of   *lab
		keys string
		only string            // what answers are valid if
		want map[string]string // goes, or a word of the reason; the methods corrected and rerun never go on
	}{
		"a number":         {spread, "keep_prob: 0.3", schemas.ValidIfKeptAlike, all(goes)},
		"schedule":         {spread, "keep_prob: {column: keep_prob}, keep_by: schedule", schemas.ValidIfKeptAlike, but(all(goes), "W aipw dr", "log.keep_prob")},
		"action":           {l, "keep_prob: {column: keep_prob}, keep_by: action", schemas.ValidIfKept, but(all(goes), "A any", "log.keep_by: action", "W aipw dr", "log.keep_prob")},
		"action, a number": {l, "keep_prob: 0.3, keep_by: action", schemas.ValidIfKept, but(all(goes), "E A any H05 H17 W aipw dr", "log.keep_")},
		"action, varying":  {varying, "keep_prob: {column: keep_prob}, keep_by: action", schemas.ValidIfKept, but(all(goes), "E A H05 H17 any W aipw dr", "log.keep_", "D", goes)},
		"rewards":          {l, "keep_prob: {column: keep_prob}, keep_by: rewards", "", but(all("log.keep_by: rewards"), "snipw snips", goes)},
		"unknown":          {l, "keep_prob: {column: keep_prob}", "", but(all("log.keep_by: unknown"), "snipw snips", goes)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := c.of.but(t, changes{"keep_prob: {column: keep_prob}, keep_by: action": c.keys}).analyse(t, 1)
			said := map[string]string{}
			for _, test := range r.Experiments[0].Tests {
				said[test.ID] = test.Choice
				if test.DecidedBy != "" {
					said[test.ID] = goes
				}
			}
			ownKept(t, &r.Experiments[0], c.only)
			for _, x := range r.Experiments[0].Data.Checks {
				if said[x.ID] = x.Detail; x.Status != schemas.CheckNotRun {
					said[x.ID] = goes
				}
			}
			for _, x := range r.Experiments[0].Estimates {
				id := x.Estimator
				if x.Anytime {
					id = "any"
				}
				if said[id] = x.Reason; x.Estimate != nil {
					said[id] = goes
				}
			}
			for _, id := range []string{"C", "R"} {
				if said[id] == goes || !strings.Contains(said[id], "log.keep_prob") {
					t.Errorf("%s: %q", id, said[id])
				}
			}
			for id, want := range c.want {
				if want == goes && said[id] != goes || want != goes && (said[id] == goes || !strings.Contains(said[id], want)) {
					t.Errorf("%s: %q, want %q", id, said[id], want)
				}
			}
		})
	}
}

// ownKept: whatever is answered says that it rests on what dropped rows, and over which
// rounds it is; a mean of one arm rests on no arm being read.
func ownKept(t *testing.T, e *schemas.Experiment, only string) {
	t.Helper()
	for _, x := range e.Tests {
		of := only
		if x.DecidedBy == schemas.MethodAnyTime && x.Kind == schemas.TestMean {
			of = schemas.ValidIfKept
		}
		if r := x.Result(x.DecidedBy); r != nil && (!strings.HasSuffix(x.OnlyIf, of) || !strings.Contains(r.Reason, of) || !strings.Contains(x.Hypothesis, "kept round")) {
			t.Errorf("%s by %s over %q: %q, %q, %q", x.ID, x.DecidedBy, x.Over, x.Hypothesis, x.OnlyIf, r.Reason)
		}
	}
	for _, x := range e.Estimates {
		if x.Estimate != nil && (!strings.Contains(x.ValidUnder, only) || only == "" && strings.Contains(x.ValidUnder, schemas.ValidIfKept)) {
			t.Errorf("%s of %s: %q", x.Estimator, x.Target, x.ValidUnder)
		}
	}
}

// A policy that learned from rows that are gone is not contradicted, nor is one whose draws
// go by the number of the round; one that looks at no rewards is held against propensities.
func TestSampledConformance(t *testing.T) {
	t.Parallel()
	const ucb, uniform = "policy: {name: ucb, width: {c: 2}}\ncounter: {name: exact}\n", "policy: {name: uniform}\n"
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}
	for _, c := range []struct {
		policy, keys string
		want         schemas.Verdict
		says         string
	}{
		{ucb, "keep_prob: 0.5", schemas.NotEstablished, "the policy learned from rows that the log does not hold"},
		{ucb, "keep_prob: 1", schemas.Violated, ""},
		{uniform, "keep_prob: 0.5", schemas.Consistent, ""},
		{"policy: {name: uniform, seed: \"" + strings.Repeat("0f", 32) + "\"}\n", "keep_prob: 0.5", schemas.NotEstablished, "a seed gives the actions of all rounds in their order"},
	} {
		rows := halved(5, 1500, true)
		r := written(t, t.TempDir(), protocolOf("propensity: propensity, "+c.keys)+c.policy, spec, rows).analyse(t, 1)
		if f := claim(t, r, schemas.KindConformance); f.Verdict != c.want || !strings.Contains(f.Reason, c.says) {
			t.Errorf("%s, %s: %s (%s)", c.policy, c.keys, f.Verdict, f.Reason)
		}
		if c.policy == ucb && (r.Experiments[0].Replay.Hints != nil) != (c.want == schemas.Violated) {
			t.Errorf("%s: hints %+v", c.keys, r.Experiments[0].Replay.Hints)
		}
	}
}
