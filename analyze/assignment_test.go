package analyze_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestAssignmentOfUnplayed: two arms of which one was never played, and all where one was,
// are not decided by which arm was played, nor then by another method; two others are, and
// all where two were played.
func TestAssignmentOfUnplayed(t *testing.T) {
	t.Parallel()
	const tests = "analysis: {chosen: before, tests: [{id: C, equal: [a, c]}, {id: D, difference: [c, b], value: 0}, {id: B, equal: [a, b]}, {id: E, equal: all}]}\n"
	for name, c := range map[string]struct {
		arms   int
		decide string // the tests that are decided
	}{"two of three": {2, "B E"}, "one": {1, ""}} {
		rows, r := make([]logfile.Row, 200), rand.New(rand.NewPCG(3, 4))
		for i := range rows {
			rows[i] = logfile.Row{Arm: r.IntN(c.arms), Reward: float64(r.IntN(2)), Propensity: .499, PropensityByArm: []float64{.499, .499, .002}}
			if c.arms == 1 {
				rows[i].Propensity, rows[i].PropensityByArm = .996, []float64{.996, .002, .002}
			}
		}
		source := protocolOf("propensity: propensity, propensity_by_arm: propensity_by_arm", "[a, b]", "[a, b, c]") + tests
		e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Propensity: true, PropensityByArm: true}, rows))
		for _, x := range e.Tests {
			decided := x.DecidedBy == schemas.MethodAssignment
			if decided != strings.Contains(c.decide, x.ID) || !decided && x.Decision != schemas.DecisionNone {
				t.Errorf("%s, %s: by %q, %s, %s", name, x.ID, x.DecidedBy, x.Decision, x.Choice)
			}
			if r := x.Result(schemas.MethodAssignment); r.Applicable != decided || !decided && !strings.Contains(r.Reason, "played, and nothing is known") {
				t.Errorf("%s, %s: %+v", name, x.ID, r)
			}
		}
	}
}

// TestAssignmentOfManyPairs: on all pairs of 91 arms wagers are made, 4,095; of 92 they
// are not, and the reason says how many are at most.
func TestAssignmentOfManyPairs(t *testing.T) {
	t.Parallel()
	for k, applies := range map[int]bool{91: true, 92: false} {
		labels, p := make([]string, k), make([]float64, k)
		for i := range labels {
			labels[i], p[i] = "a"+string(rune('A'+i/26))+string(rune('a'+i%26)), 1/float64(k)
		}
		rows, r := make([]logfile.Row, 200), rand.New(rand.NewPCG(3, 4))
		for i := range rows {
			rows[i] = logfile.Row{Arm: r.IntN(k), Reward: float64(r.IntN(2)), Propensity: p[0], PropensityByArm: p}
		}
		source := protocolOf("propensity: propensity, propensity_by_arm: propensity_by_arm", "[a, b]", "["+strings.Join(labels, ", ")+"]") + "analysis: {chosen: before, tests: [{id: E, equal: all}]}\n"
		e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: labels, Reward: logfile.RewardBool, Propensity: true, PropensityByArm: true}, rows))
		if r := e.Tests[0].Result(schemas.MethodAssignment); r.Applicable != applies || strings.Contains(r.Reason, "4,186 pairs") == applies || strings.Contains(r.Reason, "4,096") == applies {
			t.Errorf("%d arms: %+v", k, r)
		}
	}
}

