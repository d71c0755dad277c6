package analyze_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
)

// inPython are rows of testdata/reference/evaluate.csv, which a second program made from the
// definitions: cd testdata/reference && python3 evaluate.py > evaluate.csv.
func inPython(t *testing.T) [][]string {
	t.Helper()
	file, err := os.Open("../testdata/reference/evaluate.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 13 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	return rows
}

// targetsInPython are the targets of these rows in a protocol.
var targetsInPython = map[string]string{
	"ucb":            "{name: ucb, width: {c: 2}}",
	"epsilon-greedy": "{name: epsilon-greedy, explore: 0.3}",
	"softmax":        "{name: softmax, eta: 0.5}",
	"thompson":       "{name: thompson, prior: {alpha: 1, beta: 1}}",
}

// Policies of the catalogue on the small log are those of a second program: their
// probabilities in the states that the log brings them to, with rewards that come at once,
// later, or in batches, all estimates, and both intervals; and weights that are cut.
func TestPoliciesInPython(t *testing.T) {
	t.Parallel()
	for _, row := range inPython(t) {
		name, mode, clip := row[0], row[1], row[2]
		t.Run(strings.Join(row[:3], " "), func(t *testing.T) {
			t.Parallel()
			source, spec, rows := smallValues(0, 1)
			source = unasked(source)
			target := fmt.Sprintf("{policy: %s, mode: %s}", targetsInPython[name], mode)
			switch mode {
			case "every 4":
				target = "{policy: {name: softmax, eta: 0.5, update: {every: 4}}, mode: follows-log}"
			case "lag 2":
				target = "{policy: {name: softmax, eta: 0.5}, mode: follows-log}"
				spec.RewardOrder = true
				source = strings.Replace(source, "propensity_by_arm:", "reward_order: reward_order, propensity_by_arm:", 1)
				for i := range rows {
					rows[i].RewardOrder = int64(i + 3)
				}
			case "fixed":
				target = map[string]string{"uniform": "uniform", "arm b": "{arm: b}"}[name]
			}
			entry := "id: V, target: " + target
			if clip != "0" {
				entry += ", clip_weights: " + clip
			}
			e := one(t, written(t, t.TempDir(), source+"analysis: {evaluate: [{"+entry+"}]}\n", spec, rows))
			number := func(i int) float64 {
				v, err := strconv.ParseFloat(row[i], 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			near := 1e-12
			if strings.Contains(name, "thompson") {
				near = 2e-11 // propensities by quadrature, whose error is 1e-9 at most
			}
			for i, by := range []string{"ips", "snips", "dr", "ips"} {
				against := ""
				if i == 3 {
					against = "the logging policy"
				}
				x := valueOf(t, e, "V", by, against, false)
				if by == "snips" && clip != "0" {
					if x.Estimate != nil || !strings.Contains(x.Reason, "clip_weights") {
						t.Errorf("a ratio of weights that are cut: %+v", x)
					}
					continue
				}
				value := *x.Estimate
				if x.RawEstimate != nil {
					value = *x.RawEstimate
				}
				within(t, by+against, value, number(3+2*i), near)
				if number(4+2*i) > 0 {
					within(t, by+against+", error", *x.StdError, number(4+2*i), near)
				} else if x.StdError != nil {
					t.Errorf("%s: error %v of scores that are all alike", by, *x.StdError)
				}
				if clip != "0" {
					within(t, by+against+", B", *x.ClipBias, number(11), 1e-14)
				} else if x.ClipBias != nil {
					t.Errorf("%s: B %v where nothing is cut", by, *x.ClipBias)
				}
			}
			for i, against := range []string{"", "the logging policy"} { // logged propensities count as known to 2⁻²⁴ of them
				x := valueOf(t, e, "V", "ips", against, true)
				within(t, "at any time, low"+against, x.CI[0], number(12+2*i), 1e-7)
				within(t, "at any time, high"+against, x.CI[1], number(13+2*i), 1e-7)
			}
		})
	}
}

// unasked is a protocol without what it asks.
func unasked(source string) string {
	before, _, _ := strings.Cut(source, "analysis:")
	return before
}

// What a policy is asked for is said in the words of each question, and what it reads is
// booked.
func TestPoliciesInWords(t *testing.T) {
	t.Parallel()
	source, spec, rows := smallValues(0, 1)
	source = unasked(source) + `analysis:
  evaluate:
    - {id: V1, target: {policy: {name: ucb, width: {c: 2}}, mode: follows-log}}
    - {id: V2, target: {policy: {name: ucb, width: {c: 2}}, mode: frozen}}
    - {id: V3, target: {policy: {name: uniform}, mode: frozen}}
    - {id: V4, target: uniform}
`
	e := one(t, written(t, t.TempDir(), source, spec, rows))
	for id, want := range map[string][2]string{
		"V1": {"policy ucb, in the state after the earlier rounds of this log,", "the average value of those states, not the return of the learner had it run alone"},
		"V2": {"policy ucb, frozen as it is before any reward,", "the value of one function of what is public in a round"},
	} {
		for _, anytime := range []bool{false, true} {
			x := valueOf(t, e, id, "ips", "", anytime)
			if !strings.Contains(x.Target, want[0]) || !strings.Contains(x.ValidUnder, want[1]) {
				t.Errorf("%s: %s; %s", id, x.Target, x.ValidUnder)
			}
		}
	}
	for _, by := range []string{"ips", "dr"} { // a policy that reads no rewards is what its other form is
		a, b := valueOf(t, e, "V3", by, "", false), valueOf(t, e, "V4", by, "", false)
		if *a.Estimate != *b.Estimate || *a.StdError != *b.StdError {
			t.Errorf("%s of uniform, frozen: %v, %v", by, *a.Estimate, *b.Estimate)
		}
	}
	a, b := valueOf(t, e, "V3", "ips", "", true), valueOf(t, e, "V4", "ips", "", true)
	if *a.CI != *b.CI {
		t.Errorf("uniform, frozen, at any time: %v, %v", a.CI, b.CI)
	}
	booked := map[string]int{}
	for _, d := range e.Disclosures {
		booked[d.Purpose]++
	}
	for _, purpose := range []string{"estimate:value V1 follows-log", "estimate:value V2 frozen", "estimate:value V3 frozen", "estimate:value V4", "estimate:values-at-any-time"} {
		if booked[purpose] != 1 {
			t.Errorf("%s is booked %d times: %v", purpose, booked[purpose], booked)
		}
	}
}

// What stands against a policy is said once for each question, and nothing is then read.
func TestPoliciesRefused(t *testing.T) {
	t.Parallel()
	source, spec, rows := smallValues(0, 1)
	spec.MissingReward = true
	rows[4].Reward = math.NaN()
	source = strings.Replace(unasked(source), "log: {", "log: {missing_reward: exclude-independent, ", 1) +
		"analysis: {evaluate: [{id: L, target: {policy: {name: softmax, eta: 1}, mode: follows-log}}, {id: F, target: {policy: {name: softmax, eta: 1}, mode: frozen}}, {id: R, target: {policy: {name: uniform}, mode: replay, floor: 0.1}}]}\n"
	e := one(t, written(t, t.TempDir(), source, spec, rows))
	if x := valueOf(t, e, "L", "snips", "", false); x.Estimate != nil || !strings.Contains(x.Reason, "only where every reward is known") {
		t.Errorf("a policy that learns where a reward is missing: %+v", x)
	}
	if x := valueOf(t, e, "F", "snips", "", false); x.Estimate == nil {
		t.Errorf("a frozen one: %+v", x)
	}
	if x := valueOf(t, e, "R", "replay", "", true); x.CI != nil || !strings.Contains(x.Reason, "missing") {
		t.Errorf("a replay: %+v", x)
	}
	for _, d := range e.Disclosures {
		if strings.Contains(d.Purpose, "value L") || strings.Contains(d.Purpose, "value R") {
			t.Errorf("read for %s", d.Purpose)
		}
	}
}

// The same bytes come of every number of workers, over several chunks.
func TestPoliciesInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out walks over 70,000 rounds; the full run has them")
	}
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	rows := make([]logfile.Row, 70_000)
	for i := range rows {
		rows[i] = weightedRow(r, .5, [2]float64{.3, .4})
		rows[i].TargetByArm, rows[i].Target = []float64{.25, .75}, .75
	}
	l := written(t, t.TempDir(), protocolOf("propensity: propensity")+`analysis:
  evaluate:
    - {id: V1, target: {policy: {name: ucb, width: {c: 2}}, mode: follows-log}}
    - {id: V2, target: {policy: {name: ucb, width: {c: 2}}, mode: replay, floor: 0.5}}
    - {id: V3, target: {column: target_by_arm}, clip_weights: 1.25}
    - {id: V4, target: {column: target}}
`, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, TargetByArm: true, Target: true}, rows)
	want := encode(t, l.analyse(t, 1))
	if !bytes.Equal(encode(t, l.analyse(t, 2)), want) {
		t.Error("2 jobs give other bytes than 1")
	}
	e := one(t, l)
	// A learner that plays alone is near the better arm; that in the states of a log which
	// plays both alike too.
	if x := valueOf(t, e, "V2", "replay", "", true); !(x.CI[0] > .38 && x.CI[1] < .42) || *x.Rounds < 30_000 {
		t.Errorf("replay: %+v", x)
	}
	if x := valueOf(t, e, "V1", "ips", "", true); !(x.CI[0] > .37 && x.CI[1] < .43) {
		t.Errorf("follows-log: %+v", x)
	}
	if x := valueOf(t, e, "V3", "ips", "", false); *x.ClipBias < .1249 || *x.ClipBias > .1251 {
		t.Errorf("B: %v", *x.ClipBias)
	}
}
