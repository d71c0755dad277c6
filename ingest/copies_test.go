package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

type copiedRow struct {
	Exp    string `parquet:"exp"`
	Round  int64  `parquet:"round"`
	Arm    string `parquet:"arm"`
	Reward bool   `parquet:"reward"`
}

// putAt writes rows to a file of a directory, and to others with the same bytes.
func putAt(t *testing.T, dir string, rows []copiedRow, names ...string) {
	t.Helper()
	ingesttest.WriteParquet(t, filepath.Join(dir, "first.parquet"), rows)
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, contentOf(t, filepath.Join(dir, "first.parquet")), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "first.parquet")); err != nil {
		t.Fatal(err)
	}
}

// Two inputs with rows and equal bytes are refused with both names, whatever the rule of
// ties and the number of jobs. Files without rows may be equal, and so may files whose
// paths set their rows apart in a column that the protocol names.
func TestCopiesOfFiles(t *testing.T) {
	rows := []copiedRow{{"x", 1, "a", true}, {"x", 2, "b", false}}
	for name, c := range map[string]struct {
		files   []string
		rows    []copiedRow
		order   []string
		refused string // the second of the two; "" for none
	}{
		"copies":                  {[]string{"a.parquet", "b.parquet"}, rows, []string{"round"}, "b.parquet"},
		"of other partitions":     {[]string{"dt=1/a.parquet", "dt=2/a.parquet"}, rows, []string{"round"}, "dt=2/a.parquet"},
		"of partitions named":     {[]string{"dt=1/a.parquet", "dt=2/a.parquet"}, rows, []string{"dt", "round"}, ""},
		"of one partition named":  {[]string{"dt=1/a.parquet", "dt=1/b.parquet"}, rows, []string{"dt", "round"}, "dt=1/b.parquet"},
		"partition in the file":   {[]string{"exp=1/a.parquet", "exp=2/a.parquet"}, rows, []string{"round"}, "exp=2/a.parquet"},
		"files without rows":      {[]string{"a.parquet", "b.parquet", "c.parquet"}, nil, []string{"round"}, ""},
		"of a partition and none": {[]string{"a.parquet", "dt=2/a.parquet"}, rows, []string{"round"}, "dt=2/a.parquet"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			putAt(t, dir, c.rows, c.files...)
			if c.rows == nil {
				ingesttest.WriteParquet(t, filepath.Join(dir, "d.parquet"), rows)
			}
			p := protocol()
			p.Experiment = schemas.ExperimentSpec{Column: "exp"}
			p.Log = schemas.Log{Order: c.order, Action: "arm", Reward: "reward", Ties: schemas.TiesFileOrder}
			_, censused := Census(t.Context(), p, sourcesOf(t, []string{dir}), Options{})
			for _, jobs := range []int{1, 3} {
				_, _, err := ingestAll(t, p, Options{Jobs: jobs}, dir)
				if c.refused == "" {
					if err != nil || censused != nil {
						t.Errorf("%v, census %v", err, censused)
					}
					continue
				}
				for _, err := range []error{err, censused} {
					e := ingesttest.WantFault(t, err, fault.RuleDuplicate)
					if e.File != c.refused || !strings.Contains(e.What, c.files[0]) {
						t.Errorf("%v", e)
					}
				}
			}
		})
	}
}

// A copy is named before the ties that it makes.
func TestCopiesBeforeTies(t *testing.T) {
	dir := t.TempDir()
	putAt(t, dir, []copiedRow{{"x", 1, "a", true}, {"x", 2, "b", false}}, "a.parquet", "b.parquet")
	p := protocol()
	p.Log = schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward"}
	_, _, err := ingestAll(t, p, Options{}, dir)
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "has the same bytes as") || !strings.Contains(lines[1], "ties with") {
		t.Error(err)
	}
}

// A file and its copy that were counted apart are refused where their censuses are merged.
func TestJoinedCopies(t *testing.T) {
	census := func(uri, sha string, rows int64) *schemas.Census {
		return &schemas.Census{Inputs: []schemas.Input{{URI: uri, SHA256: sha, Rows: rows}}}
	}
	for _, c := range []struct {
		one, two *schemas.Census
		refused  bool
	}{
		{census("a", "1", 5), census("b", "1", 5), true},
		{census("a", "1", 0), census("b", "1", 0), false},
		{census("a", "1", 5), census("b", "2", 5), false},
		{census("dt=1/a", "1", 5), census("dt=2/a", "1", 5), false},
		{census("dt=1/a", "1", 5), census("dt=1/b", "1", 5), true},
	} {
		_, err := Join([]*schemas.Census{c.one, c.two})
		e, input := errors.AsType[*fault.InputError](err)
		if input != c.refused || input && (e.Rule != fault.RuleDuplicate || e.File != c.two.Inputs[0].URI) || !input && err != nil {
			t.Errorf("%v and %v: %v", c.one.Inputs, c.two.Inputs, err)
		}
	}
}
