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

type atMilli struct {
	At     int64   `parquet:"at,timestamp(millisecond:utc)"`
	Arm    string  `parquet:"arm"`
	Reward float64 `parquet:"reward"`
}

type atMicro struct {
	At     int64   `parquet:"at,timestamp(microsecond:utc)"`
	Arm    string  `parquet:"arm"`
	Reward float64 `parquet:"reward"`
}

type atNano struct {
	At     int64   `parquet:"at,timestamp(nanosecond:utc)"`
	Arm    string  `parquet:"arm"`
	Reward float64 `parquet:"reward"`
}

func atProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log:    schemas.Log{Order: []string{"at"}, Action: "arm", Reward: "reward"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

// Times of three units are brought to the finest of them, whichever comes
// first: the rows of the three files interleave.
func TestUnifyUnits(t *testing.T) {
	milli := []atMilli{{-2, "a", 0}, {1, "b", 0.125}, {3, "c", 0.25}}
	micro := []atMicro{{-1_999, "d", 0.375}, {1_001, "e", 0.5}, {2_999, "f", 0.625}}
	nano := []atNano{{-1_999_001, "g", 0.75}, {1_000_999, "h", 0.875}, {3_000_001, "i", 1}}
	for _, names := range [][3]string{{"a", "b", "c"}, {"c", "b", "a"}, {"b", "c", "a"}} {
		dir := t.TempDir()
		ingesttest.WriteParquet(t, filepath.Join(dir, names[0]+".parquet"), milli)
		ingesttest.WriteParquet(t, filepath.Join(dir, names[1]+".parquet"), micro)
		ingesttest.WriteParquet(t, filepath.Join(dir, names[2]+".parquet"), nano)
		got, _ := taken(t, atProtocol(), dir)
		// by time: −2 ms (a), −1,999.001 µs (g), −1,999 µs (d), 1 ms (b), 1,000.999 µs (h), …
		if diff := cmp.Diff([]float64{0, 0.75, 0.375, 0.125, 0.875, 0.5, 0.625, 0.25, 1}, got[0].Reward); diff != "" {
			t.Errorf("%v: %s", names, diff)
		}
	}
}

// What a finer unit does not hold is refused, and only then.
func TestUnifyOverflow(t *testing.T) {
	far := int64(9_223_372_036_854) // ms; in ns it leaves 64 bits from …855 on
	for name, tc := range map[string]struct {
		at   int64
		fits bool
	}{"the last": {far, true}, "the first beyond": {far + 1, false}, "the least": {-far, true}, "below the least": {-far - 1, false}} {
		dir := t.TempDir()
		ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []atMilli{{tc.at, "a", 0}})
		ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), []atNano{{1, "a", 0}})
		_, _, err := ingestAll(t, atProtocol(), Options{}, dir)
		if tc.fits {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if es := ingesttest.InputErrors(err); len(es) != 1 || es[0].File != "a.parquet" || es[0].Column != "at" {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := t.TempDir() // alone, it is read as it is
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []atMilli{{far + 1, "a", 0}})
	if _, _, err := ingestAll(t, atProtocol(), Options{}, dir); err != nil {
		t.Error(err)
	}
}

// Types that do not compare are refused with both files and both types.
func TestUnifyRefuses(t *testing.T) {
	type date struct {
		At     int32   `parquet:"at,date"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type text struct {
		At     string  `parquet:"at"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type double struct {
		At     float64 `parquet:"at"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type whole struct {
		At     int32   `parquet:"at"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	writers := map[string]func(path string){
		"timestamp": func(path string) { ingesttest.WriteParquet(t, path, []atMicro{{1, "a", 0}}) },
		"date":      func(path string) { ingesttest.WriteParquet(t, path, []date{{1, "a", 0}}) },
		"string":    func(path string) { ingesttest.WriteParquet(t, path, []text{{"1", "a", 0}}) },
		"DOUBLE":    func(path string) { ingesttest.WriteParquet(t, path, []double{{1, "a", 0}}) },
		"INT32":     func(path string) { ingesttest.WriteParquet(t, path, []whole{{1, "a", 0}}) },
	}
	for one, writeOne := range writers {
		for two, writeTwo := range writers {
			dir := t.TempDir()
			writeOne(filepath.Join(dir, "a.parquet"))
			writeTwo(filepath.Join(dir, "b.parquet"))
			_, _, err := ingestAll(t, atProtocol(), Options{}, dir)
			if one == two {
				_ = ingesttest.WantFault(t, err, fault.RuleTie)
				continue
			}
			e := ingesttest.WantFault(t, err, fault.RuleType)
			if e.File != "b.parquet" || !strings.Contains(e.What, "a.parquet has ") || !strings.Contains(e.What, one) || !strings.Contains(e.What, two) {
				t.Errorf("%s and %s: %v", one, two, e)
			}
		}
	}
}

// Decimals of two scales, and whole numbers, are brought to the finer scale.
func TestUnifyDecimals(t *testing.T) {
	type cents struct {
		At     int64   `parquet:"at,decimal(2:10)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type fine struct {
		At     int64   `parquet:"at,decimal(4:18)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type whole struct {
		At     int32   `parquet:"at"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []cents{{-150, "a", 0}, {150, "a", 0.5}})
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), []fine{{-14_999, "a", 0.125}, {14_999, "a", 0.375}, {15_001, "a", 0.625}})
	ingesttest.WriteParquet(t, filepath.Join(dir, "c.parquet"), []whole{{1, "a", 0.25}, {2, "a", 0.75}})
	got, _ := taken(t, atProtocol(), dir)
	if diff := cmp.Diff([]float64{0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75}, got[0].Reward); diff != "" {
		t.Error(diff)
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []cents{{1 << 62, "a", 0}})
	if e := refused(t, atProtocol(), fault.RuleNotExact, dir); e.File != "a.parquet" || e.Column != "at" {
		t.Errorf("got %v", e)
	}
}

// A column that has no type and only nulls in one file takes the type of the
// others; without another file it cannot be read. The file is by pyarrow 26.0.1
// (testdata/parquet/make_types.py).
func TestUnifyNull(t *testing.T) {
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log:    schemas.Log{Order: []string{"int64"}, Ties: schemas.TiesFileOrder, Action: "int32", Reward: "null", MissingReward: schemas.MissingExclude},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	untyped := filepath.Join(fixtures, "pyarrow-types-required.parquet")
	if e := refused(t, p, fault.RuleType, untyped); e.Column != "null" || !strings.Contains(e.What, "in every file") {
		t.Errorf("got %v", e)
	}
	type typed struct {
		Int64 int64   `parquet:"int64"`
		Int32 int32   `parquet:"int32"`
		Null  float64 `parquet:"null"`
	}
	other := filepath.Join(t.TempDir(), "typed.parquet")
	ingesttest.WriteParquet(t, other, []typed{{7, 1, 0.5}})
	got, _ := taken(t, p, untyped, other)
	present := 0
	for _, y := range got[0].Reward {
		if y == 0.5 {
			present++
		}
	}
	if present != 1 || len(got[0].Reward) != 49 {
		t.Errorf("%d of %d rewards", present, len(got[0].Reward))
	}
}
