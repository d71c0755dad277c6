package protocolinit

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze"
	"banditaudit/ingest/guess"
	"banditaudit/schemas"
)

// starterOf prints a draft.
func starterOf(tb testing.TB, d *guess.Draft, name string) string {
	tb.Helper()
	var b strings.Builder
	if err := Print(&b, analyze.Standard().Format(), d, name, []string{name}); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// decided writes out the decision that a complete draft leaves, and the contexts.
func decided(text string) string {
	return strings.NewReplacer("  # range: [LO, HI]", "  range: [0, 5]", "\n  # context:", "\n  context:", "\n  #   - ", "\n    - ").Replace(text)
}

func col(name, role string) guess.DraftColumn {
	return guess.DraftColumn{Column: name, Type: "DOUBLE", Role: role, Confidence: guess.Likely, Why: "by its name"}
}

// TestStarterNames prints names that are hard to write, and reads them back.
func TestStarterNames(t *testing.T) {
	for _, name := range hostileTexts() {
		if want := strings.ToValidUTF8(name, string(utf8.RuneError)); strings.TrimSpace(want) != "" && want == name && !strings.Contains(name, "\x00") {
			checkStarter(t, name)
		}
	}
}

// checkStarter prints a draft whose every name holds a text.
func checkStarter(t *testing.T, name string) {
	t.Helper()
	land := col("land"+name, "context")
	land.Levels, land.Baseline = []string{name, name + "2"}, name+"2"
	d := &guess.Draft{
		Files: 1, Rows: 2, Sampled: 2, Complete: true, Order: []string{"o" + name, "p" + name}, Arms: []string{name, name + "2"},
		Columns: []guess.DraftColumn{
			col("o"+name, "order"), col("p"+name, "order"), col(name, "action"), col("r"+name, "reward"), col("q"+name, "propensity"),
			col("x"+name, "context"), land, col("rest"+name, ""),
		},
	}
	text := decided(starterOf(t, d, name))
	doc, err := analyze.Standard().Format().ParseProtocol("protocol.yaml", []byte(text))
	if err != nil {
		t.Errorf("%q: %v in\n%s", name, err, text)
		return
	}
	p := &doc.Protocol
	want := schemas.Log{
		Order: []string{"o" + name, "p" + name}, Ties: p.Log.Ties, Action: name, Reward: "r" + name, Propensity: "q" + name, MissingReward: p.Log.MissingReward,
		Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "x" + name}, {Column: "land" + name, Levels: []string{name, name + "2"}, Baseline: new(name + "2")}}}, ContextBy: schemas.SetBySchedule,
	}
	if diff := cmp.Diff(want, p.Log); diff != "" {
		t.Errorf("%q: %s", name, diff)
	}
	if p.Experiment.ID != name || !slices.Equal(p.Arms, d.Arms) {
		t.Errorf("%q: experiment %q, arms %q", name, p.Experiment.ID, p.Arms)
	}
}

func FuzzStarter(f *testing.F) {
	for _, name := range hostileTexts() {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		d := &guess.Draft{Columns: []guess.DraftColumn{col(name, ""), col(name, "unit"), col(name, "batch"), col(name, "reward_order")}, Keys: []string{name}, Reward: guess.DraftReward{Text: name}}
		_, err := analyze.Standard().Format().ParseProtocol("p", []byte(starterOf(t, d, "x")))
		for _, p := range problemsOf(err) { // what is not guessed is missing, and nothing else is wrong
			if !strings.Contains(p.What, "missing") && !strings.Contains(p.What, "empty") {
				t.Errorf("%q: %v", name, p)
			}
		}
		if clean := strings.ToValidUTF8(name, ""); clean == name && strings.TrimSpace(name) != "" && len(name) < 200 && !strings.ContainsRune(name, 0) {
			checkStarter(t, name)
		}
	})
}

func problemsOf(err error) schemas.Problems {
	problems, ok := err.(schemas.Problems) //nolint:errorlint // ParseProtocol returns it bare
	if !ok {
		return nil
	}
	return problems
}

// TestStarterRange: no range is written for what is not a boolean, and a
// boolean's follows from its type.
func TestStarterRange(t *testing.T) {
	d := &guess.Draft{Order: []string{"t"}, Columns: []guess.DraftColumn{col("t", "order"), col("a", "action"), col("y", "reward")}}
	const suspicion = "looks like something"
	for line, unit := range map[string]bool{"  # range: [0, 1]": true, "  # range: [LO, HI]": false} {
		d.Reward = guess.DraftReward{Unit: unit, Suspicion: suspicion}
		text := starterOf(t, d, "x")
		if !strings.Contains(text, "\n"+line) || !strings.Contains(strings.ReplaceAll(text, "\n  # ", " "), suspicion) {
			t.Errorf("unit %t:\n%s", unit, text)
		}
		if _, err := analyze.Standard().Format().ParseProtocol("p", []byte(text)); err == nil {
			t.Error("a protocol without a range is valid")
		}
	}
	d.Reward.Cast = true
	if text := starterOf(t, d, "x"); !strings.Contains(text, "REPLACE (y::TINYINT AS y)") {
		t.Errorf("no cast in\n%s", text)
	}
	d.Reward = guess.DraftReward{Boolean: true, Suspicion: "a boolean"}
	if _, err := analyze.Standard().Format().ParseProtocol("p", []byte(starterOf(t, d, "x"))); err != nil {
		t.Error(err)
	}
}

// TestStarterJoin: the join names the keys, quoted as SQL quotes them.
func TestStarterJoin(t *testing.T) {
	d := &guess.Draft{Keys: []string{"request_id", `a "b"`, "c\nd"}, Columns: []guess.DraftColumn{col("arm", "action")}}
	text := starterOf(t, d, "x")
	for _, want := range []string{"o.request_id = d.request_id", `o."a ""b""" = d."a ""b"""`, "o.\"c⟨U+000A⟩d\"", "LEFT JOIN"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestStarterCondition: a text that is named like a reward is offered with what
// makes it one, and not joined.
func TestStarterCondition(t *testing.T) {
	for name, quoted := range map[string]string{"clicked": "clicked", `a "b"`: `"a ""b"""`} {
		text := starterOf(t, &guess.Draft{Reward: guess.DraftReward{Text: name}}, "x")
		if !strings.Contains(text, "\n  # reward: "+yamlText(name)) || !strings.Contains(text, "REPLACE ("+quoted+" = 'yes' AS "+quoted+")") || strings.Contains(text, "no column looks like a reward") || strings.Contains(text, "JOIN") {
			t.Error(text)
		}
	}
}

// TestStarterTests: whoever writes out a test reads what it cannot give.
func TestStarterTests(t *testing.T) {
	text := starterOf(t, &guess.Draft{}, "x")
	warned, proposed := strings.Index(text, "\n# Without policy, counter and privacy a test has no corrected p: by decide: auto wagers decide it"), strings.Index(text, "#   tests:")
	if warned < 0 || proposed < warned {
		t.Error(text)
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
