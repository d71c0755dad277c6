package terminal

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// armLinesOf are the lines of a table of arms.
func armLinesOf(t *testing.T, e *schemas.Experiment, lines int) []string {
	t.Helper()
	var b bytes.Buffer
	if err := armTable(&b, e, lines); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}

// TestArmTable: best first, with what was decided of each, and a label that nobody
// sees as its code point.
func TestArmTable(t *testing.T) {
	e := &schemas.Experiment{Arms: []schemas.Arm{
		{Arm: 0, Label: "control", Pulls: 1200, Mean: new(.25), ConfidenceSequence: &schemas.Interval{.2, .3}},
		{Arm: 1, Label: "never", Pulls: 0},
		{Arm: 2, Label: "blue\x1b", Pulls: 900, Mean: new(.5)},
		{Arm: 3, Label: strings.Repeat("w", 300), Pulls: 1, Mean: new(.25), ConfidenceSequence: &schemas.Interval{0, 1}},
	}}
	e.Tests = []schemas.Test{
		{ID: "H1/control", Kind: schemas.TestMean, Arm: 0, Label: "control", Decision: "rejected"},
		{ID: "H2", Kind: schemas.TestDifference, Arm: 2, Label: "blue\x1b", Against: "control", Decision: "no answer"},
		{ID: "H3", Kind: schemas.TestEqual, Arm: -1, Decision: "rejected"},
		{ID: "H4", Kind: schemas.TestCoefficient, Arm: 2, Decision: "rejected"},
		{ID: "A", Kind: schemas.TestMean, Arm: 3, Decision: "rejected"},
		{ID: "B", Kind: schemas.TestMean, Arm: 3, Decision: "rejected"},
		{ID: "C", Kind: schemas.TestMean, Arm: 3, Decision: "rejected"},
		{ID: "D", Kind: schemas.TestMean, Arm: 3, Decision: "rejected"},
		{ID: "E", Kind: schemas.TestMean, Arm: 3, Decision: "rejected"},
	}
	got := armLinesOf(t, e, armLines)
	for i, line := range got {
		got[i] = strings.Join(strings.Fields(line), " ")
	}
	want := []string{
		"ARM PULLS MEAN INTERVAL, ALL ARMS TOGETHER DECISION",
		"blue⟨U+001B⟩ 900 0.5 — H2 (against control) no answer",
		"control 1,200 0.25 [0.2, 0.3] H1 rejected",
		strings.Repeat("w", 39) + "… 1 0.25 [0, 1] A rejected, B rejected, C rejected, 2 more",
		"never 0 — — —",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if e.Tests = nil; strings.Contains(strings.Join(armLinesOf(t, e, armLines), "\n"), "DECISION") {
		t.Error("there is no test, and a column of decisions")
	}
}

// TestArmTableLength: the lines are at most as many as there may be, and every arm is
// on one or counted.
func TestArmTableLength(t *testing.T) {
	for k := range 120 {
		for _, lines := range []int{armLines, 7, leastArmLines} {
			e := &schemas.Experiment{Arms: make([]schemas.Arm, k)}
			for i := range e.Arms {
				e.Arms[i] = schemas.Arm{Arm: i, Label: strconv.Itoa(i), Mean: new(float64(i % 7))}
			}
			if k == 0 {
				continue
			}
			got := armLinesOf(t, e, lines)
			shown := len(got) - 1
			if rest := k - shown; rest > 0 {
				shown--
				if want := fmt.Sprintf("… and %d more arms; see the report", k-shown); got[len(got)-1] != want {
					t.Fatalf("%d arms, %d lines: the last is %q, want %q", k, lines, got[len(got)-1], want)
				}
			}
			if len(got) > lines || shown < min(k, lines-2) {
				t.Fatalf("%d arms, %d lines: %d printed, %d arms", k, lines, len(got), shown)
			}
		}
	}
}

// TestNoValue: the summary says why nothing is given of an evaluated policy.
func TestNoValue(t *testing.T) {
	e := &schemas.Experiment{Estimates: []schemas.Estimate{
		{EvaluationPolicy: "A", Estimator: "ips", Estimate: new(.5), Reason: "few rounds"},
		{EvaluationPolicy: "B", Estimator: "replay", Anytime: true, Reason: "no floor\x1b"},
	}}
	var b bytes.Buffer
	if err := valueTable(&b, e); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "\nNo value of B: no floor⟨U+001B⟩\n") || strings.Contains(text, "No value of A") {
		t.Errorf("the table of values:\n%s", text)
	}
}

// TestArmTableSteered: where arms follow a context, weighted means rank them, and without
// these they stand in their own order; means as played are called so.
func TestArmTableSteered(t *testing.T) {
	weighted := func(arm int, value float64, ci *schemas.Interval) schemas.Estimate {
		return schemas.Estimate{Estimator: schemas.EstimatorAIPW, Arm: &arm, Estimate: &value, CI: ci}
	}
	e := &schemas.Experiment{
		Arms: []schemas.Arm{
			{Arm: 0, Label: "a", Pulls: 12, Mean: new(.25), ConfidenceSequence: &schemas.Interval{.2, .3}},
			{Arm: 1, Label: "b", Pulls: 9, Mean: new(.5)},
		},
		Steering: &schemas.Steering{Context: "device = ios", Label: "a"},
	}
	const note = "AS PLAYED: over different visitors (arms follow context device = ios); ranks no arm."
	for _, want := range [][]string{
		{"ARM PULLS AS PLAYED INTERVAL, ALL ARMS TOGETHER", "a 12 0.25 [0.2, 0.3]", "b 9 0.5 —", note},
		{"ARM PULLS AS PLAYED MEAN (AIPW) INTERVAL, APPROXIMATE", "a 12 0.25 0.4 [0.3, 0.5]", "b 9 0.5 0.3 —", note},
	} {
		got := armLinesOf(t, e, armLines)
		for i, line := range got {
			got[i] = strings.Join(strings.Fields(line), " ")
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		e.Estimates = []schemas.Estimate{weighted(1, .3, nil), weighted(0, .4, &schemas.Interval{.3, .5})}
	}
}
