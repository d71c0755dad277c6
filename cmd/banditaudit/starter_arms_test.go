package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"banditaudit/analyze"
	"banditaudit/ingest/guess"
)

// drawn is a row of a log by a policy with fixed probabilities, whose lists are
// not in the order of the sorted labels.
type drawn struct {
	Round int64     `parquet:"round"`
	Arm   string    `parquet:"arm"`
	Y     bool      `parquet:"reward"`
	P     float64   `parquet:"propensity"`
	Probs []float64 `parquet:"probs,list"`
	Mask  []bool    `parquet:"allowed_mask,list"`
}

// drawnLog writes 2,000 rows; seed 7. Without the logged propensity nothing
// tells the order of the lists.
func drawnLog(t *testing.T, withPropensity bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.parquet")
	r := rand.New(rand.NewPCG(7, 7))
	labels, probs := []string{"zero", "two", "one"}, []float64{0.625, 0.25, 0.125}
	rows := make([]drawn, 2000)
	for i := range rows {
		k, u := 0, r.Float64()
		for u >= probs[k] {
			u -= probs[k]
			k++
		}
		rows[i] = drawn{Round: int64(i), Arm: labels[k], Y: r.IntN(2) == 0, P: probs[k], Probs: probs, Mask: []bool{true, true, true}}
	}
	if withPropensity {
		if err := parquet.WriteFile(path, rows); err != nil {
			t.Fatal(err)
		}
		return path
	}
	type bare struct {
		Round int64     `parquet:"round"`
		Arm   string    `parquet:"arm"`
		Y     bool      `parquet:"reward"`
		Probs []float64 `parquet:"probs,list"`
	}
	less := make([]bare, len(rows))
	for i, row := range rows {
		less[i] = bare{row.Round, row.Arm, row.Y, row.Probs}
	}
	if err := parquet.WriteFile(path, less); err != nil {
		t.Fatal(err)
	}
	return path
}

// What init prints for lists by arm is audited unedited, and accuses nobody.
func TestStarterListsByArm(t *testing.T) {
	for _, told := range []bool{true, false} {
		log := drawnLog(t, told)
		code, text, errs := run(t, "init", log)
		if code != 0 {
			t.Fatal(code, errs)
		}
		protocol := filepath.Join(t.TempDir(), "protocol.yaml")
		if err := os.WriteFile(protocol, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		doc, err := analyze.Standard().Format().ParseProtocol("p", []byte(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		want := []string(nil)
		if told {
			want = []string{"zero", "two", "one"}
		}
		if diff := cmp.Diff(want, doc.Protocol.Arms); diff != "" || (doc.Protocol.Log.PropensityByArm == "probs") != told || doc.Protocol.Log.Eligible != "" {
			t.Errorf("%+v, %s", doc.Protocol.Log, diff)
		}
		if !strings.Contains(strings.ReplaceAll(text, "\n# ", " "), "in the order of the lists in probs") || !strings.Contains(text, "# eligible: allowed_mask") && told || strings.Contains(text, "# eligible: ") != strings.Contains(text, "# eligible_by: schedule") {
			t.Errorf("got\n%s", text)
		}
		out := filepath.Join(t.TempDir(), "out")
		if code, _, errs := run(t, "audit", "-q", "--fail-on", "violated", "-p", protocol, "-o", out, log); code != 0 {
			t.Errorf("told %v: exit code %d: %s", told, code, errs)
		}
	}
}

// Whatever the lists and however many the labels, nothing is read in an order
// that nobody told.
func TestStarterArms(t *testing.T) {
	lists := func(name, role string) guess.DraftColumn {
		c := col(name, role)
		c.ByArm = true
		return c
	}
	base := []guess.DraftColumn{col("t", "order"), col("a", "action"), col("y", "reward"), lists("w", "propensity_by_arm"), lists("s", "released_by_arm")}
	many := make([]string, maxStarterArms+1)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	for name, tc := range map[string]struct {
		draft guess.Draft
		has   []string
	}{
		"not told":       {guess.Draft{Arms: []string{"b", "c"}, Complete: true}, []string{"# arms: [b, c]", "DECIDE: all arms, in the order of the lists in w and s", "# propensity_by_arm: w", "# released_by_arm: s"}},
		"no labels":      {guess.Draft{}, []string{"# arms: [LABEL, LABEL]", "in the order of the lists in w and s", "# propensity_by_arm: w"}},
		"many labels":    {guess.Draft{Arms: many, Complete: true}, []string{"# arms: [LABEL, LABEL]", "in the order of the lists in w and s", "# propensity_by_arm: w"}},
		"told":           {guess.Draft{Arms: []string{"c", "b"}, Complete: true, ArmOrder: guess.ArmOrder{Column: "w", Why: "WHY"}}, []string{"\narms: [c, b]", "# WHY", "\n propensity_by_arm: w", "# released_by_arm: s", "are its lists in the order of arms?"}},
		"told by sample": {guess.Draft{Arms: []string{"c", "b"}, ArmOrder: guess.ArmOrder{Column: "w", Why: "WHY"}}, []string{"# arms: [c, b]", "those of the sample, WHY", "# propensity_by_arm: w", "# released_by_arm: s"}},
	} {
		d := tc.draft
		d.Order, d.Columns, d.Reward = []string{"t"}, base, guess.DraftReward{Boolean: true, Suspicion: "a boolean"}
		text := starterOf(t, &d, "x")
		if _, err := analyze.Standard().Format().ParseProtocol("p", []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		joined := strings.ReplaceAll(strings.ReplaceAll(text, "\n  ", "\n "), "\n # ", " # ")
		joined = strings.ReplaceAll(joined, "\n# ", " # ")
		for _, want := range tc.has {
			if !strings.Contains(joined, want) && !strings.Contains(strings.ReplaceAll(joined, " # ", " "), want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
}
