package ingest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// trial is a row of a log of several experiments.
type trial struct {
	Exp    string  `parquet:"exp"`
	Number int64   `parquet:"number"`
	At     string  `parquet:"at"`
	Step   int32   `parquet:"step"`
	Arm    int32   `parquet:"arm"`
	Reward float64 `parquet:"reward"`
}

func trialProtocol(order ...string) *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "exp"},
		Log:    schemas.Log{Order: order, Action: "arm", Reward: "reward", Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "step"}}}},
		Reward: schemas.RewardSpec{Range: []float64{0, 1e6}}, Arms: []string{"0", "1", "2"},
	}
}

// trials are rows of experiments in id order, steps rising by the gaps given.
func trials(experiments, rounds int) []trial {
	var rows []trial
	for e := range experiments {
		for r := range rounds {
			rows = append(rows, trial{
				Exp: fmt.Sprintf("e%03d", e), Number: int64(e), At: fmt.Sprintf("%05d", r/3), Step: int32(r), Arm: int32(r % 3), Reward: float64(len(rows)),
			})
		}
	}
	return rows
}

// Whatever the order of the rows within and across files, the tableau is the
// same.
func TestOrderIsRestored(t *testing.T) {
	sorted := trials(7, 300)
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "log.parquet"), sorted, parquet.MaxRowsPerRowGroup(500))
	p := trialProtocol("at", "step")
	want, m := taken(t, p, dir)
	if len(want) != 7 || len(want[3].Round) != 300 || want[3].Round[299] != 300 || want[3].ID != "e003" {
		t.Fatalf("%d experiments", len(want))
	}
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := slices.Clone(sorted)
		switch seed {
		case 0:
			slices.Reverse(rows)
		case 1: // two neighbours only
			rows[1000], rows[1001] = rows[1001], rows[1000]
		case 2: // experiments interleaved, each in order
			slices.SortStableFunc(rows, func(a, b trial) int { return int(a.Step - b.Step) })
		case 3: // experiments grouped, in another order
			slices.SortStableFunc(rows, func(a, b trial) int { return strings.Compare(b.Exp, a.Exp) })
		default:
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
		dir := t.TempDir()
		at := 0
		for k := 0; at < len(rows); k++ {
			to := min(len(rows), at+1+rng.IntN(800))
			ingesttest.WriteParquet(t, filepath.Join(dir, fmt.Sprintf("%d.parquet", k)), rows[at:to])
			at = to
		}
		got, other := taken(t, p, dir)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		if other.SHA256 != m.SHA256 {
			t.Errorf("seed %d: another digest", seed)
		}
		if diff := cmp.Diff(m.Experiments, other.Experiments); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
	}
}

func TestExperimentsComeInOrderOfTheirIDs(t *testing.T) {
	for name, tc := range map[string]struct{ ids, want []string }{
		"numbers":  {[]string{"10", "9", "-2"}, []string{"-2", "9", "10"}},
		"bytewise": {[]string{"x10", "x9", "B", "é"}, []string{"B", "x10", "x9", "é"}},
		"mixed":    {[]string{"10", "9", "x"}, []string{"10", "9", "x"}},
	} {
		for range 2 { // as given, and sorted
			var rows []trial
			for i, id := range tc.ids {
				rows = append(rows, trial{Exp: id, Step: 1, Reward: float64(i)}, trial{Exp: id, Step: 2, Reward: float64(i)})
			}
			path := ingesttest.Log(t, rows)
			got, m := taken(t, trialProtocol("step"), path)
			var ids []string
			for i := range got {
				ids = append(ids, got[i].ID)
				if m.Experiments[i].Offset != int64(2*i) || m.Experiments[i].Rows != 2 {
					t.Errorf("%s: %+v", name, m.Experiments[i])
				}
			}
			if diff := cmp.Diff(tc.want, ids); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			slices.SortFunc(tc.ids, cell.LabelOrder(tc.ids))
		}
	}
	p := trialProtocol("step")
	p.Experiment.Column = "number"
	path := ingesttest.Log(t, []trial{{Number: 10, Step: 1}, {Number: 9, Step: 1}})
	got, _, err := ingestAll(t, p, Options{}, path)
	if err != nil || got[0].ID != "9" || got[1].ID != "10" {
		t.Errorf("a column of whole numbers: %v, %v", got, err)
	}
}

func TestGaps(t *testing.T) {
	p := trialProtocol("step")
	rows := []trial{{Exp: "a", Step: 5}, {Exp: "a", Step: 6}, {Exp: "a", Step: 8}, {Exp: "a", Step: 9}, {Exp: "b", Step: 1}, {Exp: "b", Step: 2}}
	for _, shuffled := range []bool{false, true} {
		if shuffled {
			rows[0], rows[5] = rows[5], rows[0]
		}
		path := ingesttest.Log(t, rows)
		_, m := taken(t, p, path)
		want := []schemas.ManifestExperiment{{ID: "a", Rows: 4, Gaps: 1, Counts: []schemas.ArmCount{}}, {ID: "b", Offset: 4, Rows: 2, Counts: []schemas.ArmCount{}}}
		if diff := cmp.Diff(want, m.Experiments); diff != "" {
			t.Error(diff)
		}
	}
	path := ingesttest.Log(t, rows)
	p.Log.Order = []string{"step", "at"}
	if _, m, err := ingestAll(t, p, Options{}, path); err != nil || m.Experiments[0].Gaps != 0 {
		t.Errorf("gaps of an order of two columns: %v, %v", m, err)
	}
}

