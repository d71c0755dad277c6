package analyze_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// paused is a log of experiments in which arms may be taken out.
const paused = `version: 1
experiment: {column: experiment, stopping: fixed}
log: {order: [round], action: action, reward: reward, eligible: eligible}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform}
privacy: {definition: pure, epsilon: 0}
analysis:
  decide: corrected
  sequence: normal
  chosen: before
  tests:
    - {id: H, arm: a, mean: 0.5, test: exact}
claims:
  - {id: B, kind: bias.bound, comparator: "<=", threshold: 0.005, arms: all}
`

// pausedLab plays experiments in which both arms pay 1 with probability 1/2.
// Where peek holds, operations take arm a out for good once the raw p of its
// mean is at most 0.05, and the log says so; else a coin takes it out for good
// in a round of its own.
func pausedLab(t *testing.T, source string, experiments, rounds int, peek bool) *lab {
	t.Helper()
	r := rand.New(rand.NewPCG(21, 22))
	var all []logfile.Row
	for e := range experiments {
		n, sum, out := int64(0), int64(0), 20+r.IntN(2*rounds)
		for i := range rounds {
			stop := i >= out
			if peek {
				stop = n >= 5 && hypothesis.BinomialLogP(sum, n, .5, hypothesis.TwoSided) <= math.Log(.05)
			}
			row := logfile.Row{Experiment: int64(e), Round: int64(i + 1), Arm: r.IntN(2), Reward: float64(r.IntN(2)), Eligible: []bool{!stop, true}}
			if stop {
				row.Arm = 1
			}
			if row.Arm == 0 {
				n++
				sum += int64(row.Reward)
			}
			all = append(all, row)
		}
	}
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Experiments: true, Eligible: logfile.EligibleFlags}
	return written(t, t.TempDir(), source, spec, all)
}

// TestPausedByRewards: operations take an arm out once its raw p is at most 0.05,
// and log that truthfully. Without the key, or with the truth, nothing that rests
// on the ledger is given, and the key is named; with schedule, which is not true
// of this log and which no log can show, 36 of 100 true nulls are rejected after
// correction: that is what was said of it before there was a key.
func TestPausedByRewards(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out its hundreds of logs; the full run has them")
	}
	t.Parallel()
	few, log := pausedLab(t, paused, 2, 1000, true), pausedLab(t, strings.Replace(paused, "eligible: eligible", "eligible: eligible, eligible_by: schedule", 1), 100, 1000, true)
	for _, c := range []struct{ word, reason, status string }{
		{"", "A1: rewards as they are may have decided which arms could be played (log.eligible_by: unknown); if they did not, declare log.eligible_by: schedule, or released", "not declared"},
		{", eligible_by: rewards", "A1: rewards as they are decided which arms could be played (log.eligible_by: rewards), and what that gives away is in no ledger", "failed"},
		{", eligible_by: released", "A1: released values decided which arms could be played (log.eligible_by: released), and what released them is not declared (counter)", "failed"},
	} {
		r := few.but(t, changes{"eligible: eligible": "eligible: eligible" + c.word}).analyse(t, 2)
		e := &r.Experiments[0]
		if p := method(t, &e.Tests[0], schemas.MethodCorrected); p.Applicable || !strings.Contains(p.Reason, c.reason) {
			t.Errorf("%s: corrected: %+v", c.word, p)
		}
		if e.Arms[0].BiasBound != nil || e.Arms[0].CICorrected != nil || e.Arms[0].ConfidenceSequence == nil {
			t.Errorf("%s: %+v", c.word, e.Arms[0])
		}
		if f := claim(t, r, "B"); f.Verdict != schemas.NotApplicable || !strings.Contains(f.Reason, "log.eligible_by") {
			t.Errorf("%s: %+v", c.word, f)
		}
		if got := r.Assumptions[0]; got.Status != c.status || !strings.Contains(got.CheckedBy, "log.eligible_by") {
			t.Errorf("%s: %+v", c.word, got)
		}
		f, notes := claim(t, r, "privacy.total"), strings.Join(e.Privacy.Notes, " ")
		if released := strings.Contains(c.word, "released"); released && f.Verdict != schemas.NotEstablished ||
			!released && (f.Verdict != schemas.Verified || !strings.Contains(f.Observed, "of the declared mechanism alone: it does not count what the log gives away of rewards by log.eligible_by") || !strings.Contains(notes, "log.eligible_by")) {
			t.Errorf("%s: %+v, %s", c.word, f, notes)
		}
	}
	if n := rejectedCorrected(t, log.analyse(t, 2)); n != 36 {
		t.Errorf("taken for a schedule: %d of 100 true nulls are rejected after correction, want 36 of this seed", n)
	}
}

