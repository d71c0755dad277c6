package analyze_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// batchedLog is the head of a protocol of a log in batches.
const batchedLog = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, batch: batch}
arms: [a, b]
reward: {range: [0, 1]}
policy: {draw: {by: round}}
analysis:
  chosen: before
  multiplicity: none
  decide: batch-exact
  tests:
    - {id: E, equal: [a, b]}
    - {id: D, difference: [a, b], value: 0}
    - {id: G, difference: [a, b], value: 0, alternative: greater}
    - {id: L, difference: [a, b], value: 0, alternative: less}
    - {id: V, difference: [a, b], value: 0.1}
`

// sheetRows are the three batches of the formula sheet, 24.6.
func sheetRows() []logfile.Row {
	var rows []logfile.Row
	for b, table := range [][4]int{{10, 6, 10, 4}, {14, 9, 6, 2}, {16, 10, 4, 1}} {
		for arm := range 2 {
			for i := range table[2*arm] {
				row := logfile.Row{Arm: arm, Batch: int64(b)}
				if i < table[2*arm+1] {
					row.Reward = 1
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func batchLab(t *testing.T, source string, rows []logfile.Row, change func(*logfile.Layout)) *lab {
	t.Helper()
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Batch: true}
	if change != nil {
		change(spec)
	}
	return written(t, t.TempDir(), source, spec, rows)
}

// TestBatchesOfTheSheet: the vectors of the formula sheet through the whole analysis.
func TestBatchesOfTheSheet(t *testing.T) {
	l := batchLab(t, batchedLog, sheetRows(), nil)
	r := l.analyse(t, 1)
	test, e := decidedBy(t, r, "E", schemas.MethodBatchExact)
	sheet(t, "p", *e.P, 1/2.301128933502)
	if test.Comparison.ValidIf != schemas.ValidIfBatches || e.ValidFor != "any-time" || e.CI != nil {
		t.Errorf("valid if %q, for %q, interval %v", test.Comparison.ValidIf, e.ValidFor, e.CI)
	}
	_, g := decidedBy(t, r, "G", schemas.MethodBatchExact)
	sheet(t, "one-sided p", *g.P, 1/4.477384947945)
	_, less := decidedBy(t, r, "L", schemas.MethodBatchExact)
	if *less.P != 1 {
		t.Errorf("p of the other side is %g, want 1", *less.P)
	}
	test, _ = decidedBy(t, r, "D", schemas.MethodBatchExact)
	bols := method(t, test, schemas.MethodBOLS)
	sheet(t, "p by BOLS", *bols.P, .0451538202)
	sheet(t, "Z", *bols.Statistic, 2.0032186922)
	const half = 1.959963984540054 * .1445170088
	sheet(t, "low end", bols.CI[0], .2894991735-half)
	sheet(t, "high end", bols.CI[1], .2894991735+half)
	if !bols.Approximate || bols.PAdjusted != nil || !strings.Contains(bols.Reason, "0.2895") {
		t.Errorf("BOLS: %+v", bols)
	}
	test, _ = decidedBy(t, r, "V", "")
	if at := method(t, test, schemas.MethodBOLS); !(*at.P > *bols.P) || test.Decision != schemas.DecisionNone {
		t.Errorf("against 0.1: %+v, %s", at, test.Decision)
	}

	r = l.but(t, changes{"decide: batch-exact": "decide: auto"}).analyse(t, 1)
	for i := range r.Experiments[0].Tests {
		for _, result := range r.Experiments[0].Tests[i].Results {
			if result.Method == schemas.MethodBatchExact || result.Method == schemas.MethodBOLS {
				t.Errorf("auto has an answer by %s", result.Method)
			}
		}
	}
}

// TestBatchesInEBH: e at the end of the log enters e-BH. Of five tests that with e = 4.477
// one-sided is not beyond m/α = 100; with two tests at α = .5 it is beyond 4.
func TestBatchesInEBH(t *testing.T) {
	l := batchLab(t, batchedLog, sheetRows(), nil)
	r := l.but(t, changes{
		"multiplicity: none": "multiplicity: e-bh\n  alpha: 0.5", "    - {id: E, equal: [a, b]}\n": "", "    - {id: D, difference: [a, b], value: 0}\n": "", "    - {id: V, difference: [a, b], value: 0.1}\n": "",
	}).analyse(t, 1)
	if test, _ := decidedBy(t, r, "G", schemas.MethodBatchExact); test.Decision != schemas.DecisionRejected {
		t.Errorf("G: %s", test.Decision)
	}
	if test, _ := decidedBy(t, r, "L", schemas.MethodBatchExact); test.Decision != schemas.DecisionKept {
		t.Errorf("L: %s", test.Decision)
	}
}

// TestBatchesCombined: rewards that are not 0 or 1 by type go by Fisher's combination. Of
// 0 and 1 in a column of numbers it is that of the sheet, doubled.
func TestBatchesCombined(t *testing.T) {
	numbers := func(s *logfile.Layout) { s.Reward = logfile.RewardFloat }
	l := batchLab(t, batchedLog, sheetRows(), numbers)
	r := l.analyse(t, 1)
	_, e := decidedBy(t, r, "E", schemas.MethodBatchExact)
	sheet(t, "p", *e.P, 2*.2138844812)
	sheet(t, "statistic", *e.Statistic, 8.3452527080)
	if *e.DF != 6 || e.ValidFor != "fixed-arm" {
		t.Errorf("%g degrees of freedom, valid for %q", *e.DF, e.ValidFor)
	}
	test, _ := decidedBy(t, r, "D", "")
	if why := method(t, test, schemas.MethodBatchExact).Reason; !strings.Contains(why, "equal: [a, b]") {
		t.Errorf("a difference of means: %q", why)
	}
	sheet(t, "p by BOLS", *method(t, test, schemas.MethodBOLS).P, .0451538202)
	test, _ = decidedBy(t, l.but(t, changes{"stopping: fixed": "stopping: unknown"}).analyse(t, 1), "E", "")
	for _, name := range []string{schemas.MethodBatchExact, schemas.MethodBOLS} {
		if why := method(t, test, name).Reason; !strings.Contains(why, "experiment.stopping") {
			t.Errorf("%s with an open end: %q", name, why)
		}
	}

	draw := rand.New(rand.NewPCG(6, 1))
	var rows []logfile.Row
	for round := range 400 {
		rows = append(rows, logfile.Row{Arm: draw.IntN(2), Batch: int64(round / 80), Reward: draw.Float64()})
	}
	drawn := batchLab(t, batchedLog, rows, numbers)
	one, four := encode(t, drawn.analyse(t, 1)), encode(t, drawn.analyse(t, 4))
	if !bytes.Equal(one, four) {
		t.Error("the outcome depends on the number of jobs")
	}
	if _, e = decidedBy(t, drawn.analyse(t, 1), "E", schemas.MethodBatchExact); *e.P <= 0 || *e.P >= 1 {
		t.Errorf("p of drawn labels is %g", *e.P)
	}
}

// TestOpenEndOfBatches: where the log may have ended because of its rewards nothing is
// wagered on the last batch.
func TestOpenEndOfBatches(t *testing.T) {
	source := strings.Replace(batchedLog, "stopping: fixed", "stopping: unknown", 1)
	rows := sheetRows()
	open := batchLab(t, source, rows, nil).analyse(t, 1)
	cut := batchLab(t, batchedLog, rows[:40], nil).analyse(t, 1)
	_, e := decidedBy(t, open, "G", schemas.MethodBatchExact)
	_, want := decidedBy(t, cut, "G", schemas.MethodBatchExact)
	if *e.P != *want.P || *e.P <= 1/4.4 {
		t.Errorf("p is %g, and %g without the last batch", *e.P, *want.P)
	}
}

// TestBatchesRefused: each condition of the formula sheet, 24.6, by the key that the
// reason names; what stands against both stands against BOLS too.
func TestBatchesRefused(t *testing.T) {
	learning := "policy: {name: thompson, prior: {alpha: 1, beta: 1}, update: batch}\ncounter: {name: exact}"
	for name, tt := range map[string]struct {
		change changes
		why    string
		spec   func(*logfile.Layout)
		rows   func([]logfile.Row)
	}{
		"no column of batches":  {change: changes{", batch: batch": ""}, why: "log.batch"},
		"batches by rewards":    {change: changes{"batch: batch": "batch: batch, batch_by: rewards"}, why: "log.batch_by"},
		"batches by who knows":  {change: changes{"batch: batch": "batch: batch, batch_by: unknown"}, why: "log.batch_by"},
		"batches by released":   {change: changes{"batch: batch": "batch: batch, batch_by: released"}, why: "log.batch_by"},
		"draws are undeclared":  {change: changes{"policy: {draw: {by: round}}\n": ""}, why: "policy.draw"},
		"all arms":              {change: changes{"{id: E, equal: [a, b]}": "{id: E, equal: all}"}, why: "equal: [a, b]"},
		"a policy that learns":  {change: changes{"policy: {draw: {by: round}}": learning}, why: "log.propensity"},
		"draws nothing":         {change: changes{"policy: {draw: {by: round}}": "policy: {name: ucb, width: {c: 2}, update: batch}\ncounter: {name: exact}"}, why: "draws nothing"},
		"units without a draw":  {change: changes{"batch: batch": "batch: batch, unit: unit", "policy: {draw: {by: round}}\n": ""}, why: "policy.draw", spec: func(s *logfile.Layout) { s.Unit = true }, rows: keptArms},
		"a propensity moves":    {change: changes{"batch: batch": "batch: batch, propensity: propensity"}, why: "propensity of arm", spec: func(s *logfile.Layout) { s.Propensity = true }, rows: unevenly},
		"propensities over one": {change: changes{"batch: batch": "batch: batch, propensity: propensity"}, why: "of the two arms are", spec: func(s *logfile.Layout) { s.Propensity = true }, rows: aboveOne},
		"contexts":              {change: changes{"batch: batch": "batch: batch, context: [x0]"}, why: "log.context", spec: func(s *logfile.Layout) { s.ContextDim = 1 }, rows: withContexts},
		"another arm joins":     {change: changes{"batch: batch": "batch: batch, eligible: eligible"}, why: "could be played", spec: func(s *logfile.Layout) { s.Eligible = logfile.EligibleFlags }, rows: comesAndGoes},
	} {
		t.Run(name, func(t *testing.T) {
			rows := sheetRows()
			if tt.rows != nil {
				tt.rows(rows)
			}
			source := batchedLog
			for from, to := range tt.change {
				if strings.Count(source, from) != 1 {
					t.Fatalf("%q does not stand once", from)
				}
				source = strings.Replace(source, from, to, 1)
			}
			test, _ := decidedBy(t, batchLab(t, source, rows, tt.spec).analyse(t, 1), "E", "")
			if r := method(t, test, schemas.MethodBatchExact); !strings.Contains(r.Reason, tt.why) || test.Decision != schemas.DecisionNone {
				t.Errorf("%s: %q", test.Decision, r.Reason)
			}
			for _, r := range test.Results {
				if r.Method == schemas.MethodBOLS && r.Applicable {
					t.Errorf("BOLS applies: %+v", r)
				}
			}
		})
	}
}

func keptArms(rows []logfile.Row) {
	for i := range rows {
		rows[i].Unit = string(rune('A' + i%20))
	}
}

func unevenly(rows []logfile.Row) {
	for i := range rows {
		if rows[i].Propensity = .5; i == 3 {
			rows[i].Propensity = .501
		}
	}
}

func aboveOne(rows []logfile.Row) {
	for i := range rows {
		rows[i].Propensity = []float64{.525, .5}[rows[i].Arm]
	}
}

func withContexts(rows []logfile.Row) {
	for i := range rows {
		rows[i].X = []float64{float64(i % 7)}
	}
}

func comesAndGoes(rows []logfile.Row) {
	for i := range rows {
		rows[i].Eligible = []bool{true, rows[i].Arm == 1 || i%2 == 0}
	}
}

// TestBatchesOfManyArms: rounds of other arms are passed over, and a pair that was named
// after looking pays for all of them, and for both sides.
func TestBatchesOfManyArms(t *testing.T) {
	var rows []logfile.Row
	for i, row := range sheetRows() {
		if rows = append(rows, row); i%4 == 0 {
			rows = append(rows, logfile.Row{Arm: 2, Batch: row.Batch, Reward: float64(i / 4 % 2)})
		}
	}
	source := strings.Replace(batchedLog, "arms: [a, b]", "arms: [a, b, c]", 1)
	l := batchLab(t, source, rows, func(s *logfile.Layout) { s.Labels = []string{"a", "b", "c"} })
	_, g := decidedBy(t, l.analyse(t, 1), "G", schemas.MethodBatchExact)
	sheet(t, "p of a pair", *g.P, 1/4.477384947945)
	test, g := decidedBy(t, l.but(t, changes{"chosen: before": "chosen: after-rewards"}).analyse(t, 1), "G", schemas.MethodBatchExact)
	sheet(t, "p of a pair of three", *g.P, min(1, 6/4.477384947945))
	sheet(t, "p by BOLS", *method(t, test, schemas.MethodBOLS).P, 6*.0451538202/2)
}

// TestBatchesOfAKnownLaw: a declared policy that reads no rewards has the same chances in
// every round, and needs no propensity.
func TestBatchesOfAKnownLaw(t *testing.T) {
	draw := rand.New(rand.NewPCG(6, 4))
	var rows []logfile.Row
	for round := range 400 {
		row := logfile.Row{Arm: draw.IntN(2), Batch: int64(round / 50)}
		if draw.Float64() < []float64{.3, .7}[row.Arm] {
			row.Reward = 1
		}
		rows = append(rows, row)
	}
	source := strings.Replace(batchedLog, "policy: {draw: {by: round}}", "policy: {name: uniform}", 1)
	test, e := decidedBy(t, batchLab(t, source, rows, nil).analyse(t, 1), "E", schemas.MethodBatchExact)
	if test.Decision != schemas.DecisionRejected || *e.P > 1e-4 {
		t.Errorf("%s: %+v", test.Decision, e)
	}
}

// TestUnitsOfBatches: with one draw a unit its first round of the log counts, with a draw
// a round its first round of each batch.
func TestUnitsOfBatches(t *testing.T) {
	source := strings.Replace(batchedLog, "batch: batch", "batch: batch, unit: unit", 1)
	units := func(s *logfile.Layout) { s.Unit = true }
	rows := sheetRows()
	for i := range rows {
		rows[i].Unit = string(rune('A' + i))
	}
	both := []logfile.Row{}
	for i, row := range rows {
		both = append(both, row)
		if again := row; i%3 == 0 { // once more in its batch, with the other reward
			again.Reward = 1 - again.Reward
			both = append(both, again)
		}
	}
	_, e := decidedBy(t, batchLab(t, source, both, units).analyse(t, 1), "E", schemas.MethodBatchExact)
	sheet(t, "p of first rounds in a batch", *e.P, 1/2.301128933502)

	later := append([]logfile.Row{}, rows...)
	for i := range 20 {
		later = append(later, logfile.Row{Arm: rows[i].Arm, Batch: 3, Unit: rows[i].Unit, Reward: float64(1 - rows[i].Arm)})
	}
	kept := batchLab(t, strings.Replace(source, "{by: round}", "{by: unit}", 1), later, units)
	test, e := decidedBy(t, kept.analyse(t, 1), "E", schemas.MethodBatchExact)
	sheet(t, "p of first rounds of units", *e.P, 1/2.301128933502)
	if bols := method(t, test, schemas.MethodBOLS); bols.Applicable {
		t.Errorf("BOLS with a batch without new units: %+v", bols)
	}
	_, e = decidedBy(t, kept.but(t, changes{"{by: unit}": "{by: round}"}).analyse(t, 1), "E", schemas.MethodBatchExact)
	if !(*e.P < 1/2.4) {
		t.Errorf("p with every batch anew is %g", *e.P)
	}
}

// TestArmsTakeTurns: alternating arms and rewards that alternate with them (formula sheet
// 24.6 (f)): with logged propensities check H17 finds it, and batches decide nothing.
func TestArmsTakeTurns(t *testing.T) {
	draw := rand.New(rand.NewPCG(6, 2))
	var rows []logfile.Row
	for round := range 1000 {
		row := logfile.Row{Arm: round % 2, Batch: int64(round / 20), Propensity: .5}
		if draw.Float64() < []float64{.4, .2}[round%2] {
			row.Reward = 1
		}
		rows = append(rows, row)
	}
	source := strings.Replace(batchedLog, "batch: batch", "batch: batch, propensity: propensity", 1)
	for _, declared := range []string{source, strings.Replace(source, "policy: {draw: {by: round}}\n", "", 1)} {
		test, _ := decidedBy(t, batchLab(t, declared, rows, func(s *logfile.Layout) { s.Propensity = true }).analyse(t, 1), "E", "")
		if why := method(t, test, schemas.MethodBatchExact).Reason; !strings.Contains(why, "H17") {
			t.Errorf("reason %q", why)
		}
	}
	draw.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for i := range rows {
		rows[i].Batch = int64(i / 20)
	}
	undeclared := strings.Replace(source, "policy: {draw: {by: round}}\n", "", 1)
	_, e := decidedBy(t, batchLab(t, undeclared, rows, func(s *logfile.Layout) { s.Propensity = true }).analyse(t, 1), "E", schemas.MethodBatchExact)
	if !(*e.P < 1e-4) {
		t.Errorf("in random order p is %g", *e.P)
	}
}

// TestMissingInBatches: rewards that are missing in one arm more than in the other stop
// batches, and those that are missing in both alike do so only where they may be missing
// because of their value.
func TestMissingInBatches(t *testing.T) {
	source := strings.Replace(batchedLog, "batch: batch", "batch: batch, missing_reward: exclude", 1)
	draw := rand.New(rand.NewPCG(6, 3))
	var alike, unlike []logfile.Row
	for round := range 600 {
		row := logfile.Row{Arm: draw.IntN(2), Batch: int64(round / 100), Reward: float64(draw.IntN(2))}
		other := row
		if draw.Float64() < .2 {
			row.Reward = math.NaN()
		}
		if other.Arm == 0 && draw.Float64() < .4 {
			other.Reward = math.NaN()
		}
		alike, unlike = append(alike, row), append(unlike, other)
	}
	missing := func(s *logfile.Layout) { s.MissingReward = true }
	test, _ := decidedBy(t, batchLab(t, source, unlike, missing).analyse(t, 1), "E", "")
	if why := method(t, test, schemas.MethodBatchExact).Reason; !strings.Contains(why, "H11") {
		t.Errorf("reason %q", why)
	}
	test, _ = decidedBy(t, batchLab(t, source, alike, missing).analyse(t, 1), "E", "")
	if why := method(t, test, schemas.MethodBatchExact).Reason; !strings.Contains(why, "log.missing_reward: exclude-independent") {
		t.Errorf("reason %q", why)
	}
	if bols := method(t, test, schemas.MethodBOLS); bols.Applicable || !strings.Contains(bols.Reason, "missing_reward") {
		t.Errorf("BOLS: %+v", bols)
	}
	independent := strings.Replace(source, "exclude", "exclude-independent", 1)
	test, e := decidedBy(t, batchLab(t, independent, alike, missing).analyse(t, 1), "E", schemas.MethodBatchExact)
	if !strings.Contains(e.Reason, "reward is known") || !strings.HasSuffix(test.ValidIf(), schemas.ValidIfMissing) {
		t.Errorf("reason %q, valid if %q", e.Reason, test.ValidIf())
	}
}
