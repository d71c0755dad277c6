package pages

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// bitsTable is the table of testdata/parquet/bits/make.py, as far as all writers have it.
func bitsTable() map[string][]any {
	t := map[string][]any{}
	for i := range 24 {
		var arm, reward any = []string{"red", "green", "blue"}[i%3], float64(i % 2)
		if i%9 == 8 {
			arm = nil
		}
		if i%5 == 4 {
			reward = nil
		}
		t["round"] = append(t["round"], int64(1000+i))
		t["arm"] = append(t["arm"], arm)
		t["reward"] = append(t["reward"], reward)
	}
	return t
}

// Files by six programs read as the one table that they were made of: among
// them parquet-mr's, with row groups padded by zeros to blocks of a file system,
// bloom filters and page indexes, and fastparquet's, whose pages are padded.
func TestHonestWriters(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures, "bits", "*.parquet"))
	if err != nil || len(files) < 9 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range append(files, filepath.Join(fixtures, "honest", "parquet-mr-padded.parquet")) {
		name, err := filepath.Rel(fixtures, path)
		if err != nil {
			t.Fatal(err)
		}
		f := openedBytes(t, readFixture(t, name), nil)
		for column, want := range bitsTable() {
			got, err := values(f, columnOf(t, f, column), 5)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %s is %v, %v", name, column, got, err)
			}
		}
	}
}

// The padded file is what it is said to be: zeros before its row groups, bloom
// filters and page indexes.
func TestPaddedFile(t *testing.T) {
	data := readFixture(t, "honest/parquet-mr-padded.parquet")
	f := openedBytes(t, data, nil)
	blooms, indexes := 0, 0
	for g := range f.Groups() {
		for c := range f.Columns() {
			p := f.meta.place(g, c)
			if p.bloom.from > 0 {
				blooms++
			}
			if p.columnIndex.from > 0 && p.offsetIndex.from > 0 {
				indexes++
			}
		}
	}
	if first := f.meta.place(0, 0); first.data != 4096 || !bytes.Equal(data[4:4096], make([]byte, 4092)) || blooms < 2 || indexes != 20 {
		t.Errorf("data at %d, %d bloom filters, %d page indexes", first.data, blooms, indexes)
	}
}

// Polars writes all categories of an Enum to the dictionary, and indices of no
// bits where rows have the first only.
func TestUnusedCategories(t *testing.T) {
	f := openFixture(t, "honest/polars-enum.parquet")
	got, err := values(f, columnOf(t, f, "arm"), 3)
	if err != nil || len(got) == 0 || slices.ContainsFunc(got, func(v any) bool { return v != "blue" }) {
		t.Errorf("%v, %v", got, err)
	}
}