// Gaps are of whole numbers, whatever type they have and on whatever scale
// reward_order puts them.
func TestGapsOfWholeNumbers(t *testing.T) {
	type row struct {
		Int     int64  `parquet:"int"`
		Decimal int64  `parquet:"decimal,decimal(0:18)"`
		Tenths  int64  `parquet:"tenths,decimal(1:18)"`
		Known   int64  `parquet:"known,decimal(2:18)"`
		Arm     string `parquet:"arm"`
		Reward  bool   `parquet:"reward"`
	}
	made := func(steps ...int64) []row {
		var rows []row
		for _, s := range steps {
			rows = append(rows, row{Int: s, Decimal: s, Tenths: 10 * s, Known: 100*s + 50, Arm: "a"})
		}
		return rows
	}
	for _, steps := range [][]int64{{5, 6, 8, 9, 20}, {9, 6, 20, 5, 8}} {
		for column, gaps := range map[string]int64{"int": 2, "decimal": 2, "tenths": 0} {
			for _, known := range []string{"", "known"} {
				p := atProtocol()
				p.Log.Order, p.Log.RewardOrder = []string{column}, known
				path := filepath.Join(t.TempDir(), "log.parquet")
				ingesttest.WriteParquet(t, path, made(steps...), parquet.MaxRowsPerRowGroup(2)) // so that blocks follow one another
				_, m := taken(t, p, path)
				if m.Experiments[0].Gaps != gaps {
					t.Errorf("%v by %s, rewards by %q: %d gaps", steps, column, known, m.Experiments[0].Gaps)
				}
			}
		}
	}
}

func TestNullKeys(t *testing.T) {
	type keyed struct {
		Exp    *string  `parquet:"exp,optional"`
		Step   *int32   `parquet:"step,optional"`
		At     *float64 `parquet:"at,optional"`
		Arm    *int32   `parquet:"arm,optional"`
		Reward float64  `parquet:"reward"`
	}
	rows := make([]keyed, 6)
	for i := range rows {
		rows[i] = keyed{new("e"), new(int32(i)), new(float64(i)), new(int32(0)), 0}
	}
	rows[1].Exp, rows[2].Step, rows[3].Arm, rows[4].At = nil, nil, nil, new(math.NaN())
	path := ingesttest.Log(t, rows)
	p := trialProtocol("step", "at")
	p.Log.Context = schemas.Context{}
	_, _, err := ingestAll(t, p, Options{}, path)
	rowsOf := map[string]int64{}
	for _, e := range ingesttest.InputErrors(err) {
		rowsOf[e.Rule+" "+e.Column] = e.Row
		if e.Count != 1 {
			t.Errorf("%v", e)
		}
	}
	want := map[string]int64{"null exp": 1, "null step": 2, "null arm": 3, "not finite at": 4}
	if diff := cmp.Diff(want, rowsOf); diff != "" {
		t.Error(diff)
	}
}

// floatKey orders as < does, with −0 and 0 as one.
func TestFloatKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		special := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1, -1})
		number := rapid.OneOf(rapid.Float64(), special)
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		if (a < b) != (floatKey(a) < floatKey(b)) || (a == b) != (floatKey(a) == floatKey(b)) {
			t.Fatalf("%g and %g have the keys %d and %d", a, b, floatKey(a), floatKey(b))
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"reward", "round", "action", "propensity"}
	for name, want := range map[string]string{"rewrad": "reward", "Action": "action", "propensities": "propensity", "x": "", "timestamp": "", "": ""} {
		if got := fault.Nearest(name, names); got != want {
			t.Errorf("nearest to %q is %q, not %q", name, got, want)
		}
	}
}

// Ten thousand experiments in one log stream as one does, and shuffled over
// many files they are sorted as one is.
func TestManyExperiments(t *testing.T) {
	rows := trials(10_000, 2)
	for i := range rows {
		rows[i].Exp = fmt.Sprintf("e%05d", i/2)
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "log.parquet"), rows)
	want, m, err := ingestAll(t, trialProtocol("step"), Options{}, dir)
	if err != nil || len(want) != 10_000 || m.Experiments[9_999].Offset != 19_998 {
		t.Fatalf("%d experiments, %v", len(want), err)
	}
	rng := rand.New(rand.NewPCG(8, 8))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	other := t.TempDir()
	for k := range 50 {
		ingesttest.WriteParquet(t, filepath.Join(other, fmt.Sprintf("%02d.parquet", k)), rows[k*400:(k+1)*400])
	}
	got, shuffled, err := ingestAll(t, trialProtocol("step"), Options{sortMemory: 64 << 10}, other)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || shuffled.SHA256 != m.SHA256 {
		t.Errorf("shuffled, another tableau: %s", diff)
	}
}
