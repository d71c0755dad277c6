package ingest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// gapRow is a row of a log that has a column for every role.
type gapRow struct {
	Exp      string      `parquet:"exp"`
	Round    int64       `parquet:"round"`
	Arm      string      `parquet:"arm"`
	Reward   *float64    `parquet:"reward,optional"`
	P        float64     `parquet:"p"`
	Probs    []float64   `parquet:"probs,list"`
	Age      float64     `parquet:"age"`
	Features []float64   `parquet:"features,list"`
	ByArm    [][]float64 `parquet:"by_arm,list"`
	Rewards  []float64   `parquet:"rewards,list"`
	Released []float64   `parquet:"released,list"`
	Scores   []float64   `parquet:"scores,list"`
	Can      []string    `parquet:"can,optional,list"`
	Known    *int64      `parquet:"known,optional"`
	Day      string      `parquet:"day"`
	User     string      `parquet:"user"`
	Draws    int64       `parquet:"draws"`
	Leaf     int64       `parquet:"leaf"`
	When     time.Time   `parquet:"when,timestamp(millisecond)"`
	Kept     float64     `parquet:"kept"`
}

func gapRows(from int64) []gapRow {
	row := func(round int64, arm string, reward *float64, known *int64, can ...string) gapRow {
		return gapRow{
			Exp: "e", Round: round, Arm: arm, Reward: reward, P: 0.5, Probs: []float64{0.5, 0.5}, Age: 1, Features: []float64{1, 2}, ByArm: [][]float64{{1}, {2}},
			Rewards: []float64{0, 1}, Released: []float64{1, 2}, Scores: []float64{1, 2}, Can: can, Known: known, Day: "d", User: "u", Draws: 100, Kept: 0.5, When: time.Unix(round, 0),
		}
	}
	return []gapRow{row(from, "a", new(0.5), new(from), "a", "b"), row(from+1, "b", new(1.0), nil, "b"), row(from+2, "b", nil, nil)}
}

func gapProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "exp"}, Arms: []string{"a", "b"},
		Log: schemas.Log{
			Order: []string{"round"}, Action: "arm", Reward: "reward", Propensity: "p", PropensityByArm: "probs",
			Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "age"}}}, ReleasedByArm: "released", ScoreByArm: "scores", Eligible: "can", RewardOrder: "known",
			Batch: "day", Unit: "user", PropensityDraws: &schemas.Draws{Column: "draws"}, KeepProb: &schemas.KeepProb{Column: "kept"}, MissingReward: schemas.MissingExclude,
		},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
		Draw:   &schemas.Draw{Hash: schemas.HashGrowthBook1, Unit: "user"},
	}
}

// gapProtocols name between them a column for every role.
func gapProtocols() []*schemas.Protocol {
	list, byArm := gapProtocol(), gapProtocol()
	list.Log.Context = schemas.Context{List: "features"}
	byArm.Log.Context, byArm.Log.ContextByArm = schemas.Context{}, "by_arm"
	byArm.Log.Reward, byArm.Log.RewardByArm = "", "rewards"
	strata := gapProtocol()
	strata.Log.ReleasedByArm, strata.Draw = "", nil
	strata.Policy = &schemas.Policy{Name: "uniform", By: "leaf"}
	clock := gapProtocol()
	clock.Draw, clock.Log.Batch, clock.Log.RewardOrder, clock.Log.Order = nil, "", "", []string{"when", "round"}
	clock.Policy = &schemas.Policy{Name: "uniform", Update: &schemas.Update{Batch: true, Period: "1h", Clock: "when"}}
	return []*schemas.Protocol{gapProtocol(), list, byArm, strata, clock}
}

// gapLog is a log of two files, of which the second lacks a column.
func gapLog(tb testing.TB, without string) string {
	tb.Helper()
	dir := tb.TempDir()
	ingesttest.WriteParquet(tb, filepath.Join(dir, "a.parquet"), gapRows(1))
	group := parquet.Group{}
	for _, f := range parquet.SchemaOf(gapRow{}).Fields() {
		if f.Name() != without {
			group[f.Name()] = f
		}
	}
	rows := gapRows(4)
	ingesttest.WriteParquet(tb, filepath.Join(dir, "b.parquet"), rows, parquet.NewSchema("log", group))
	return dir
}

