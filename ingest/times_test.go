package ingest

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
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

// spanRow is a row of a log of several experiments with times of several types.
type spanRow struct {
	Exp   string `parquet:"exp"`
	Text  string `parquet:"text"`
	Word  string `parquet:"word"`
	Local int64  `parquet:"local,timestamp(millisecond:local)"`
	UTC   int64  `parquet:"utc,timestamp(microsecond:utc)"`
	Day   int32  `parquet:"day,date"`
	Clock int64  `parquet:"clock,time(microsecond)"`
	Count int64  `parquet:"count"`
	Arm   int64  `parquet:"arm"`
	Y     bool   `parquet:"y"`
}

// The span of each experiment is that of the first order column that holds times, whatever
// its type and place, and in whatever order rows and files come.
func TestSpansOfExperiments(t *testing.T) {
	texts := []string{"2026-01-03 10:00:00+01:00", "2026-01-03 10:00:00.25+01:00", "2026-02-01 23:00:00+01:00"}
	var rows []spanRow
	for i := range 6 {
		rows = append(rows, spanRow{
			Exp: string(rune('a' + i/3)), Text: texts[i%3], Word: []string{"2026-01-03", "x", "y"}[i%3], Local: int64(i) * 1500, UTC: int64(i) * 1500, Day: int32(20456 + i),
			Clock: int64(i), Count: int64(i), Arm: int64(i % 2),
		})
	}
	for _, c := range []struct {
		order string
		want  string // of both experiments
	}{
		{"text count", "2026-01-03T09:00:00Z 2026-02-01T22:00:00Z, 2026-01-03T09:00:00Z 2026-02-01T22:00:00Z"},
		{"local", "1970-01-01T00:00:00Z 1970-01-01T00:00:03Z, 1970-01-01T00:00:04.5Z 1970-01-01T00:00:07.5Z"},
		{"count utc", "1970-01-01T00:00:00Z 1970-01-01T00:00:00.003Z, 1970-01-01T00:00:00.0045Z 1970-01-01T00:00:00.0075Z"},
		{"day text", "2026-01-03T00:00:00Z 2026-01-05T00:00:00Z, 2026-01-06T00:00:00Z 2026-01-08T00:00:00Z"},
		{"word day", "2026-01-03T00:00:00Z 2026-01-05T00:00:00Z, 2026-01-06T00:00:00Z 2026-01-08T00:00:00Z"},
		{"clock count", " ,  "},
		{"word", " ,  "},
	} {
		for _, jobs := range []int{1, 3} {
			for _, reverse := range []bool{false, true} {
				some := slices.Clone(rows)
				if reverse {
					slices.Reverse(some)
				}
				dir := t.TempDir()
				ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), some[:2])
				ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), some[2:])
				p := timesProtocol(strings.Fields(c.order)...)
				p.Experiment, p.Log.Propensity = schemas.ExperimentSpec{Column: "exp"}, ""
				_, m, err := ingestAll(t, p, Options{Jobs: jobs}, dir)
				if err != nil {
					t.Fatal(err)
				}
				e := m.Experiments
				if got := e[0].FirstTime + " " + e[0].LastTime + ", " + e[1].FirstTime + " " + e[1].LastTime; got != c.want {
					t.Errorf("%s, %d jobs: %s", c.order, jobs, got)
				}
			}
		}
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
	all, m := taken(t, openBanditProtocol(), path)
	got := all[0].Time
	if e := m.Experiments[0]; e.FirstTime != "2019-11-24T00:01:03.979311Z" || e.LastTime != "2019-11-30T23:59:21.58653Z" {
		t.Errorf("from %s to %s", e.FirstTime, e.LastTime)
	}
	if len(got) != 10_000 || got[0] != 1574553663979311000 || got[9999] != 1575158361586530000 {
		t.Errorf("%d times, from %d to %d", len(got), got[0], got[len(got)-1])
	}
}
