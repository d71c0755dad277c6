package ingest

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// targetLists are lists of an evaluated policy, after the eligible arms.
func targetLists(rows ...[]float64) given {
	return listsOf(role.Target, shape{3, 1}, rows...)
}

// Probabilities of an evaluated policy are refused where they are none, do not add up to 1
// to their decimals, or play an arm that could not be played.
func TestTargets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		row  []float64
		want []broken
	}{
		"right":             {[]float64{.5, .25, .25}, nil},
		"rounded":           {[]float64{.333, .333, .333}, nil},
		"one arm":           {[]float64{0, 1, 0}, nil},
		"in binary":         {[]float64{.1 + .2, .3, 1 - (.1 + .2) - .3}, nil},
		"negative":          {[]float64{-.1, .6, .5}, []broken{{fault.RuleTarget, 1, 1}}},
		"above 1":           {[]float64{0, 1.5, 0}, []broken{{fault.RuleTarget, 1, 1}}},
		"NaN":               {[]float64{math.NaN(), .5, .5}, []broken{{fault.RuleNotFinite, 1, 1}}},
		"sum .9":            {[]float64{.3, .3, .3}, []broken{{fault.RuleTarget, 1, 1}}},
		"sum .999 in full":  {[]float64{.333333333, .333333333, .332333334}, []broken{{fault.RuleTarget, 1, 1}}},
		"too many":          {[]float64{.25, .25, .25, .25}, []broken{{fault.RuleListLength, 1, 1}}},
		"too few":           {[]float64{.5, .5}, []broken{{fault.RuleListLength, 1, 1}}},
		"a null for a list": {nil, []broken{{fault.RuleNull, 1, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := nestedAttempt(targetLists([]float64{.2, .3, .5}, c.row))
			if len(c.want) > 0 {
				a.bad(t, c.want...)
				return
			}
			if diff := cmp.Diff(append([]float64{.2, .3, .5}, c.row...), a.good(t).Targets); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, c := range map[string]struct {
		p     float64
		nulls []int
		want  []broken
	}{
		"right":    {.25, nil, nil},
		"none":     {0, nil, nil},
		"negative": {-.25, nil, []broken{{fault.RuleTarget, 1, 1}}},
		"above 1":  {1.25, nil, []broken{{fault.RuleTarget, 1, 1}}},
		"NaN":      {math.NaN(), nil, []broken{{fault.RuleNotFinite, 1, 1}}},
		"null":     {.25, []int{1}, []broken{{fault.RuleNull, 1, 1}}},
	} {
		t.Run("played arm, "+name, func(t *testing.T) {
			t.Parallel()
			a := newAttempt(bare(), abc(), chosen(0, 1), flatOf(role.Target, []float64{.5, c.p}, c.nulls...))
			if len(c.want) > 0 {
				a.bad(t, c.want...)
				return
			}
			if diff := cmp.Diff([]float64{.5, c.p}, a.good(t).Targets); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// nestedAttempt is newAttempt whose last column is one of lists.
func nestedAttempt(columns ...given) *attempt {
	a := newAttempt(bare(), abc(), append([]given{chosen(0, 1)}, columns...)...)
	rule := a.convert.targets[0]
	rule.list = true
	targetWidths(a.convert.targets)
	return a
}

// Two columns lie side by side in a row, and an arm that is not eligible has 0.
func TestTargetsSideBySide(t *testing.T) {
	t.Parallel()
	a := newAttempt(bare(), abc(), chosen(0, 1), flatOf(role.Target, []float64{.5, .25}), targetLists([]float64{.2, .3, .5}, []float64{0, 1, 0}))
	a.convert.targets[1].list = true
	targetWidths(a.convert.targets)
	if diff := cmp.Diff([]float64{.5, .2, .3, .5, .25, 0, 1, 0}, a.good(t).Targets); diff != "" {
		t.Error(diff)
	}
	nestedAttempt(flags(), targetLists([]float64{.2, .3, .5}, []float64{.5, .5, 0})).bad(t, broken{fault.RuleTarget, 0, 1})
}

// flags are eligible arms: not the last in the first row.
func flags() given {
	g := listsOf(role.Eligible, shape{3, 1}, []float64{1, 1, 0}, []float64{1, 1, 1})
	g.column.Kind = pages.Bool
	g.block.Int = nil
	for _, v := range g.block.Float {
		g.block.Int = append(g.block.Int, int64(v))
	}
	return g
}

// targetEvent is a row of a log with both forms.
type targetEvent struct {
	Round  int64     `parquet:"round"`
	Arm    string    `parquet:"arm"`
	Reward float64   `parquet:"reward"`
	P      float64   `parquet:"p"`
	All    []float64 `parquet:"all,list"`
	Played float64   `parquet:"played"`
}

// The columns go through a whole log, in the order in which they are declared, and a row
// that breaks a rule is named with its file.
func TestTargetsOfALog(t *testing.T) {
	t.Parallel()
	rows := make([]targetEvent, 5)
	for i := range rows {
		rows[i] = targetEvent{Round: int64(len(rows) - i), Arm: string(rune('a' + i%3)), P: .5, All: []float64{.2, .3, .5}, Played: float64(i) / 8}
	}
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"}, Arms: abc(), Reward: schemas.RewardSpec{Range: []float64{0, 1}},
		Log: schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward", Propensity: "p"},
	}
	evaluate := func(columns ...string) {
		p.Analysis.Evaluate = nil
		for _, name := range columns {
			p.Analysis.Evaluate = append(p.Analysis.Evaluate, schemas.EvaluationSpec{ID: name, Target: schemas.Target{Column: name}})
		}
	}
	evaluate("played", "all", "played")
	log := ingesttest.Log(t, rows)
	tab, m, err := ingested(t, p, log)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]schemas.TargetColumn{{Column: "played"}, {Column: "all", AllArms: true}}, m.Targets); diff != "" {
		t.Error(diff)
	}
	chunk := tab.Slice(0).Chunk(0)
	want := []float64{}
	for i := range rows {
		want = append(want, float64(len(rows)-1-i)/8, .2, .3, .5)
	}
	if diff := cmp.Diff(want, chunk.Targets); diff != "" {
		t.Error(diff)
	}
	if err = tableaudir.Declared(p, m, role.All()); err != nil {
		t.Error(err)
	}
	evaluate("all", "played")
	if err = tableaudir.Declared(p, m, role.All()); err == nil {
		t.Error("columns in another order pass")
	}

	rows[3].All = []float64{.2, .3, .4}
	ingesttest.WriteParquet(t, log, rows)
	if _, _, err = ingested(t, p, log); err == nil || !strings.Contains(err.Error(), "log.parquet") || !strings.Contains(err.Error(), "row 3") || !strings.Contains(err.Error(), "do not add up to 1") {
		t.Errorf("a sum of .9: %v", err)
	}
	p.Arms = nil
	if _, _, err = ingested(t, p, log); err == nil || !strings.Contains(err.Error(), "arms are not declared") {
		t.Errorf("lists without arms: %v", err)
	}
}

// ingested is a log as a tableau.
func ingested(t *testing.T, p *schemas.Protocol, log string) (*tableau.Tableau, *schemas.Manifest, error) {
	t.Helper()
	dir := t.TempDir()
	if _, err := Ingest(t.Context(), p, []files.Source{{Path: log, URI: "log.parquet"}}, dir, Options{}); err != nil {
		return nil, nil, err
	}
	tab, m, err := tableaudir.Open(dir)
	if err == nil {
		t.Cleanup(func() { _ = tab.Close() })
	}
	return tab, m, err
}
