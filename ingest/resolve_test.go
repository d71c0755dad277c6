package ingest

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"banditaudit/schemas"
)

// gapFull is a row of a file that has all columns, gapBare one of a file that lacks
// those whose roles take nulls; both are of one log.
type gapFull struct {
	Round    int64    `parquet:"round"`
	Arm      string   `parquet:"arm"`
	Reward   *float64 `parquet:"reward,optional"`
	Eligible []string `parquet:"eligible,list"`
	Known    int64    `parquet:"known"`
}

type gapBare struct {
	Arm   string `parquet:"arm"`
	Round int64  `parquet:"round"`
}

func gapProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"}, Arms: []string{"a", "b"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward", Eligible: "eligible", RewardOrder: "known", MissingReward: schemas.MissingExclude},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

func gapLog(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	writeParquet(tb, filepath.Join(dir, "a.parquet"), []gapFull{{1, "a", new(0.5), []string{"a", "b"}, 2}, {3, "b", new(1.0), []string{"b"}, 3}})
	writeParquet(tb, filepath.Join(dir, "b.parquet"), []gapBare{{"b", 2}, {"a", 4}})
	return dir
}

// A column that files lack is null in them where its role takes nulls: the
// reward is missing, all arms are eligible, and nothing is known before the end.
// The columns come in another order too, and the rows of the files interleave.
func TestAbsentIsNull(t *testing.T) {
	dir := gapLog(t)
	got, m, err := ingestAll(t, gapProtocol(), Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{0, 1, 1, 0}, got[0].Arm); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0.5, math.NaN(), 1, math.NaN()}, got[0].Reward, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	for _, c := range m.Columns {
		if absent := strings.Contains(c.Type, absentType); absent != (c.Column == "reward" || c.Column == "eligible" || c.Column == "known") {
			t.Errorf("%s: %s", c.Column, c.Type)
		}
	}
}

// Where a role does not take nulls, and where no file has the column, the fault
// names the column, the files, and what they have.
func TestAbsentIsRefused(t *testing.T) {
	dir := gapLog(t)
	p := gapProtocol()
	p.Log.MissingReward = schemas.MissingError
	_, _, err := ingestAll(t, p, Options{}, dir)
	if e := wantFault(t, err, RuleColumn); e.Column != "reward" || e.File != "b.parquet" || !strings.Contains(e.Mend, "arm, round") {
		t.Errorf("got %v", e)
	}
	p = gapProtocol()
	p.Log.Eligible = "nowhere"
	_, _, err = ingestAll(t, p, Options{}, dir)
	if e := wantFault(t, err, RuleColumn); e.Column != "nowhere" || e.File != "" || e.What != "is in none of the 2 files" || !strings.HasPrefix(e.Mend, "the first has round, arm") {
		t.Errorf("got %v", e)
	}
}

// Ten thousand files may all lack a column: one fault, which names some.
func TestAbsentInMany(t *testing.T) {
	l := &logFiles{inputs: make([]input, 10_000), wants: []want{{name: "reward"}}, absent: make([]absence, 1), groups: make([][]typeGroup, 1), faults: &faults{}}
	l.absent[0] = absence{files: 10_000, first: []string{"a", "b", "c", "d", "e"}, has: []string{"rewrad"}}
	e := l.missing(0)
	if want := `ingest: column "reward": is in none of the 10000 files; did you mean "rewrad"? the first has rewrad`; e.Error() != want {
		t.Errorf("got %v", e)
	}
	l.absent[0].files = 9_999
	if e = l.missing(0); !strings.HasPrefix(e.Error(), `ingest: a: column "reward": is not in 9999 of 10000 files, nor in b, c, d, e and more; did you mean "rewrad"?`) {
		t.Errorf("got %v", e)
	}
	l = &logFiles{inputs: make([]input, 1), wants: l.wants, absent: []absence{{files: 1, first: []string{"a"}, has: []string{"x", "y"}}}, groups: l.groups}
	if e = l.missing(0); e.Error() != `ingest: a: column "reward": is not in the file; the file has x, y` {
		t.Errorf("got %v", e)
	}
}

// A name of several columns gets the mend that goes with it: a map is taken apart
// in SQL, of a struct a field is named.
func TestGroupIsRefused(t *testing.T) {
	type point struct {
		X []float64 `parquet:"x,list"`
		Y []float64 `parquet:"y,list"`
	}
	type row struct {
		Round   int64              `parquet:"round"`
		Arm     string             `parquet:"arm"`
		Reward  float64            `parquet:"reward"`
		Weights map[string]float64 `parquet:"weights"`
		At      point              `parquet:"at"`
	}
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		writeParquet(t, filepath.Join(dir, name+".parquet"), []row{{1, "a", 1, map[string]float64{"k": 1}, point{[]float64{1}, []float64{2}}}})
	}
	for column, want := range map[string]string{
		"weights": `ingest: a.parquet: column "weights": is a map, and maps are not read (and in 2 more files: b.parquet, c.parquet); take one key of it in SQL, such as weights['KEY'], and name the column that has it`,
		"at":      `ingest: a.parquet: column "at": is a group of several columns (and in 2 more files: b.parquet, c.parquet); name one of them, such as "at.x" or "at.y"`,
	} {
		p := wideProtocol()
		p.Log.Propensity = column
		_, _, err := ingestAll(t, p, Options{}, dir)
		if e := wantFault(t, err, RuleColumn); e.Error() != want {
			t.Errorf("got %v", e)
		}
	}
}
