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
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/logfile"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// writeLog writes rows to a new directory.
func writeLog(tb testing.TB, s logfile.Layout, rows []logfile.Row) string {
	tb.Helper()
	dir := tb.TempDir()
	writeLogTo(tb, dir, s, rows)
	return dir
}

type fataler interface{ Fatal(args ...any) }

func writeLogTo(t fataler, dir string, s logfile.Layout, rows []logfile.Row) {
	w, err := logfile.NewWriter(dir, s)
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

func logProtocol(s *logfile.Layout) *schemas.Protocol {
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "only"}, Arms: s.Labels, Log: s.Mapping(),
		Reward: schemas.RewardSpec{Range: []float64{-math.MaxFloat64, math.MaxFloat64}},
	}
	if s.Experiments {
		p.Experiment = schemas.ExperimentSpec{Column: "experiment"}
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
		src, err := files.Discover(t.Context(), []string{dir})
		if err != nil {
			r.Fatal(err)
		}
		if files := (int64(len(rows)) + s.RowsPerFile - 1) / s.RowsPerFile; int64(len(src)) != files {
			r.Fatalf("%d files, not %d", len(src), files)
		}
		if _, err = Ingest(t.Context(), logProtocol(&s), src, out, Options{}); err != nil {
			r.Fatal(err)
		}
		tab, _, err := tableaudir.Open(out)
		if err != nil {
			r.Fatal(err)
		}
		defer closeTableau(t, tab)
		if diff := cmp.Diff(want, readTableau(t, tab), cmp.Comparer(sameBits), cmpopts.EquateEmpty()); diff != "" {
			r.Fatal(diff)
		}
	})
}

func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func drawSpec(r *rapid.T) logfile.Layout {
	label := rapid.StringN(0, 12, -1).Filter(cell.IsText)
	s := logfile.Layout{
		Labels: rapid.SliceOfNDistinct(label, 1, 6, rapid.ID).Draw(r, "labels"), CreatedBy: "test",
		Experiments: rapid.Bool().Draw(r, "experiments"), Propensity: rapid.Bool().Draw(r, "propensity"),
		Reward: rapid.SampledFrom([]string{logfile.RewardBool, logfile.RewardFloat}).Draw(r, "reward"), ContextDim: rapid.IntRange(0, 3).Draw(r, "dim"),
		RowsPerFile: rapid.Int64Range(1, 40).Draw(r, "perfile"), RowsPerGroup: rapid.Int64Range(1, 40).Draw(r, "pergroup"),
		MissingReward: rapid.Bool().Draw(r, "missing"), PropensityByArm: rapid.Bool().Draw(r, "probabilities"),
		ReleasedByArm: rapid.IntRange(0, 3).Draw(r, "released"), RewardByArm: rapid.Bool().Draw(r, "rewards"),
		Eligible:    rapid.SampledFrom([]string{"", logfile.EligibleLabels, logfile.EligibleFlags}).Draw(r, "eligible"),
		RewardOrder: rapid.Bool().Draw(r, "delays"), Batch: rapid.Bool().Draw(r, "batches"), Unit: rapid.Bool().Draw(r, "units"), PropensityDraws: rapid.Bool().Draw(r, "draws"),
	}
	if s.ContextDim == 0 {
		s.ContextByArm = rapid.IntRange(0, 3).Draw(r, "byarm")
	}
	return s
}

// drawLog draws rows that fit a spec, and what they must be read as. Rows of
// experiments come interleaved; experiments have whole numbers as ids.
func drawLog(r *rapid.T, s *logfile.Layout) ([]logfile.Row, []contents) {
	ids := []int64{0}
	if s.Experiments {
		ids = rapid.SliceOfNDistinct(rapid.Int64(), 1, 4, rapid.ID).Draw(r, "ids")
		slices.Sort(ids)
	}
	want := make([]contents, len(ids))
	played := make([][]logfile.Row, len(ids))
	for i, id := range ids {
		want[i] = contents{ID: strconv.FormatInt(id, 10), X: make([][]float64, s.ContextDim)}
	}
	if !s.Experiments {
		want[0].ID = "only"
	}
	var rows []logfile.Row
	for i := range rapid.IntRange(len(ids), 60).Draw(r, "rows") {
		e := i // every experiment has a row
		if i >= len(ids) {
			e = rapid.IntRange(0, len(ids)-1).Draw(r, "experiment")
		}
		row := drawRow(r, s, int64(10*i))
		row.Experiment = ids[e]
		if n := len(played[e]); n > 0 {
			row.Batch = played[e][n-1].Batch + rapid.Int64Range(0, 1).Draw(r, "next batch")
		}
		rows, played[e] = append(rows, row), append(played[e], row)
	}
	if s.MissingReward && math.IsNaN(rows[0].Reward) { // one at least is there
		rows[0].Reward, played[0][0].Reward = 1, 1
		if s.RewardByArm {
			rows[0].RewardByArm[rows[0].Arm] = 1
		}
	}
	for e := range want {
		want[e].read(s, played[e])
	}
	return rows, want
}

