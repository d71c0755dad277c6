package pages

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
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
	}
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

// Files by DuckDB 2.0.0 and pyarrow 26.0.1 (testdata/parquet/make.py), in every
// codec, encoding and page version that is read, hold what they were made of.
func TestFixtures(t *testing.T) {
	expected := readExpected(t)
	for name, e := range expected.Files {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(fixtures, name))
			if err != nil {
				t.Fatal(err)
			}
			budget := NewBudget(testBudget)
			f, err := openBytes(data, budget)
			if err != nil {
				t.Fatal(err)
			}
			for _, column := range e.Columns {
				c, err := f.Column(column)
				if err != nil {
					t.Error(err)
					continue
				}
				for _, step := range []int{7, 1000} {
					got, err := values(f, c, step)
					if err != nil {
						t.Errorf("%s: %v", column, err)
						continue
					}
					compare(t, column, got, expected.Tables[e.Table][column])
				}
			}
			f.Close()
			noLeak(t, budget)
		})
	}
	if len(expected.Files) < 15 {
		t.Errorf("%d files", len(expected.Files))
	}
}

func compare(t *testing.T, column string, got, want []any) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d values, not %d", column, len(got), len(want))
		return
	}
	for i := range got {
		if !same(got[i], want[i]) {
			t.Errorf("%s: row %d is %v, not %v", column, i, got[i], want[i])
			return
		}
	}
}

func same(got, want any) bool {
	if items, ok := want.([]any); ok {
		l, isList := got.(list)
		if !isList || l.length != len(items) {
			return false
		}
		holes := false
		for k, item := range items {
			holes = holes || item == nil
			if k < listWidth && !same(l.kept[k], orZero(item)) {
				return false
			}
		}
		return l.holes == holes
	}
	number, ok := want.(json.Number)
	if !ok {
		return got == want
	}
	switch v := got.(type) {
	case float64:
		w, err := number.Float64()
		return err == nil && math.Float64bits(v) == math.Float64bits(w)
	case int64:
		return number.String() == strconv.FormatInt(v, 10)
	case uint64:
		return number.String() == strconv.FormatUint(v, 10)
	}
	return false
}

func orZero(item any) any {
	if item == nil {
		return json.Number("0")
	}
	return item
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
			"matrix": "nested lists of DOUBLE", "blob": "BYTE_ARRAY",
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
	f, err := openBytes(data, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func TestUnreadable(t *testing.T) {
	f := openFixture(t, "duckdb-odd.parquet")
	for _, name := range []string{"dec9", "dec18", "dec38", "clock", "id", "doc", "matrix", "span"} {
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
	if _, err := f.Column("map"); !errors.Is(err, ErrNoColumn) || !strings.Contains(err.Error(), "several") {
		t.Errorf("a map: %v", err)
	}
	if _, err := f.Column("nothing"); !errors.Is(err, ErrNoColumn) {
		t.Errorf("no column: %v", err)
	}
}
