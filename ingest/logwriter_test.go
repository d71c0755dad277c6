package ingest

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// writeLog writes rows to a new directory.
func writeLog(tb testing.TB, s LogSpec, rows []LogRow) string {
	tb.Helper()
	dir := tb.TempDir()
	writeLogTo(tb, dir, s, rows)
	return dir
}

type fataler interface{ Fatal(args ...any) }

func writeLogTo(t fataler, dir string, s LogSpec, rows []LogRow) {
	w, err := NewLogWriter(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Append(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func logProtocol(s *LogSpec) *schemas.Protocol {
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "only"}, Arms: s.Labels,
		Log:    schemas.Log{Order: []string{"round"}, Action: "action", Reward: "reward"},
		Reward: schemas.RewardSpec{Range: []float64{-math.MaxFloat64, math.MaxFloat64}},
	}
	if s.Experiments {
		p.Experiment = schemas.ExperimentSpec{Column: "experiment"}
	}
	if s.Propensity {
		p.Log.Propensity = "propensity"
	}
	for i := range s.ContextDim {
		p.Log.Context.Columns = append(p.Log.Context.Columns, schemas.ContextColumn{Column: fmt.Sprintf("x%d", i)})
	}
	return p
}

// What LogWriter writes, Ingest reads back, to the bit.
func TestLogRoundTrip(t *testing.T) {
	base, run := t.TempDir(), 0
	rapid.Check(t, func(r *rapid.T) {
		s := drawSpec(r)
		rows, want := drawLog(r, &s)
		run++
		dir, out := filepath.Join(base, strconv.Itoa(run)), filepath.Join(base, strconv.Itoa(run)+"-out")
		for _, d := range []string{dir, out} {
			if err := os.Mkdir(d, 0o755); err != nil {
				r.Fatal(err)
			}
		}
		writeLogTo(r, dir, s, rows)
		src, err := Discover([]string{dir})
		if err != nil {
			r.Fatal(err)
		}
		if files := (int64(len(rows)) + s.RowsPerFile - 1) / s.RowsPerFile; int64(len(src)) != files {
			r.Fatalf("%d files, not %d", len(src), files)
		}
		if _, err = Ingest(t.Context(), logProtocol(&s), src, out, Options{}); err != nil {
			r.Fatal(err)
		}
		tab, _, err := Open(out)
		if err != nil {
			r.Fatal(err)
		}
		defer closeTableau(t, tab)
		if diff := cmp.Diff(want, readTableau(t, tab), cmp.Comparer(sameBits)); diff != "" {
			r.Fatal(diff)
		}
	})
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func drawSpec(r *rapid.T) LogSpec {
	label := rapid.StringN(0, 12, -1).Filter(isText)
	return LogSpec{
		Labels: rapid.SliceOfNDistinct(label, 1, 6, rapid.ID).Draw(r, "labels"), CreatedBy: "test",
		Experiments: rapid.Bool().Draw(r, "experiments"), Propensity: rapid.Bool().Draw(r, "propensity"),
		Reward: rapid.SampledFrom([]string{RewardBool, RewardFloat}).Draw(r, "reward"), ContextDim: rapid.IntRange(0, 3).Draw(r, "dim"),
		RowsPerFile: rapid.Int64Range(1, 40).Draw(r, "perfile"), RowsPerGroup: rapid.Int64Range(1, 40).Draw(r, "pergroup"),
	}
}

// drawLog draws rows that fit a spec, and what they must be read as. Rows of
// experiments come interleaved; experiments have whole numbers as ids.
func drawLog(r *rapid.T, s *LogSpec) ([]LogRow, []contents) {
	ids := []int64{0}
	if s.Experiments {
		ids = rapid.SliceOfNDistinct(rapid.Int64(), 1, 4, rapid.ID).Draw(r, "ids")
		slices.Sort(ids)
	}
	want := make([]contents, len(ids))
	for i, id := range ids {
		want[i] = contents{ID: strconv.FormatInt(id, 10), X: make([][]float64, s.ContextDim)}
	}
	if !s.Experiments {
		want[0].ID = "only"
	}
	number := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
	var rows []LogRow
	for i := range rapid.IntRange(len(ids), 60).Draw(r, "rows") {
		e := i // every experiment has a row
		if i >= len(ids) {
			e = rapid.IntRange(0, len(ids)-1).Draw(r, "experiment")
		}
		row := LogRow{Experiment: ids[e], Round: int64(10 * i), Arm: rapid.IntRange(0, len(s.Labels)-1).Draw(r, "arm"), Reward: number.Draw(r, "y")}
		if s.Reward == RewardBool {
			row.Reward = float64(rapid.IntRange(0, 1).Draw(r, "y"))
		}
		c := &want[e]
		c.Round, c.Arm, c.Reward = append(c.Round, int64(len(c.Round)+1)), append(c.Arm, int32(row.Arm)), append(c.Reward, row.Reward)
		if s.Propensity {
			row.Propensity = rapid.Float64Range(tableau.MinPropensity, 1).Draw(r, "p")
			c.Propensity = append(c.Propensity, row.Propensity)
		}
		for j := range s.ContextDim {
			row.X = append(row.X, number.Draw(r, "x"))
			c.X[j] = append(c.X[j], row.X[j])
		}
		rows = append(rows, row)
	}
	return rows, want
}

func smallLog(n int) []LogRow {
	rows := make([]LogRow, n)
	for i := range rows {
		rows[i] = LogRow{Round: int64(i + 1), Arm: i % 2, Reward: float64(i % 2), Propensity: 0.5, X: []float64{float64(i)}}
	}
	return rows
}

func smallSpec() LogSpec {
	return LogSpec{Labels: []string{"a", "b"}, Reward: RewardBool, Propensity: true, ContextDim: 1, RowsPerFile: 300, RowsPerGroup: 100, CreatedBy: "test version 1"}
}

func TestLogWriterSameBytes(t *testing.T) {
	rows := smallLog(1000)
	one, two := writeLog(t, smallSpec(), rows), writeLog(t, smallSpec(), rows)
	entries, err := os.ReadDir(one)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		a, aerr := os.ReadFile(filepath.Join(one, e.Name()))
		b, berr := os.ReadFile(filepath.Join(two, e.Name()))
		if aerr != nil || berr != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs between two runs", e.Name())
		}
	}
	if diff := cmp.Diff([]string{"part-00000.parquet", "part-00001.parquet", "part-00002.parquet", "part-00003.parquet"}, names); diff != "" {
		t.Error(diff)
	}
}

