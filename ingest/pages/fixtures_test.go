package pages

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const fixtures = "../../testdata/parquet"

// expectation is expected.json: see make.py beside it.
type expectation struct {
	Tables map[string]map[string][]any
	Files  map[string]struct {
		Table   string
		Columns []string
		Own     map[string][]any
		Unread  []string
	}
}

// of is what a column of a file must read as.
func (e expectation) of(file, column string) ([]any, bool) {
	if own, ok := e.Files[file].Own[column]; ok {
		return own, true
	}
	values, ok := e.Tables[e.Files[file].Table][column]
	return values, ok
}

func readExpected(tb testing.TB) expectation {
	tb.Helper()
	file, err := os.Open(filepath.Join(fixtures, "expected.json"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var e expectation
	dec := json.NewDecoder(file)
	dec.UseNumber()
	if err := dec.Decode(&e); err != nil {
		tb.Fatal(err)
	}
	return e
}

// Files by DuckDB 2.0.0, pyarrow 26.0.1, parquet-go v0.32.0 and Spark 4.3.0
// (testdata/parquet/make.py), of every type, codec, encoding and page version
// that is read, hold what they were made of. There is no file without an
// expectation, and no column of a file but those that it says are not read.
func TestFixtures(t *testing.T) {
	expected := readExpected(t)
	files, err := filepath.Glob(filepath.Join(fixtures, "*.parquet"))
	if err != nil || len(files) != len(expected.Files) || len(files) < 70 {
		t.Errorf("%d files, %d of them expected, %v", len(files), len(expected.Files), err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		if _, ok := expected.Files[name]; !ok {
			t.Errorf("%s has no expectation", name)
			continue
		}
		t.Run(name, func(t *testing.T) { checkFixture(t, name, expected) })
	}
}

func checkFixture(t *testing.T, name string, expected expectation) {
	t.Helper()
	budget := NewBudget(testBudget)
	f := openedBytes(t, readFixture(t, name), budget)
	seen := make([]bool, len(f.Columns()))
	for _, column := range expected.Files[name].Columns {
		c, err := f.Column(column)
		if err != nil {
			t.Error(err)
			continue
		}
		seen[c.index] = true
		want, ok := expected.of(name, column)
		if !ok {
			t.Errorf("%s is not expected to be anything", column)
		}
		for _, step := range []int{1, 7, 1000} {
			got, err := values(f, c, step)
			if err != nil {
				t.Errorf("%s (%s): %v", column, c.Type, err)
				break
			}
			compare(t, c, got, want)
		}
	}
	for i, c := range f.Columns() {
		if !seen[i] && !slices.Contains(expected.Files[name].Unread, c.Path) && !slices.ContainsFunc(c.parents, func(p string) bool { return slices.Contains(expected.Files[name].Unread, p) }) {
			t.Errorf("%s (%s) is not expected to be anything", c.Path, c.Type)
		}
	}
	f.Close()
	noLeak(t, budget)
}

func TestFixtureTypes(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"pyarrow-snappy.parquet": {
			"round": "INT64", "ts": "INT64 (timestamp, microseconds, local)", "day": "INT32 (date)", "action": "BYTE_ARRAY (string)",
			"small": "INT32 (int8)", "u32": "INT32 (uint32)", "clicked": "BOOLEAN", "score": "FLOAT", "features": "list of DOUBLE",
		},
		"pyarrow-gzip-v1.parquet": {"round": "INT64", "features": "list of DOUBLE"},
		"pyarrow-nested.parquet":  {"context.age": "DOUBLE", "context.n": "INT32", "narrow": "list of FLOAT"},
		"duckdb-snappy.parquet":   {"u8": "INT32 (uint8)", "u64": "INT64 (uint64)", "day": "INT32 (date)"},
		"duckdb-odd.parquet": {
			"dec9": "INT32 (decimal(9,2))", "dec18": "INT64 (decimal(18,2))", "dec38": "FIXED_LEN_BYTE_ARRAY (decimal(38,2))",
			"matrix": "nested lists of DOUBLE", "blob": "BYTE_ARRAY", "clock": "INT64 (time, microseconds, local)", "id": "FIXED_LEN_BYTE_ARRAY (UUID)", "doc": "BYTE_ARRAY (JSON)",
		},
	} {
		f := openFixture(t, name)
		for column, typ := range want {
			c, err := f.Column(column)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if c.Type != typ {
				t.Errorf("%s: %s is %q, not %q", name, column, c.Type, typ)
			}
		}
	}
}

func openFixture(tb testing.TB, name string) *File {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(fixtures, name))
	if err != nil {
		tb.Fatal(err)
	}
	f := openedBytes(tb, data, nil)
	return f
}

func TestUnreadable(t *testing.T) {
	f := openFixture(t, "duckdb-odd.parquet")
	for _, name := range []string{"span"} {
		c, err := f.Column(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Readable() {
			t.Errorf("%s (%s) is said to be readable", name, c.Type)
		}
		var format *FormatError
		if _, err := f.Cursor(0, c); !errors.As(err, &format) || !strings.Contains(err.Error(), c.Type) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := f.List(0, c, 1); !errors.As(err, &format) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"map", "map.key_value"} {
		_, err := f.Column(name)
		if group, ok := errors.AsType[*GroupError](err); !ok || !group.Map || !errors.Is(err, ErrNoColumn) || !strings.Contains(err.Error(), "several") {
			t.Errorf("a map: %v", err)
		}
	}
	if _, err := f.Column("nothing"); !errors.Is(err, ErrNoColumn) {
		t.Errorf("no column: %v", err)
	}
}