func drawRow(r *rapid.T, s *logfile.Layout, round int64) logfile.Row {
	k := len(s.Labels)
	number := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
	many := func(n int, label string) []float64 { return rapid.SliceOfN(number, n, n).Draw(r, label) }
	row := logfile.Row{Round: round, Arm: rapid.IntRange(0, k-1).Draw(r, "arm"), Reward: number.Draw(r, "y"), X: many(s.ContextDim, "x")}
	if s.RewardByArm {
		row.RewardByArm = many(k, "rewards")
	}
	if s.Reward == logfile.RewardBool {
		row.Reward = float64(rapid.IntRange(0, 1).Draw(r, "y"))
		for arm := range row.RewardByArm {
			row.RewardByArm[arm] = float64(rapid.IntRange(0, 1).Draw(r, "rewards"))
		}
	}
	if s.RewardByArm {
		row.RewardByArm[row.Arm] = row.Reward
	}
	if s.MissingReward && rapid.Bool().Draw(r, "absent") {
		row.Reward = math.NaN()
	}
	likely := rapid.Float64Range(tableau.MinPropensity, 1)
	row.Propensity = likely.Draw(r, "p")
	row.PropensityByArm = rapid.SliceOfN(rapid.Float64Range(0, 1), k, k).Draw(r, "probabilities")
	row.PropensityByArm[row.Arm] = likely.Draw(r, "probability")
	row.ContextByArm, row.ReleasedByArm = many(k*s.ContextByArm, "contexts"), many(k*s.ReleasedByArm, "sums")
	if rapid.Bool().Draw(r, "some") {
		row.Eligible = rapid.SliceOfN(rapid.Bool(), k, k).Draw(r, "can")
		row.Eligible[row.Arm] = true
	}
	row.RewardOrder = round + rapid.Int64Range(0, 500).Draw(r, "delay")
	if rapid.IntRange(0, 4).Draw(r, "never") == 0 {
		row.RewardOrder = tableau.NeverKnown
	}
	row.PropensityDraws = rapid.Int64Range(1, tableau.MostDraws).Draw(r, "draws")
	row.Unit = rapid.SampledFrom([]string{"", "a", "b", "ab", "ü", "10", "9"}).Draw(r, "unit")
	return row
}

// read fills in what the rows of an experiment must be read as.
func (c *contents) read(s *logfile.Layout, rows []logfile.Row) {
	var units []string
	for i := range rows {
		units = append(units, rows[i].Unit)
	}
	slices.Sort(units)
	units = slices.Compact(units)
	for i := range rows {
		row := &rows[i]
		c.Round, c.Arm, c.Reward = append(c.Round, int64(i+1)), append(c.Arm, int32(row.Arm)), append(c.Reward, row.Reward)
		switch {
		case s.Propensity:
			c.Propensity = append(c.Propensity, row.Propensity)
		case s.PropensityByArm:
			c.Propensity = append(c.Propensity, row.PropensityByArm[row.Arm])
		}
		for j := range c.X {
			c.X[j] = append(c.X[j], row.X[j])
		}
		if s.PropensityByArm {
			c.PropensityByArm = append(c.PropensityByArm, row.PropensityByArm...)
		}
		c.ContextByArm, c.ReleasedByArm = append(c.ContextByArm, row.ContextByArm...), append(c.ReleasedByArm, row.ReleasedByArm...)
		for arm := range row.RewardByArm {
			y := row.RewardByArm[arm]
			if math.IsNaN(row.Reward) {
				y = row.Reward
			}
			c.RewardByArm = append(c.RewardByArm, y)
		}
		if s.Eligible != "" {
			for arm := range s.Labels {
				c.Eligible = append(c.Eligible, len(row.Eligible) == 0 || row.Eligible[arm])
			}
		}
		if s.PropensityDraws {
			c.Draws = append(c.Draws, row.PropensityDraws)
		}
		if s.Batch {
			c.Batch = append(c.Batch, int32(row.Batch))
		}
		if s.Unit {
			at, _ := slices.BinarySearch(units, row.Unit)
			c.Unit = append(c.Unit, int64(at))
		}
		if s.RewardOrder {
			c.RewardRound = append(c.RewardRound, rewardRound(rows, row))
		}
	}
}

