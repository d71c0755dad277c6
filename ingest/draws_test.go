package ingest

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// estimatedRow is a row whose propensity was estimated by draws.
type estimatedRow[T any] struct {
	Round      int64   `parquet:"round"`
	Arm        string  `parquet:"arm"`
	Reward     float64 `parquet:"reward"`
	Propensity float64 `parquet:"p"`
	Draws      T       `parquet:"n"`
}

func estimatedRows[T any](from int, draws ...T) []estimatedRow[T] {
	rows := make([]estimatedRow[T], len(draws))
	for i, n := range draws {
		rows[i] = estimatedRow[T]{Round: int64(from + i), Arm: "a", Propensity: 1, Draws: n}
	}
	return rows
}

func estimatedProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "e"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward", Propensity: "p", PropensityDraws: &schemas.Draws{Column: "n"}},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a", "b"},
	}
}

// A number of draws is read from whatever type of numbers a column has, another one
// in another file, and from a dictionary; rows out of order take theirs along.
func TestNumbersOfDraws(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, to func(path string)) { to(filepath.Join(dir, name)) }
	write("a.parquet", func(path string) { ingesttest.WriteParquet(t, path, estimatedRows[int64](10, 1, tableau.MostDraws)) })
	write("b.parquet", func(path string) { ingesttest.WriteParquet(t, path, estimatedRows[int32](8, 300, 400)) })
	write("c.parquet", func(path string) { ingesttest.WriteParquet(t, path, estimatedRows[uint64](6, 500, 600)) })
	write("d.parquet", func(path string) { ingesttest.WriteParquet(t, path, estimatedRows(4, 700.0, 800.0)) })
	write("e.parquet", func(path string) { ingesttest.WriteParquet(t, path, estimatedRows[float32](2, 900, 1000)) })
	write("f.parquet", func(path string) {
		type row struct {
			Round      int64   `parquet:"round"`
			Arm        string  `parquet:"arm"`
			Reward     float64 `parquet:"reward"`
			Propensity float64 `parquet:"p"`
			Draws      int64   `parquet:"n,dict,optional"`
		}
		ingesttest.WriteParquet(t, path, []row{{0, "a", 0, 1, 1100}, {1, "a", 0, 1, 1100}})
	})
	want := []int64{1100, 1100, 900, 1000, 700, 800, 500, 600, 300, 400, 1, tableau.MostDraws}
	for _, jobs := range []int{1, 2} {
		got, m, err := ingestAll(t, estimatedProtocol(), Options{Jobs: jobs}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got[0].Draws); diff != "" {
			t.Error(diff)
		}
		if last := m.Columns[len(m.Columns)-1]; last.Role != "propensity_draws" || last.Column != "n" {
			t.Errorf("%+v", m.Columns)
		}
	}
}

// What is no number of draws names file, row, column and the mend.
func TestNoNumberOfDraws(t *testing.T) {
	t.Parallel()
	two := func(v float64) any { return estimatedRows(0, 100, v) }
	for name, c := range map[string]struct {
		rows any
		rule string
		says string
	}{
		"zero":        {two(0), fault.RuleDraws, "below 1"},
		"negative":    {two(-5), fault.RuleDraws, "below 1"},
		"not whole":   {two(99.5), fault.RuleDraws, "not whole"},
		"too large":   {two(tableau.MostDraws + 1), fault.RuleDraws, "above 1000000000"},
		"huge":        {two(1e300), fault.RuleDraws, "above 1000000000"},
		"NaN":         {two(math.NaN()), fault.RuleNotFinite, "NaN or an infinity"},
		"infinite":    {two(math.Inf(1)), fault.RuleNotFinite, "NaN or an infinity"},
		"int64":       {estimatedRows[int64](0, 100, math.MaxInt64), fault.RuleDraws, "above 1000000000"},
		"least int64": {estimatedRows[int64](0, 100, math.MinInt64), fault.RuleDraws, "below 1"},
		"uint64":      {estimatedRows[uint64](0, 100, math.MaxUint64), fault.RuleDraws, "above 1000000000"},
		"null":        {estimatedRows(0, new(int64(100)), nil), fault.RuleNull, "a null in the column of propensity_draws"},
		"null float":  {estimatedRows(0, new(100.0), nil), fault.RuleNull, "a null in the column of propensity_draws"},
		"text":        {estimatedRows(0, "100", "200"), fault.RuleType, "a number of draws is a whole number, one per row"},
		"boolean":     {estimatedRows(0, true, true), fault.RuleType, "a number of draws is a whole number, one per row"},
		"list":        {estimatedRows(0, []int64{100}, []int64{200}), fault.RuleType, "a number of draws is a whole number, one per row"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log.parquet")
			writeAny(t, path, c.rows)
			_, _, err := ingestAll(t, estimatedProtocol(), Options{}, path)
			e := ingesttest.WantFault(t, err, c.rule)
			if !strings.Contains(err.Error(), c.says) || c.rule != fault.RuleEmpty && (e.Column != "n" || e.Mend == "") {
				t.Errorf("%v", err)
			}
			if c.rule != fault.RuleType && c.rule != fault.RuleEmpty && (e.Row != 1 || e.RowGroup != 0 || e.Count != 1) {
				t.Errorf("row %d of row group %d, %d rows: %v", e.Row, e.RowGroup, e.Count, err)
			}
		})
	}
}

// writeAny writes one of the kinds of rows above.
func writeAny(t *testing.T, path string, rows any) {
	t.Helper()
	switch rows := rows.(type) {
	case []estimatedRow[float64]:
		ingesttest.WriteParquet(t, path, rows)
	case []estimatedRow[int64]:
		ingesttest.WriteParquet(t, path, rows)
	case []estimatedRow[uint64]:
		ingesttest.WriteParquet(t, path, rows)
	case []estimatedRow[*int64]:
		ingesttest.WriteParquet(t, path, rows)
	case []estimatedRow[*float64]:
		ingesttest.WriteParquet(t, path, rows)
	case []estimatedRow[string]:
		ingesttest.WriteParquet(t, path, rows)
	case []estimatedRow[bool]:
		ingesttest.WriteParquet(t, path, rows)
	case []estimatedRow[[]int64]:
		ingesttest.WriteParquet(t, path, rows)
	default:
		t.Fatalf("%T", rows)
	}
}

// A column that one of several files has not, or has as text, is a fault of that
// file.
func TestNumbersOfDrawsInSomeFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write func(path string)
		rule  string
	}{
		"missing": {func(path string) { ingesttest.WriteParquet(t, path, rowsWithout()) }, fault.RuleColumn},
		"text":    {func(path string) { ingesttest.WriteParquet(t, path, estimatedRows(5, "7")) }, fault.RuleType},
	} {
		dir := t.TempDir()
		ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), estimatedRows[int64](0, 100, 100))
		c.write(filepath.Join(dir, "b.parquet"))
		_, _, err := ingestAll(t, estimatedProtocol(), Options{}, dir)
		if e := ingesttest.WantFault(t, err, c.rule); !strings.Contains(err.Error(), "b.parquet") || e.Column != "n" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func rowsWithout() []rowWithout { return []rowWithout{{Round: 9, Arm: "a", Propensity: 1}} }

type rowWithout struct {
	Round      int64   `parquet:"round"`
	Arm        string  `parquet:"arm"`
	Reward     float64 `parquet:"reward"`
	Propensity float64 `parquet:"p"`
}
