package ingest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// day is a row of a log whose other columns are in its path.
type day struct {
	Round  int64   `parquet:"round"`
	Reward float64 `parquet:"reward"`
}

func dayProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "exp"},
		Log:    schemas.Log{Order: []string{"dt", "round"}, Action: "arm", Reward: "reward", Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "hour"}, {Column: "land", Levels: []string{"DE", "FR"}}}}},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

// Partitions are columns of any role that takes one value per row; files come
// by URI, so that dt puts them in another order than they are read in.
func TestHive(t *testing.T) {
	dir := t.TempDir()
	for path, rows := range map[string][]day{
		"exp=7/arm=b/dt=2026-11-02/hour=08/land=DE/x.parquet":  {{1, 0.5}, {2, 1}},
		"exp=7/arm=a/dt=2026-11-03/hour=10/land=FR/x.parquet":  {{1, 0.25}},
		"exp=7/arm=c/dt=2026-11-01/hour=23/land=DE/x.parquet":  {{5, 0.125}},
		"exp=10/arm=a/dt=2026-11-01/hour=0/land=FR/x.parquet":  {{1, 0}},
		"exp=10/arm=%63/dt=2026-11-02/hour=1/land=FR/x.pq":     {{1, 1}},
		"exp=10/arm=c/dt=2026-11-02/hour=2/land=FR/y/part-0-3": {{2, 1}},
	} {
		ingesttest.WriteParquet(t, filepath.Join(dir, path), rows)
	}
	got, m := taken(t, dayProtocol(), dir)
	want := []contents{
		{ID: "7", Round: []int64{1, 2, 3, 4}, Arm: []int32{2, 1, 1, 0}, Reward: []float64{0.125, 0.5, 1, 0.25}, X: [][]float64{{23, 8, 8, 10}, {0, 0, 0, 1}}},
		{ID: "10", Round: []int64{1, 2, 3}, Arm: []int32{0, 2, 2}, Reward: []float64{0, 1, 1}, X: [][]float64{{0, 1, 2}, {1, 1, 1}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	types := map[string]string{}
	for _, c := range m.Columns {
		types[c.Column] = c.Type
	}
	if types["exp"] != "partition of whole numbers" || types["dt"] != "partition of text" || types["hour"] != "partition of whole numbers" || types["round"] != "INT64 (int64)" {
		t.Errorf("got %v", types)
	}
}

// A null partition is a null, under the same rules as in a file.
func TestHiveNull(t *testing.T) {
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("exp=7/arm=a/dt=1/hour=1/land=__HIVE_DEFAULT_PARTITION__/x.parquet")), []day{{1, 0}, {2, 0}})
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("exp=7/arm=__HIVE_DEFAULT_PARTITION__/dt=2/hour=1/land=DE/x.parquet")), []day{{1, 0}})
	_, _, err := ingestAll(t, dayProtocol(), Options{}, dir)
	nulls := map[string]int64{}
	for _, e := range ingesttest.InputErrors(err) {
		if e.Rule != fault.RuleNull {
			t.Errorf("got %v", e)
		}
		nulls[e.Column] = e.Count
	}
	if diff := cmp.Diff(map[string]int64{"land": 2, "arm": 1}, nulls); diff != "" {
		t.Error(diff)
	}
}

// A column of the file wins over a partition of its name.
func TestHiveOwnColumnWins(t *testing.T) {
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("arm=zzz/x.parquet")), ingesttest.Events(6))
	got, _ := taken(t, protocol(), dir)
	if diff := cmp.Diff([]int32{0, 1, 2, 0, 1, 2}, got[0].Arm); diff != "" {
		t.Error(diff)
	}
}

// A key that some paths do not have is a missing column, and one that a path
// has twice is no column at all.
func TestHiveRefuses(t *testing.T) {
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("exp=1/arm=a/dt=1/hour=1/land=DE/x.parquet")), []day{{1, 0}})
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("exp=1/arm=a/dt=1/land=DE/x.parquet")), []day{{1, 0}})
	_, _, err := ingestAll(t, dayProtocol(), Options{}, dir)
	if e := ingesttest.WantFault(t, err, fault.RuleColumn); e.Column != "hour" || e.File != "exp=1/arm=a/dt=1/land=DE/x.parquet" || !strings.Contains(e.Mend, "dt, land") {
		t.Errorf("got %v", e)
	}
	dir = t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("exp=1/arm=a/dt=1/hour=1/hour=2/land=DE/x.parquet")), []day{{1, 0}})
	if e := refused(t, dayProtocol(), fault.RuleTwice, dir); e.Column != "hour" {
		t.Errorf("got %v", e)
	}
}