// TestPausedBySchedule: where a coin takes the arm out and the protocol says
// schedule, the corrected p is given and holds its level: of 100 true nulls 17
// would be rejected with probability below 1e-5.
func TestPausedBySchedule(t *testing.T) {
	t.Parallel()
	r := pausedLab(t, strings.Replace(paused, "eligible: eligible", "eligible: eligible, eligible_by: schedule", 1), 100, 200, false).analyse(t, 2)
	if n := rejectedCorrected(t, r); n >= 17 {
		t.Errorf("%d of 100 true nulls are rejected after correction", n)
	}
	if got := r.Assumptions[0].CheckedBy; !strings.Contains(got, "declared, not checkable: log.eligible_by: schedule (whatever decided which arms could be played had read no rewards)") {
		t.Error(got)
	}
	if f := claim(t, r, "privacy.total"); f.Verdict != schemas.Verified || strings.Contains(f.Observed, "log.eligible_by") {
		t.Errorf("%+v", f)
	}
}

// rejectedCorrected counts the experiments whose test has a corrected p of at
// most 0.05. All must have one.
func rejectedCorrected(t *testing.T, r *schemas.Results) int {
	t.Helper()
	n := 0
	for e := range r.Experiments {
		p := method(t, &r.Experiments[e].Tests[0], schemas.MethodCorrected)
		if !p.Applicable {
			t.Fatal(p.Reason)
		}
		if *p.P <= .05 {
			n++
		}
	}
	return n
}

// TestSetBy: each key stops what rests on the ledger, under the assumption that
// it is about; where it is left out, a schedule is assumed, and said to be. Where
// released values decided, every reward is charged with all that was released of
// it, whether or not the policy reads rewards, and the correction goes on.
func TestSetBy(t *testing.T) {
	const log = "log: {order: [round], action: action, reward: reward"
	rows := make([]logfile.Row, 60)
	for i := range rows {
		rows[i] = logfile.Row{Round: int64(i), Arm: i % 2, Reward: float64(i / 2 % 2), Batch: int64(i / 10), Unit: strconv.Itoa(i), X: []float64{float64(i % 3)}, Eligible: []bool{true, true}, RewardOrder: int64(i + 1)}
	}
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Batch: true, Unit: true, ContextDim: 1, RewardOrder: true, Eligible: logfile.EligibleFlags}
	base := strings.NewReplacer("log: {order: [round], action: action, reward: reward}", log+"}", "arms: [a, b, c]", "arms: [a, b]", "{name: uniform}", "{name: uniform}\ncounter: {name: laplace, epsilon: 1/2}").Replace(plain)
	for _, c := range []struct{ column, key, assumption string }{
		{"eligible: eligible", "eligible_by", "A1"},
		{"batch: batch", "batch_by", "A1"},
		{"reward_order: reward_order", "delay_by", "A1"},
		{"unit: unit", "unit_by", "A8"},
		{"context: [x0]", "context_by", "A1"},
	} {
		path := "log." + c.key
		for _, word := range []string{"", "schedule", "released", "rewards", "unknown"} {
			declared := log + ", " + c.column
			if word != "" {
				declared += ", " + c.key + ": " + word
			}
			r := written(t, t.TempDir(), strings.Replace(base, log, declared, 1), spec, rows).analyse(t, 1)
			p := method(t, &r.Experiments[0].Tests[0], schemas.MethodCorrected)
			stops := word == "rewards" || word == "unknown" || word == "" && c.key == "eligible_by"
			if p.Applicable == stops || stops && !strings.Contains(p.Reason, c.assumption+": rewards as they are ") || word == "released" && !strings.Contains(p.Reason, path+": released") {
				t.Errorf("%s: %s: %+v", path, word, p)
			}
			if !stops && (word == "released") != (float64(*p.Sigma) > 0) {
				t.Errorf("%s: %s: σ = %v", path, word, *p.Sigma)
			}
			a1, own := r.Assumptions[0].CheckedBy, r.Assumptions[0]
			if c.assumption == "A8" {
				own = r.Assumptions[7]
			}
			if !strings.Contains(a1, path) || !strings.Contains(own.CheckedBy, path) || stops != (own.Status == "failed" || own.Status == "not declared") {
				t.Errorf("%s: %s: %+v, %s", path, word, own, a1)
			}
			if assumed := strings.Contains(a1, "assumed (as declared, or where nothing is declared), not checkable: "+path+": schedule"); assumed != (c.key != "eligible_by" && (word == "" || word == "schedule")) {
				t.Errorf("%s: %s: %s", path, word, a1)
			}
		}
	}
}