// TestAssignmentLeftToNoChance: where no round could have played the other of two arms,
// which one was played tells nothing, and nothing else is asked then, but where the declared
// policy draws nothing.
func TestAssignmentLeftToNoChance(t *testing.T) {
	t.Parallel()
	const tests = "analysis: {chosen: before, tests: [{id: Q, equal: [a, b]}, {id: E, equal: all}]}\n"
	for name, p := range map[string][2][]float64{
		"0 and 1":        {{1, 0, 0}, {0, 1, 0}},
		"never together": {{.5, 0, .5}, {0, .5, .5}},
	} {
		rows, r := make([]logfile.Row, 200), rand.New(rand.NewPCG(3, 4))
		for i := range rows {
			of := p[i%2]
			rows[i] = logfile.Row{Arm: i % 2, Reward: float64(r.IntN(2)), Propensity: of[i%2], PropensityByArm: of}
			if of[2] > 0 && r.IntN(2) == 0 {
				rows[i].Arm = 2
			}
		}
		source := protocolOf("propensity: propensity, propensity_by_arm: propensity_by_arm", "[a, b]", "[a, b, c]") + tests
		e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Propensity: true, PropensityByArm: true}, rows))
		q, all := &e.Tests[0], e.Tests[1].Result(schemas.MethodAssignment)
		if a := q.Result(schemas.MethodAssignment); a.Applicable || q.Decision != schemas.DecisionNone || !strings.Contains(a.Reason, "log.propensity_by_arm") {
			t.Errorf("%s: %s by %q, %+v", name, q.Decision, q.DecidedBy, a)
		}
		if together := name != "0 and 1"; all.Applicable && !together {
			t.Errorf("%s, all: %+v", name, all)
		}
	}
}

// TestFirstRoundsOfUnits: where a unit keeps its arm, what is decided by the first rounds of
// units says how many these are, and has their estimate.
func TestFirstRoundsOfUnits(t *testing.T) {
	t.Parallel()
	rows, r := make([]logfile.Row, 300), rand.New(rand.NewPCG(5, 6))
	var arms [60]int
	for u := range arms {
		arms[u] = r.IntN(2)
	}
	for i := range rows {
		rows[i] = logfile.Row{Arm: arms[i%60], Reward: float64(r.IntN(2)), Propensity: .5, Unit: string(rune('A' + i%60))}
	}
	source := protocolOf("propensity: propensity, unit: unit") + "policy: {draw: {by: unit}}\nanalysis: {chosen: before, tests: [{id: D, difference: [b, a], value: 0, decide: any-time}, {id: A, difference: [b, a], value: 0}]}\n"
	e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, Unit: true}, rows))
	d, a := &e.Tests[0], &e.Tests[1]
	for x, by := range map[*schemas.Test]string{d: schemas.MethodAnyTime, a: schemas.MethodAssignment} {
		if x.DecidedBy != by || x.Over != "the first rounds of units" || x.N != 60 || *x.Estimate != *d.Estimate {
			t.Errorf("%s: by %q over %q, %d rounds, estimate %g: %s", x.ID, x.DecidedBy, x.Over, x.N, *x.Estimate, x.Choice)
		}
	}
	if !strings.Contains(a.Hypothesis, "pay alike in every round") {
		t.Errorf("hypothesis of A: %s", a.Hypothesis)
	}
}

// Answers by any-time about means, and about a difference by rounds, say that they are about the
// units of the log, where these own several rounds.
func TestAnyTimeOfUnits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 17))
	for _, units := range []int{40, 2000} {
		rows := make([]logfile.Row, 2000)
		for i := range rows {
			rows[i] = logfile.Row{Arm: r.IntN(2), Reward: float64(r.IntN(2)), Propensity: .5, Unit: strconv.Itoa(i % units)}
		}
		source := protocolOf("propensity: propensity, unit: unit") + "policy: {draw: {by: round}}\nanalysis: {chosen: before, decide: any-time, tests: [{id: D, difference: [b, a], value: 0}, {id: M, arm: a, mean: 0.5}]}\n"
		e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, Unit: true}, rows))
		for i := range e.Tests {
			x := &e.Tests[i]
			if said := strings.Contains(x.OnlyIf, schemas.ValidIfUnits); said != (units < len(rows)) {
				t.Errorf("%d units, %s by %s: %q", units, x.ID, x.DecidedBy, x.OnlyIf)
			}
		}
	}
}
