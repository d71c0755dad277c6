package ingest

import (
	"strings"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/guess"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// toyRow is a row of a log with a column that the program does not know.
type toyRow struct {
	Round  int64   `parquet:"round"`
	Arm    string  `parquet:"arm"`
	Reward bool    `parquet:"reward"`
	Mood   float64 `parquet:"mood"`
}

// withToy are all columns and a toy, which every protocol asks for by this name.
func withToy(name string) role.List {
	return append(role.All(), role.Column{
		Role: "toy", Asked: func(*schemas.Protocol) []role.Want { return []role.Want{{Name: name}} },
		Fit:     role.Fit{Depths: []int{0}, Takes: role.IsProbability, Needs: "a mood is a number", Mend: "ask again"},
		Names:   role.Vocabulary{Whole: []string{"mood"}},
		Becomes: func(b *role.Becoming) string { return b.Want.Name + ", which nothing keeps" },
	})
}

func toyProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Experiment: schemas.ExperimentSpec{ID: "toys"}, Reward: schemas.RewardSpec{Range: []float64{0, 1}},
		Log: schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward"},
	}
}

// toyFile is a log of forty rows.
func toyFile(t *testing.T) []files.Source {
	t.Helper()
	var rows []toyRow
	for i := range 40 {
		rows = append(rows, toyRow{int64(i), []string{"a", "b"}[i%2], i%3 == 0, float64(i) / 7})
	}
	path := ingesttest.Log(t, rows)
	return []files.Source{{Path: path, URI: "log.parquet"}}
}

// A column of a longer list is looked at, ingested, held against the manifest
// and guessed, although no file but this one knows its name.
func TestAToyColumn(t *testing.T) {
	p, src, toys := toyProtocol(), toyFile(t), withToy("mood")
	seen, err := Inspect(t.Context(), p, src, Options{Roles: toys})
	if err != nil {
		t.Fatal(err)
	}
	if c := seen.Columns[len(seen.Columns)-1]; c.Role != "toy" || c.Column != "mood" || c.Becomes != "mood, which nothing keeps" {
		t.Errorf("Inspect says %+v", c)
	}
	m, err := Ingest(t.Context(), p, src, t.TempDir(), Options{Roles: toys})
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Columns[len(m.Columns)-1]; c.Role != "toy" || c.Column != "mood" {
		t.Errorf("the manifest has %+v", c)
	}
	if err = tableaudir.Declared(p, m, toys); err != nil {
		t.Error(err)
	}
	_ = ingesttest.WantFault(t, tableaudir.Declared(p, m, role.All()), fault.RuleTableau)
	draft, err := guess.Guess(t.Context(), toys, src, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if c := draft.Columns[3]; c.Role != "toy" || c.Confidence != guess.Possible {
		t.Errorf("init guesses %+v", c)
	}
}

// What a toy's column is not, is said in its words.
func TestAToyColumnIsRefused(t *testing.T) {
	_, _, err := ingestAll(t, toyProtocol(), Options{Roles: withToy("moods")}, toyFile(t)[0].Path)
	if e := ingesttest.WantFault(t, err, fault.RuleColumn); !strings.Contains(e.What, "log.toy of the protocol names it") || !strings.Contains(e.Mend, "mood") {
		t.Error(e)
	}
	_, _, err = ingestAll(t, toyProtocol(), Options{Roles: withToy("arm")}, toyFile(t)[0].Path)
	if e := ingesttest.WantFault(t, err, fault.RuleType); !strings.Contains(e.What, "a mood is a number") || e.Mend != "ask again" {
		t.Error(e)
	}
}

// Every column that the second pass reads is converted by one rule, but for the
// order, which is read again to sort by it.
func TestEveryColumnIsConverted(t *testing.T) {
	all := 0
	for _, c := range role.All() {
		rules := 0
		for _, to := range conversions() {
			if to.role == c.Role {
				rules++
			}
		}
		all += rules
		if want := map[bool]int{true: 1}[c.Reads(role.Second) && c.Role != role.Order]; rules != want {
			t.Errorf("%s has %d rules", c.Role, rules)
		}
	}
	if all != len(conversions()) {
		t.Errorf("%d rules convert columns that are asked for, of %d", all, len(conversions()))
	}
}

// Every key of a protocol that names one column of the log has a role, which asks
// for that column.
func TestEveryKeyHasARole(t *testing.T) {
	p := &schemas.Protocol{Experiment: schemas.ExperimentSpec{Column: schemas.KeyExperiment}, Log: schemas.Log{
		Action: schemas.KeyAction, Reward: schemas.KeyReward, Propensity: schemas.KeyPropensity, PropensityByArm: schemas.KeyPropensityByArm,
		PropensityDraws: &schemas.Draws{Column: schemas.KeyPropensityDraws}, Context: schemas.Context{List: schemas.KeyContext}, ContextByArm: schemas.KeyContextByArm,
		RewardByArm: schemas.KeyRewardByArm, ReleasedByArm: schemas.KeyReleasedByArm, ScoreByArm: schemas.KeyScoreByArm, Eligible: schemas.KeyEligible, RewardOrder: schemas.KeyRewardOrder,
		Batch: schemas.KeyBatch, Unit: schemas.KeyUnit, KeepProb: &schemas.KeepProb{Column: schemas.KeyKeepProb},
	}}
	p.Log.Order, p.Reward.Range, p.Arms = []string{schemas.KeyOrder}, []float64{0, 1}, []string{"a"}
	asked := map[string]*role.Column{}
	for _, both := range []func(l *schemas.Log){ // of what may not stand beside each other
		func(l *schemas.Log) { l.RewardByArm, l.ContextByArm = "", "" },
		func(l *schemas.Log) { l.Reward, l.Context = "", schemas.Context{} },
	} {
		without := *p
		both(&without.Log)
		ws, err := role.All().Wanted(&without)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ws {
			if w.Name != w.Key() {
				t.Errorf("%s asks for %s", w.Role, w.Name)
			}
			asked[w.Key()] = w.Column
		}
	}
	for _, k := range schemas.LogColumns() {
		c, ok := asked[k.Key]
		if !ok || c.Private != k.Rewards {
			t.Errorf("%s: asked for: %v, rewards: %v and %v", k.Key, ok, c.Private, k.Rewards)
		}
		if list := c.Ordered(&pages.Column{Depth: 1, Kind: pages.Float}); k.InArmOrder && !list {
			t.Errorf("%s is read in the order of arms, and its role is not", k.Key)
		}
	}
}