// rewardRound is the number of rounds that were played when a reward became
// known.
func rewardRound(rows []logfile.Row, row *logfile.Row) int64 {
	if row.RewardOrder == tableau.NeverKnown {
		return tableau.NeverKnown
	}
	n := int64(0)
	for i := range rows {
		if rows[i].Round <= row.RewardOrder {
			n++
		}
	}
	return n
}

func smallLog(n int) []logfile.Row {
	rows := make([]logfile.Row, n)
	for i := range rows {
		rows[i] = logfile.Row{Round: int64(i + 1), Arm: i % 2, Reward: float64(i % 2), Propensity: 0.5, X: []float64{float64(i)}}
	}
	return rows
}

func smallSpec() logfile.Layout {
	return logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, ContextDim: 1, RowsPerFile: 300, RowsPerGroup: 100, CreatedBy: "test version 1"}
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

// partOf is the first file of a log.
func partOf(t *testing.T, dir string) *parquet.File {
	t.Helper()
	data := contentOf(t, filepath.Join(dir, "part-00000.parquet"))
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The columns are those of Layout's comment: in this order, required, of these
// types, the action a dictionary-encoded string.
func TestLogWriterColumns(t *testing.T) {
	s := smallSpec()
	s.Experiments = true
	dir := writeLog(t, s, smallLog(250))
	f := partOf(t, dir)
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
	for name, row := range map[string]logfile.Row{
		"arm beyond":      {Arm: 2, Propensity: 1, X: []float64{0}},
		"arm negative":    {Arm: -1, Propensity: 1, X: []float64{0}},
		"no context":      {Propensity: 1},
		"reward not bool": {Reward: 0.5, Propensity: 1, X: []float64{0}},
		"reward NaN":      {Reward: math.NaN(), Propensity: 1, X: []float64{0}},
		"propensity 0":    {X: []float64{0}},
		"propensity tiny": {Propensity: 1e-101, X: []float64{0}},
		"propensity NaN":  {Propensity: math.NaN(), X: []float64{0}},
	} {
		w, err := logfile.NewWriter(t.TempDir(), smallSpec())
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
	bad := logfile.Layout{Reward: "money", ContextDim: -1, RowsPerFile: -1}
	if err := bad.Validate(); err == nil || len(err.(interface{ Unwrap() []error }).Unwrap()) != 5 {
		t.Errorf("five faults: %v", err)
	}
	both := logfile.Layout{Labels: []string{"a"}, Reward: logfile.RewardBool, ContextDim: 1, ContextByArm: 1, ReleasedByArm: -1, Eligible: "some", CreatedBy: "test"}
	if err := both.Validate(); err == nil || len(err.(interface{ Unwrap() []error }).Unwrap()) != 3 {
		t.Errorf("three faults: %v", err)
	}
	dir := writeLog(t, smallSpec(), smallLog(1))
	if _, err := logfile.NewWriter(dir, smallSpec()); err == nil {
		t.Error("an existing log was written over")
	}
}

// fullSpec has every column that does not exclude another.
func fullSpec() logfile.Layout {
	return logfile.Layout{
		Labels: []string{"a", "b"}, Experiments: true, Reward: logfile.RewardFloat, MissingReward: true, Propensity: true, ContextByArm: 3,
		PropensityByArm: true, ReleasedByArm: 2, RewardByArm: true, Eligible: logfile.EligibleLabels, RewardOrder: true, Batch: true, Unit: true, CreatedBy: "test",
	}
}

func fullRow() logfile.Row {
	return logfile.Row{
		Arm: 1, Reward: 2, Propensity: 1, ContextByArm: []float64{1, 2, 3, 4, 5, 6}, PropensityByArm: []float64{0, 1}, ReleasedByArm: []float64{1, 2, 3, 4},
		RewardByArm: []float64{1, 2}, Eligible: []bool{false, true}, Unit: "u",
	}
}

// The columns of the other roles: nullable where null has a meaning.
func TestLogWriterColumnsByArm(t *testing.T) {
	dir := writeLog(t, fullSpec(), []logfile.Row{fullRow()})
	data := contentOf(t, filepath.Join(dir, "part-00000.parquet"))
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, c := range f.Root().Columns() {
		columns = append(columns, fmt.Sprintf("%s %v %v", c.Name(), c.Type(), c.Optional()))
	}
	want := []string{
		"experiment INT(64,true) false", "round INT(64,true) false", "action STRING false", "propensity DOUBLE false", "context_by_arm LIST false",
		"propensity_by_arm LIST false", "released_by_arm LIST false", "reward_by_arm LIST true", "eligible LIST true",
		"reward_order INT(64,true) true", "batch INT(64,true) false", "unit STRING false",
	}
	if diff := cmp.Diff(want, columns); diff != "" {
		t.Error(diff)
	}
}

// A row that ingest would refuse is not written.
func TestLogWriterRefusesByArm(t *testing.T) {
	nan := math.NaN()
	for name, change := range map[string]func(r *logfile.Row){
		"contexts":             func(r *logfile.Row) { r.ContextByArm = r.ContextByArm[1:] },
		"contexts NaN":         func(r *logfile.Row) { r.ContextByArm[5] = nan },
		"released":             func(r *logfile.Row) { r.ReleasedByArm = nil },
		"released infinite":    func(r *logfile.Row) { r.ReleasedByArm[0] = math.Inf(1) },
		"propensities":         func(r *logfile.Row) { r.PropensityByArm = []float64{1} },
		"propensity above 1":   func(r *logfile.Row) { r.PropensityByArm[0] = 1.5 },
		"propensity NaN":       func(r *logfile.Row) { r.PropensityByArm[0] = nan },
		"chosen at 0":          func(r *logfile.Row) { r.PropensityByArm[1] = 0 },
		"rewards":              func(r *logfile.Row) { r.RewardByArm = []float64{1, 2, 3} },
		"rewards NaN":          func(r *logfile.Row) { r.RewardByArm[0] = nan },
		"reward of another":    func(r *logfile.Row) { r.Reward = 1 },
		"eligible":             func(r *logfile.Row) { r.Eligible = []bool{true} },
		"chosen not eligible":  func(r *logfile.Row) { r.Eligible = []bool{true, false} },
		"reward known before":  func(r *logfile.Row) { r.RewardOrder = -1 },
		"unit that is no text": func(r *logfile.Row) { r.Unit = "\xff" },
	} {
		w, err := logfile.NewWriter(t.TempDir(), fullSpec())
		if err != nil {
			t.Fatal(err)
		}
		row := fullRow()
		if err := w.Append(&row); err != nil {
			t.Fatal(err)
		}
		change(&row)
		if err := w.Append(&row); err == nil {
			t.Errorf("%s: was written", name)
		}
		_ = w.Close() // It repeats the error.
	}
}

func TestLogWriterEmptyLog(t *testing.T) {
	dir := writeLog(t, smallSpec(), nil)
	s := smallSpec()
	_ = refused(t, logProtocol(&s), fault.RuleEmpty, dir)
}

// Columns have the names that the spec gives, are read back by them, and the
// others keep their own.
func TestLogWriterNames(t *testing.T) {
	s := logfile.Layout{
		Labels: []string{"a", "b"}, Experiments: true, Reward: logfile.RewardBool, ContextDim: 1, ReleasedByArm: 1, Batch: true, CreatedBy: "test",
		Names: map[string]string{"experiment": "exp id", "round": "Zeit", "x0": "x1", "released_by_arm": "x0", "batch": "b.c"},
	}
	rows := []logfile.Row{{Round: 1, Reward: 1, X: []float64{2.5}, ReleasedByArm: []float64{3, 4}, Batch: 7}}
	dir := writeLog(t, s, rows)
	log := partOf(t, dir)
	var names []string
	for _, f := range log.Schema().Fields() {
		names = append(names, f.Name())
	}
	if want := []string{"exp id", "Zeit", "action", "reward", "x1", "x0", "b.c"}; !cmp.Equal(names, want) {
		t.Errorf("columns are %q, want %q", names, want)
	}
	if l := s.Mapping(); l.Order[0] != "Zeit" || l.Context.Columns[0].Column != "x1" || l.ReleasedByArm != "x0" || l.Batch != "b.c" || l.Action != "action" {
		t.Errorf("they are read back as %+v", l)
	}
	for _, c := range []struct{ role, name string }{
		{"round", "action"},
		{"round", ""},
		{"round", "a,b"},
		{"round", "a`b"},
		{"round", `a"b`},
		{"round", `a\b`},
		{"round", "a\nb"},
		{"round", "a\xffb"},
	} {
		bad := s
		bad.Names = map[string]string{c.role: c.name}
		if err := bad.Validate(); err == nil {
			t.Errorf("%s may be written as %q", c.role, c.name)
		}
	}
}
