package ingest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

func TestPartitions(t *testing.T) {
	for path, want := range map[string][]Partition{
		"/r/x.parquet":                            nil,
		"/r/dt=2026-11-01/x.parquet":              {{Key: "dt", Value: "2026-11-01"}},
		"/r/a=1/b=2/x.parquet":                    {{Key: "a", Value: "1"}, {Key: "b", Value: "2"}},
		"/r/a=1/plain/b=2/x.parquet":              {{Key: "a", Value: "1"}, {Key: "b", Value: "2"}},
		"/r/land=S%C3%A3o%20Tom%C3%A9/x.parquet":  {{Key: "land", Value: "São Tomé"}},
		"/r/a%3Db=c%2Fd/x.parquet":                {{Key: "a=b", Value: "c/d"}},
		"/r/a=50%/x.parquet":                      {{Key: "a", Value: "50%"}},
		"/r/a=50%25%/x.parquet":                   {{Key: "a", Value: "50%%"}},
		"/r/a=a%zzb%20c/x.parquet":                {{Key: "a", Value: "a%zzb c"}},
		"/r/a=%2/x.parquet":                       {{Key: "a", Value: "%2"}},
		"/r/a=%%41%4/x.parquet":                   {{Key: "a", Value: "%A%4"}},
		"/r/a=%2541/x.parquet":                    {{Key: "a", Value: "%41"}},
		"/r/a=b+c/x.parquet":                      {{Key: "a", Value: "b+c"}},
		"/r/a=b=c/x.parquet":                      {{Key: "a", Value: "b=c"}},
		"/r/a=__HIVE_DEFAULT_PARTITION__/x":       {{Key: "a", Null: true}},
		"/r/a=/x.parquet":                         {{Key: "a"}},
		"/r/=a/x.parquet":                         nil,
		"/r/a=1.parquet":                          nil,
		"/other/above=1/plain/c=2/dt=3/x.parquet": {{Key: "c", Value: "2"}, {Key: "dt", Value: "3"}},
	} {
		root := "/r"
		if strings.HasPrefix(path, "/other") { // the root is a partition itself
			root = "/other/above=1/plain/c=2"
		}
		if diff := cmp.Diff(want, partitions(root, filepath.FromSlash(path))); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

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
		writeParquet(t, filepath.Join(dir, path), rows)
	}
	got, m, err := ingestAll(t, dayProtocol(), Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
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
	writeParquet(t, filepath.Join(dir, filepath.FromSlash("exp=7/arm=a/dt=1/hour=1/land=__HIVE_DEFAULT_PARTITION__/x.parquet")), []day{{1, 0}, {2, 0}})
	writeParquet(t, filepath.Join(dir, filepath.FromSlash("exp=7/arm=__HIVE_DEFAULT_PARTITION__/dt=2/hour=1/land=DE/x.parquet")), []day{{1, 0}})
	_, _, err := ingestAll(t, dayProtocol(), Options{}, dir)
	nulls := map[string]int64{}
	for _, e := range inputErrors(err) {
		if e.Rule != RuleNull {
			t.Errorf("got %v", e)
		}
		nulls[e.Column] = e.Count
	}
	if diff := cmp.Diff(map[string]int64{"land": 2, "arm": 1}, nulls); diff != "" {
		t.Error(diff)
	}
}

// Values that are written in two ways, or are not all numbers, stay text.
func TestHiveText(t *testing.T) {
	for name, tc := range map[string]struct {
		values []string
		typ    string
	}{
		"numbers":                 {[]string{"1", "-2", "10"}, "partition of whole numbers"},
		"padded numbers":          {[]string{"01", "02", "10"}, "partition of whole numbers"},
		"numbers and null":        {[]string{"1", "__HIVE_DEFAULT_PARTITION__"}, "partition of whole numbers"},
		"a number in two ways":    {[]string{"7", "07"}, "partition of text"},
		"numbers and text":        {[]string{"1", "x"}, "partition of text"},
		"numbers and nothing":     {[]string{"1", ""}, "partition of text"},
		"beyond 64 bits":          {[]string{"1", "9223372036854775808"}, "partition of text"},
		"null alone":              {[]string{"__HIVE_DEFAULT_PARTITION__"}, "partition of text"},
		"the largest and least":   {[]string{"9223372036854775807", "-9223372036854775808"}, "partition of whole numbers"},
		"numbers with a fraction": {[]string{"1.5", "2"}, "partition of text"},
	} {
		keys := partitionKeys{}
		for _, v := range tc.values {
			keys.add(partitions("/r", "/r/k="+v+"/x.parquet"))
		}
		if got := keys["k"].column("k").Type; got != tc.typ {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A column of the file wins over a partition of its name.
func TestHiveOwnColumnWins(t *testing.T) {
	dir := t.TempDir()
	writeParquet(t, filepath.Join(dir, filepath.FromSlash("arm=zzz/x.parquet")), events(6))
	got, _, err := ingestAll(t, protocol(), Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{0, 1, 2, 0, 1, 2}, got[0].Arm); diff != "" {
		t.Error(diff)
	}
}

// A key that some paths do not have is a missing column, and one that a path
// has twice is no column at all.
func TestHiveRefuses(t *testing.T) {
	dir := t.TempDir()
	writeParquet(t, filepath.Join(dir, filepath.FromSlash("exp=1/arm=a/dt=1/hour=1/land=DE/x.parquet")), []day{{1, 0}})
	writeParquet(t, filepath.Join(dir, filepath.FromSlash("exp=1/arm=a/dt=1/land=DE/x.parquet")), []day{{1, 0}})
	_, _, err := ingestAll(t, dayProtocol(), Options{}, dir)
	if e := wantFault(t, err, RuleColumn); e.Column != "hour" || e.File != "exp=1/arm=a/dt=1/land=DE/x.parquet" || !strings.Contains(e.Mend, "dt, land") {
		t.Errorf("got %v", e)
	}
	dir = t.TempDir()
	writeParquet(t, filepath.Join(dir, filepath.FromSlash("exp=1/arm=a/dt=1/hour=1/hour=2/land=DE/x.parquet")), []day{{1, 0}})
	_, _, err = ingestAll(t, dayProtocol(), Options{}, dir)
	if e := wantFault(t, err, RuleTwice); e.Column != "hour" {
		t.Errorf("got %v", e)
	}
}

func FuzzPartition(f *testing.F) {
	for _, s := range []string{"", "=", "a=b", "a=%", "a=%zz", "a=%00", "a=\xff", "%3D=="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		p, ok := partition(name)
		if ok && p.Key == "" || !ok && strings.Index(name, "=") > 0 {
			t.Errorf("%q: %+v, %v", name, p, ok)
		}
	})
}