// A file without a declared column is refused by name, whatever the column is
// for: nothing that is absent is read as null. Inspect says what Ingest says.
func TestAbsentIsRefused(t *testing.T) {
	seen := map[role.Role]bool{}
	for _, p := range gapProtocols() {
		if _, _, err := ingestAll(t, p, Options{}, gapLog(t, "")); err != nil {
			t.Fatalf("with every column: %v", err)
		}
		ws, err := role.All().Wanted(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ws {
			seen[w.Role] = true
			dir := gapLog(t, w.Name)
			_, _, err := ingestAll(t, p, Options{}, dir)
			if e := ingesttest.WantFault(t, err, fault.RuleColumn); e.Column != w.Name || e.File != "b.parquet" || !strings.HasPrefix(e.What, "is not in the file") || !strings.HasPrefix(e.Mend, "write it into every file") {
				t.Errorf("%s: got %v", w.Role, e)
			}
			src, lost := files.Discover(t.Context(), []string{dir})
			if lost != nil {
				t.Fatal(lost)
			}
			if _, again := Inspect(t.Context(), p, src, Options{}); again == nil || again.Error() != err.Error() {
				t.Errorf("%s: Inspect says %v, Ingest %v", w.Role, again, err)
			}
		}
	}
	for _, c := range role.All() {
		if !seen[c.Role] && c.Role != role.Target {
			t.Errorf("no file lacks a column for role %s", c.Role)
		}
	}
}

// Where no file has the column, the fault names what the first of them has.
func TestAbsentInAll(t *testing.T) {
	p := gapProtocol()
	p.Log.Eligible = "nowhere"
	if e := refused(t, p, fault.RuleColumn, gapLog(t, "")); e.Column != "nowhere" || e.File != "" || e.What != "is in none of the 2 files, and log.eligible of the protocol names it" || !strings.HasPrefix(e.Mend, "the first has exp, round, arm") {
		t.Errorf("got %v", e)
	}
}

// Nulls in eligible and reward_order have a meaning, and are counted by arm,
// whether rows come in order or are sorted.
func TestNullsAreCounted(t *testing.T) {
	inOrder := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(inOrder, "log.parquet"), slices.Concat(gapRows(1), gapRows(4)))
	sorted := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(sorted, "log.parquet"), slices.Concat(gapRows(4), gapRows(1)))
	want := []schemas.ArmCount{
		{Reason: schemas.ReasonAll, Arm: 1, Rows: 2}, {Reason: schemas.ReasonMissing, Arm: 1, Rows: 2}, {Reason: schemas.ReasonNever, Arm: 1, Rows: 4},
	}
	for _, dir := range []string{inOrder, sorted} {
		_, m := taken(t, gapProtocol(), dir)
		if diff := cmp.Diff(want, m.Experiments[0].Counts); diff != "" {
			t.Error(diff)
		}
	}
}

// Ten thousand files may all lack a column: one fault, which names some.
func TestAbsentInMany(t *testing.T) {
	l := &logFiles{inputs: make([]input, 10_000), wants: []role.Want{wantOf(role.Reward, "reward")}, absent: make([]absence, 1), groups: make([][]cell.Typed, 1), faults: &fault.List{}}
	l.absent[0] = absence{files: 10_000, first: []string{"a", "b", "c", "d", "e"}, has: []string{"rewrad"}}
	e := l.missing(0)
	if want := `ingest: column "reward": is in none of the 10000 files, and log.reward of the protocol names it; did you mean "rewrad"? the first has rewrad; name one of these there, or write the column`; e.Error() != want {
		t.Errorf("got %v", e)
	}
	l.absent[0].files = 9_999
	if e = l.missing(0); !strings.HasPrefix(e.Error(), `ingest: a: column "reward": is not in 9999 of 10000 files, nor in b, c, d, e and more, and log.reward of the protocol names it; did you mean "rewrad"?`) {
		t.Errorf("got %v", e)
	}
	l.faults.At = func(key string) string { return "p.yaml:7:3, " + key }
	if e = l.missing(0); !strings.Contains(e.Error(), "and log.reward (p.yaml:7:3, log.reward) names it; did you") {
		t.Errorf("got %v", e)
	}
	l = &logFiles{faults: &fault.List{}, inputs: make([]input, 1), wants: l.wants, absent: []absence{{files: 1, first: []string{"a"}, has: []string{"x", "y"}}}, groups: l.groups}
	if e = l.missing(0); e.Error() != `ingest: a: column "reward": is not in the file, and log.reward of the protocol names it; the file has x, y; name one of these there, or write the column` {
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
		ingesttest.WriteParquet(t, filepath.Join(dir, name+".parquet"), []row{{1, "a", 1, map[string]float64{"k": 1}, point{[]float64{1}, []float64{2}}}})
	}
	for column, want := range map[string]string{
		"weights": `ingest: a.parquet: column "weights": is a map, and maps are not read (and in 2 more files: b.parquet, c.parquet); take one key of it in SQL, such as weights['KEY'], and name the column that has it`,
		"at":      `ingest: a.parquet: column "at": is a group of several columns (and in 2 more files: b.parquet, c.parquet); name one of them, such as "at.x" or "at.y"`,
	} {
		p := wideProtocol()
		p.Log.Propensity = column
		if e := refused(t, p, fault.RuleColumn, dir); e.Error() != want {
			t.Errorf("got %v", e)
		}
	}
}
