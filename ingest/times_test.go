package ingest

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// timedRow is a row of a log that is ordered by times of several types.
type timedRow struct {
	Milli int64   `parquet:"milli,timestamp(millisecond)"`
	Micro int64   `parquet:"micro,timestamp(microsecond:utc)"`
	Nano  int64   `parquet:"nano,timestamp(nanosecond)"`
	Day   int32   `parquet:"day,date"`
	Clock int64   `parquet:"clock,time(microsecond)"`
	Count int64   `parquet:"count"`
	Arm   int64   `parquet:"arm"`
	Y     bool    `parquet:"y"`
	P     float64 `parquet:"p"`
}

func timedRows(scale int64) []timedRow {
	rows := make([]timedRow, 10)
	for i := range rows {
		v := int64(i-3) * scale
		rows[i] = timedRow{Milli: v, Micro: v, Nano: v, Day: int32(i - 3), Clock: int64(i), Count: int64(i), Arm: int64(i % 2), P: 0.5}
	}
	return rows
}

// timesOf ingests rows and returns the times that the tableau has.
func timesOf(t *testing.T, rows []timedRow, p *schemas.Protocol) ([]int64, *schemas.Manifest) {
	t.Helper()
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "log.parquet"), rows)
	all, m := taken(t, p, filepath.Join(dir, "log.parquet"))
	return all[0].Time, m
}

func timesProtocol(order ...string) *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log:    schemas.Log{Order: order, Action: "arm", Reward: "y", Propensity: "p"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

// Times are nanoseconds, whatever the unit of the column, and whether or not the
// rows came in order.
func TestTimesOfOrderColumns(t *testing.T) {
	for column, unit := range map[string]int64{"milli": 7e6, "micro": 7e3, "nano": 7, "day": 24 * 3600e9} {
		for _, reverse := range []bool{false, true} {
			rows := timedRows(7)
			if reverse {
				slices.Reverse(rows)
			}
			got, m := timesOf(t, rows, timesProtocol(column, "count"))
			if !m.Time || len(got) != 10 {
				t.Fatalf("%s: %d times", column, len(got))
			}
			for i, v := range got {
				if want := int64(i-3) * unit; v != want {
					t.Errorf("%s: round %d at %d, not %d", column, i+1, v, want)
				}
			}
		}
	}
}

// Nothing is kept that is no point in time, that no propensity is held against,
// or that nanoseconds of 64 bits do not reach.
func TestTimesThatAreNotKept(t *testing.T) {
	bare := timesProtocol("milli")
	bare.Log.Propensity = ""
	for name, tc := range map[string]struct {
		scale int64
		p     *schemas.Protocol
		kept  bool
	}{
		"the last that fits":  {math.MaxInt64 / 1_000_000 / 6, timesProtocol("milli"), true},
		"too late":            {math.MaxInt64/1_000_000/6 + 1, timesProtocol("milli"), false},
		"too early":           {-(math.MaxInt64/1_000_000/6 + 1), timesProtocol("milli"), false},
		"a time of day":       {1, timesProtocol("clock"), false},
		"a number":            {1, timesProtocol("count"), false},
		"a number before it":  {1, timesProtocol("count", "milli"), false},
		"without propensity":  {1, bare, false},
		"with one, as usual":  {1, timesProtocol("milli"), true},
		"a day and a counter": {1, timesProtocol("day", "count"), true},
	} {
		got, m := timesOf(t, timedRows(tc.scale), tc.p)
		if m.Time != tc.kept || (len(got) > 0) != tc.kept {
			t.Errorf("%s: %d times, the manifest says %v", name, len(got), m.Time)
		}
	}
}

// The times of a real log are those of its column: 2019-11-24 00:01:03.979311 to
// 2019-11-30 23:59:21.58653.
func TestOpenBanditTimes(t *testing.T) {
	path := openBanditFile(t, "bts-men.parquet")
	all, _ := taken(t, openBanditProtocol(), path)
	got := all[0].Time
	if len(got) != 10_000 || got[0] != 1574553663979311000 || got[9999] != 1575158361586530000 {
		t.Errorf("%d times, from %d to %d", len(got), got[0], got[len(got)-1])
	}
}