// The columns are the contract's: in this order, required, of these types, the
// action a dictionary-encoded string.
func TestLogWriterColumns(t *testing.T) {
	s := smallSpec()
	s.Experiments = true
	dir := writeLog(t, s, smallLog(250))
	file, err := os.Open(filepath.Join(dir, "part-00000.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, c := range f.Root().Columns() {
		columns = append(columns, fmt.Sprintf("%s %v %v", c.Name(), c.Type(), c.Required()))
	}
	want := []string{"experiment INT(64,true) true", "round INT(64,true) true", "action STRING true", "reward BOOLEAN true", "propensity DOUBLE true", "x0 DOUBLE true"}
	if diff := cmp.Diff(want, columns); diff != "" {
		t.Error(diff)
	}
	if f.Metadata().CreatedBy != "test version 1" || len(f.RowGroups()) != 3 || f.RowGroups()[2].NumRows() != 50 {
		t.Errorf("created by %q, %d row groups", f.Metadata().CreatedBy, len(f.RowGroups()))
	}
	if f.Metadata().RowGroups[0].Columns[2].MetaData.DictionaryPageOffset == 0 {
		t.Error("the action is not dictionary-encoded")
	}
}

func TestLogWriterRefuses(t *testing.T) {
	for name, row := range map[string]LogRow{
		"arm beyond":      {Arm: 2, Propensity: 1, X: []float64{0}},
		"arm negative":    {Arm: -1, Propensity: 1, X: []float64{0}},
		"no context":      {Propensity: 1},
		"reward not bool": {Reward: 0.5, Propensity: 1, X: []float64{0}},
		"reward NaN":      {Reward: math.NaN(), Propensity: 1, X: []float64{0}},
		"propensity 0":    {X: []float64{0}},
		"propensity tiny": {Propensity: 1e-101, X: []float64{0}},
		"propensity NaN":  {Propensity: math.NaN(), X: []float64{0}},
	} {
		w, err := NewLogWriter(t.TempDir(), smallSpec())
		if err != nil {
			t.Fatal(err)
		}
		first := w.Append(&row)
		if first == nil {
			t.Errorf("%s: was written", name)
		}
		good := smallLog(1)
		if err := w.Append(&good[0]); err != first { //nolint:errorlint // the same error
			t.Errorf("%s: then %v", name, err)
		}
		if err := w.Close(); err == nil {
			t.Errorf("%s: Close said nothing", name)
		}
	}
	bad := LogSpec{Reward: "money", ContextDim: -1, RowsPerFile: -1}
	if err := bad.Validate(); err == nil || len(err.(interface{ Unwrap() []error }).Unwrap()) != 5 {
		t.Errorf("five faults: %v", err)
	}
	dir := writeLog(t, smallSpec(), smallLog(1))
	if _, err := NewLogWriter(dir, smallSpec()); err == nil {
		t.Error("an existing log was written over")
	}
}

func TestLogWriterEmptyLog(t *testing.T) {
	dir := writeLog(t, smallSpec(), nil)
	s := smallSpec()
	_, _, err := ingestAll(t, logProtocol(&s), Options{}, dir)
	_ = wantFault(t, err, RuleEmpty)
}
