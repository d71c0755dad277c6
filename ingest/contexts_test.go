package ingest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// levelsOf converts a column with declared levels.
func levelsOf(g given, levels ...string) (*attempt, *categorical) {
	try := newAttempt(bare(), abc(), chosen(make([]int, len(g.block.Null))...), g)
	rule := newCategorical(1, schemas.ContextColumn{Column: "context", Levels: levels})
	try.convert.contexts, try.convert.out.X = []contextRule{rule}, make([][]float64, len(rule.made))
	last := len(try.convert.rules) - 1
	try.convert.rules[last] = &contextColumns{rule: rule, from: 0, to: len(rule.made)}
	return try, rule
}

// Every kind of column that can have levels; the first level is the baseline.
func TestCategoricalKinds(t *testing.T) {
	for name, tc := range map[string]struct {
		column given
		levels []string
	}{
		"text":     {textOf(role.Context, []string{"b", "a", "c"}), []string{"a", "b", "c"}},
		"integers": {intsOf(role.Context, pages.Int, []int64{2, -1, 3}), []string{"-1", "2", "3"}},
		"unsigned": {intsOf(role.Context, pages.Uint, []int64{-1, 1, 2}), []string{"1", "18446744073709551615", "2"}},
		"decimals": {intsOf(role.Context, pages.Decimal, []int64{20, 10, 30}), []string{"10", "20", "30"}},
		"dates":    {intsOf(role.Context, pages.Date, []int64{1, 0, 2}), []string{"1970-01-01", "1970-01-02", "1970-01-03"}},
		"booleans": {intsOf(role.Context, pages.Bool, []int64{1, 0, 0}), []string{"false", "true"}},
	} {
		try, rule := levelsOf(tc.column, tc.levels...)
		out := try.good(t)
		want := [][]float64{{1, 0, 0}, {0, 0, 1}}[:len(tc.levels)-1]
		if diff := cmp.Diff(want, out.X); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if rule.names()[0] != "context="+tc.levels[1] {
			t.Errorf("%s: named %v", name, rule.names())
		}
	}
}

func TestCategoricalRefused(t *testing.T) {
	try, _ := levelsOf(textOf(role.Context, []string{"a", "", "z", "\xff", "z"}, 1), "a", "b")
	try.bad(t, broken{fault.RuleNull, 1, 1}, broken{fault.RuleLevel, 2, 2}, broken{fault.RuleNotText, 3, 1})
	try, _ = levelsOf(intsOf(role.Context, pages.Date, []int64{0, 1}), "1970-01-01", "1970-01-03")
	try.bad(t, broken{fault.RuleLevel, 1, 1})
}

// Lists of any numbers are contexts.
func TestListContextKinds(t *testing.T) {
	ints := listsOf(role.ContextList, shape{2, 1}, []float64{}, []float64{})
	ints.column.Kind, ints.block.Length, ints.block.Int = pages.Int, []int32{2, 2}, []int64{1, 2, 3, cell.ExactNumber}
	out := newAttempt(bare(), abc(), chosen(0, 0), ints).good(t)
	if diff := cmp.Diff([][]float64{{1, 3}, {2, cell.ExactNumber}}, out.X); diff != "" {
		t.Error(diff)
	}
	ints.block.Int[3]++
	newAttempt(bare(), abc(), chosen(0, 0), ints).bad(t, broken{fault.RuleNotExact, 1, 1})
}

// An empty text is a level, and the baseline where it is declared or comes
// first.
func TestEmptyLevel(t *testing.T) {
	type visit struct {
		At       int64   `parquet:"at"`
		Arm      string  `parquet:"arm"`
		Reward   float64 `parquet:"reward"`
		Referrer string  `parquet:"referrer"`
	}
	path := ingesttest.Log(t, []visit{{1, "a", 0, ""}, {2, "a", 0, "google"}, {3, "a", 0, ""}})
	src := sourcesOf(t, []string{path})
	for _, tc := range []struct {
		levels   []string
		baseline *string
		name     string
		becomes  string
		x        []float64
	}{
		{[]string{"google", ""}, new(""), "referrer=google", `x0 (google; baseline "")`, []float64{0, 1, 0}},
		{[]string{"google", ""}, nil, "referrer=", `x0 (""; baseline google)`, []float64{1, 0, 1}},
		{[]string{"", "google"}, nil, "referrer=google", `x0 (google; baseline "")`, []float64{0, 1, 0}},
		{[]string{"", "google"}, new("google"), "referrer=", `x0 (""; baseline google)`, []float64{1, 0, 1}},
	} {
		p := atProtocol()
		p.Log.Context.Columns = []schemas.ContextColumn{{Column: "referrer", Levels: tc.levels, Baseline: tc.baseline}}
		got, m := taken(t, p, path)
		if diff := cmp.Diff([]string{tc.name}, m.Context) + cmp.Diff([][]float64{tc.x}, got[0].X); diff != "" {
			t.Errorf("%q: %s", tc.levels, diff)
		}
		in, err := Inspect(t.Context(), p, src, Options{})
		if err != nil || in.Columns[3].Becomes != tc.becomes {
			t.Errorf("%q: %+v, %v", tc.levels, in, err)
		}
	}
}