// Statistics that say less than they seem to are not held against values: the
// older pair, those of another order, the beginnings of texts, and what is not
// comparable.
func TestStatisticsThatDoNotCount(t *testing.T) {
	word, number := []byte("zzz"), binary.LittleEndian.AppendUint64(nil, 1<<63-1)
	nan := binary.LittleEndian.AppendUint64(nil, 0x7FF8000000000000)
	for what, edit := range map[string]func(m *format.FileMetaData, s map[string]*format.Statistics){
		"the older pair": func(_ *format.FileMetaData, s map[string]*format.Statistics) {
			*s["arm"] = format.Statistics{Min: word, Max: word, NullCount: s["arm"].NullCount}
			*s["round"] = format.Statistics{Min: number, Max: number}
		},
		"no order of columns": func(m *format.FileMetaData, s map[string]*format.Statistics) {
			m.ColumnOrders = nil
			s["arm"].MinValue, s["round"].MinValue = word, number
		},
		"a least above the largest": func(_ *format.FileMetaData, s map[string]*format.Statistics) {
			s["arm"].MinValue, s["round"].MinValue = word, number
		},
		"NaN": func(_ *format.FileMetaData, s map[string]*format.Statistics) {
			s["reward"].MinValue, s["reward"].MaxValue = nan, nan
		},
		"a text that may be cut": func(_ *format.FileMetaData, s map[string]*format.Statistics) {
			s["user"].MinValue, s["user"].MaxValue = bytes.Repeat(word, 6), bytes.Repeat(word, 7)
		},
		"a value of another size": func(_ *format.FileMetaData, s map[string]*format.Statistics) {
			s["round"].MinValue, s["round"].MaxValue = number[:4], number[:4]
		},
	} {
		if err := outcome(t, what, withStatistics(t, edit)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// withStatistics is a file by pyarrow with other statistics in its first row
// group. (parquet-go's format does not keep whether a value is whole.)
func withStatistics(t *testing.T, edit func(*format.FileMetaData, map[string]*format.Statistics)) []byte {
	t.Helper()
	data := readFixture(t, "bits/pyarrow.parquet")
	return rebuild(t, data, keep, func(m *format.FileMetaData) {
		s := map[string]*format.Statistics{}
		for i := range m.RowGroups[0].Columns {
			c := &m.RowGroups[0].Columns[i].MetaData
			s[strings.Join(c.PathInSchema, ".")] = &c.Statistics
			for g := range m.RowGroups {
				m.RowGroups[g].Columns[i].OffsetIndexOffset, m.RowGroups[g].Columns[i].ColumnIndexOffset = 0, 0
			}
		}
		edit(m, s)
	})
}

// Statistics that values contradict are refused: of every kind of store, in
// dictionaries and beside them, and the count of nulls.
func TestStatisticsThatContradict(t *testing.T) {
	eight := func(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
	for what, edit := range map[string]func(s map[string]*format.Statistics){
		"a larger integer":  func(s map[string]*format.Statistics) { s["round"].MaxValue = eight(1010) },
		"a smaller integer": func(s map[string]*format.Statistics) { s["round"].MinValue = eight(1001) },
		"a larger number":   func(s map[string]*format.Statistics) { s["reward"].MaxValue = s["reward"].MinValue },
		"a larger text":     func(s map[string]*format.Statistics) { s["arm"].MaxValue = []byte("rec") },
		"a smaller text":    func(s map[string]*format.Statistics) { s["arm"].MinValue = []byte("blue!") },
		"a larger boolean":  func(s map[string]*format.Statistics) { s["clicked"].MaxValue = []byte{0} },
		"a larger decimal":  func(s map[string]*format.Statistics) { s["price"].MaxValue = s["price"].MinValue },
		"a smaller one without a sign": func(s map[string]*format.Statistics) {
			s["small"].MinValue, s["small"].MaxValue = []byte{1, 0, 0, 0}, []byte{255, 255, 255, 255}
		},
		"an item of a list": func(s map[string]*format.Statistics) { s["features.list.element"].MinValue = eight(0x3FF0000000000000) },
		"more nulls":        func(s map[string]*format.Statistics) { s["arm"].NullCount++ },
		"fewer nulls":       func(s map[string]*format.Statistics) { s["reward"].NullCount-- },
		"nulls of none":     func(s map[string]*format.Statistics) { s["round"].NullCount = 1 },
		"nulls of a list":   func(s map[string]*format.Statistics) { s["features.list.element"].NullCount++ },
	} {
		data := withStatistics(t, func(_ *format.FileMetaData, s map[string]*format.Statistics) { edit(s) })
		refused(t, what, data)
		if err := outcome(t, what, data); err == nil || !strings.Contains(err.Error(), "statistics") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Two files one after the other end in one footer, whose places mean the first
// one's pages. Zeros, and texts that hold the magic, are no file.
func TestSecondFile(t *testing.T) {
	for _, name := range []string{
		"bits/pyarrow.parquet", "bits/duckdb.parquet", "bits/parquet-mr.parquet", "bits/fastparquet.parquet", "honest/parquet-mr-padded.parquet",
	} {
		data := readFixture(t, name)
		for what, twice := range map[string][]byte{
			"twice":               slices.Concat(data, data),
			"behind another":      slices.Concat(readFixture(t, "pyarrow-snappy.parquet"), data),
			"behind half of it":   slices.Concat(data[:footerOf(data)], data),
			"before its footer":   slices.Concat(data[:footerOf(data)], data, data[footerOf(data):]),
			"and zeros and again": slices.Concat(data, make([]byte, 1<<17), data),
		} {
			refused(t, name+" "+what, twice)
		}
		if err := outcome(t, name, slices.Concat(data, data)); err == nil || !strings.Contains(err.Error(), "second Parquet file") {
			t.Errorf("%s twice: %v", name, err)
		}
		for what, between := range map[string][]byte{
			"zeros":     make([]byte, 1<<17+3),
			"the magic": []byte("PAR1 is what a text may say, PAR1"),
		} {
			if err := outcome(t, name, slices.Concat(data[:footerOf(data)], between, data[footerOf(data):])); err != nil {
				t.Errorf("%s with %s before its footer: %v", name, what, err)
			}
		}
	}
}

// A column that is said to be required while its pages have definition levels is
// refused: of each of its types and encodings, the values would be read from the
// levels on.
func TestRequiredForOptional(t *testing.T) {
	for _, name := range []string{
		"bits/pyarrow.parquet", "bits/pyarrow-v2.parquet", "bits/duckdb.parquet", "bits/parquet-mr.parquet", "bits/polars.parquet", "bits/fastparquet.parquet",
	} {
		data := readFixture(t, name)
		_, meta := pagesOf(t, data)
		for k := range meta.Schema[1:] {
			e := meta.Schema[k+1].RepetitionType.V
			if e == format.Required {
				continue
			}
			refused(t, name+", "+meta.Schema[k+1].Name, rebuild(t, data, keep, func(m *format.FileMetaData) {
				m.Schema[k+1].RepetitionType.V = format.Required
				m.KeyValueMetadata = nil
			}))
		}
	}
}
