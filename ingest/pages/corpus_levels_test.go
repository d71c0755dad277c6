package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// listSchema is that of a column of doubles at a depth of lists, where
// everything may be null.
func listSchema(depth int) []format.SchemaElement {
	group := func(name string, rep format.FieldRepetitionType, list bool) format.SchemaElement {
		e := format.SchemaElement{Name: name, NumChildren: thrift.New[int32](1), RepetitionType: thrift.New(rep)}
		if list {
			e.LogicalType.Value = &format.ListType{}
		}
		return e
	}
	schema := []format.SchemaElement{group("root", format.Required, false)}
	name := "c"
	for range depth {
		schema = append(schema, group(name, format.Optional, true), group("list", format.Repeated, false))
		name = "element"
	}
	return append(schema, format.SchemaElement{Name: name, Type: thrift.New(format.Double), RepetitionType: thrift.New(format.Optional)})
}

// assembleList builds a file of one column of lists out of pages.
func assembleList(tb testing.TB, depth int, rows, values int64, chunk []byte) []byte {
	tb.Helper()
	return tail(append([]byte(magic), chunk...), marshal(tb, &format.FileMetaData{
		Version: 1, NumRows: rows, Schema: listSchema(depth),
		RowGroups: []format.RowGroup{{NumRows: rows, Columns: []format.ColumnChunk{{MetaData: format.ColumnMetaData{
			Type: format.Double, PathInSchema: pathOf(listSchema(depth)), NumValues: values, TotalCompressedSize: int64(len(chunk)), DataPageOffset: 4,
		}}}}},
	}))
}

// withNulls is a file of one column chunk whose statistics say how many values are null.
func withNulls(tb testing.TB, data []byte, nulls int64) []byte {
	tb.Helper()
	meta, err := decode[format.FileMetaData](data[footerOf(data) : len(data)-8])
	if err != nil {
		tb.Fatal(err)
	}
	meta.RowGroups[0].Columns[0].MetaData.Statistics.NullCount = nulls
	return tail(data[:footerOf(data)], marshal(tb, meta))
}

// runs are levels of up to eight bits, each a run of its own.
func runs(levels []byte) (b []byte) {
	for _, l := range levels {
		b = append(b, 2, l)
	}
	return b
}

// run is one run of n times a level.
func run(n uint64, level byte) []byte { return append(binary.AppendUvarint(nil, n<<1), level) }

// listPage is a version 1 page of lists of the doubles 1, 2, 3 and so on.
func listPage(values int32, reps, defs []byte, doubles int) []byte {
	var body []byte
	for _, levels := range [][]byte{reps, defs} {
		body = append(binary.LittleEndian.AppendUint32(body, uint32(len(levels))), levels...)
	}
	for k := range doubles {
		body = binary.LittleEndian.AppendUint64(body, math.Float64bits(float64(k+1)))
	}
	return dataPage(values, int32(len(body)), format.Plain, body)
}

// Of a list, 0 is null, 1 empty, 2 a null in it, 3 a value; of a list of lists,
// 0 is null, 1 empty, 2 an inner null, 3 an inner empty, 4 a null, 5 a value.
func TestLevels(t *testing.T) {
	row := func(length, inner int, holes bool, kept ...any) list { return list{length, inner, kept, holes} }
	flat := func(length int, holes bool, kept ...any) list {
		return row(length, 0, holes, append(kept, slices.Repeat([]any{0.0}, listWidth-len(kept))...)...)
	}
	const o = 0.0
	for name, tc := range map[string]struct {
		depth      int
		reps, defs []byte
		want       []any // nil: an error
	}{
		"lists":                             {1, []byte{0, 1, 0, 0, 0}, []byte{3, 2, 1, 0, 3}, []any{flat(2, true, 1.0), flat(0, false), nil, flat(1, false, 2.0)}},
		"a null in as many parts as DuckDB": {1, []byte{0, 1, 1, 0}, []byte{0, 0, 0, 3}, []any{nil, flat(1, false, 1.0)}},
		"a list that is cut":                {1, []byte{0, 1, 1, 1, 1, 1, 1}, []byte{3, 3, 3, 3, 3, 2, 3}, []any{flat(7, true, 1.0, 2.0, 3.0, 4.0, 5.0)}},
		"a row that begins within":          {1, []byte{1, 0}, []byte{3, 3}, nil},
		"a level of repetition too many":    {1, []byte{0, 2}, []byte{3, 3}, nil},
		"a level of definition too many":    {1, []byte{0, 1}, []byte{3, 4}, nil},
		"a null within a list":              {1, []byte{0, 1}, []byte{3, 0}, nil},
		"an empty list within a list":       {1, []byte{0, 1}, []byte{2, 1}, nil},
		"an item of an empty list":          {1, []byte{0, 1}, []byte{1, 3}, nil},
		"an item of no list":                {1, []byte{0, 1}, []byte{0, 2}, nil},
		"lists of lists": {
			2,
			[]byte{0, 2, 1, 2, 0, 0, 0, 1, 0},
			[]byte{5, 4, 5, 5, 1, 0, 2, 5, 3},
			[]any{row(2, 2, true, 1.0, o, o, 2.0, 3.0, o), row(0, 0, false, o, o, o, o, o, o), nil, row(2, -1, false, o, o, o, 4.0, o, o), row(1, 0, false, o, o, o, o, o, o)},
		},
		"lists of several lengths":              {2, []byte{0, 1, 2}, []byte{5, 5, 5}, []any{row(2, -1, false, 1.0, o, o, 2.0, 3.0, o)}},
		"more lists than are kept":              {2, []byte{0, 1, 1, 0}, []byte{5, 5, 5, 5}, []any{row(3, 1, false, 1.0, o, o, 2.0, o, o), row(1, 1, false, 4.0, o, o, o, o, o)}},
		"longer lists than are kept":            {2, []byte{0, 2, 2, 2, 1}, []byte{5, 5, 5, 5, 5}, []any{row(2, -1, false, 1.0, 2.0, 3.0, 5.0, o, o)}},
		"an empty list after one of values":     {2, []byte{0, 1}, []byte{5, 3}, []any{row(2, -1, false, 1.0, o, o, o, o, o)}},
		"an inner null in several parts":        {2, []byte{0, 2, 2}, []byte{2, 2, 2}, []any{row(1, -1, false, o, o, o, o, o, o)}},
		"an item of an inner empty list":        {2, []byte{0, 2}, []byte{3, 5}, nil},
		"an item of an inner null":              {2, []byte{0, 2}, []byte{2, 4}, nil},
		"an inner null within an inner list":    {2, []byte{0, 2}, []byte{5, 2}, nil},
		"an inner list of an empty list":        {2, []byte{0, 1}, []byte{1, 5}, nil},
		"an inner list of a null":               {2, []byte{0, 1}, []byte{0, 3}, nil},
		"an item of a null":                     {2, []byte{0, 2}, []byte{0, 5}, nil},
		"a null within a list of lists":         {2, []byte{0, 1}, []byte{5, 0}, nil},
		"a null within a list of a list":        {2, []byte{0, 2}, []byte{5, 1}, nil},
		"a first row that begins within a list": {2, []byte{2, 0}, []byte{5, 5}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rows, values := 0, 0
			for i, r := range tc.reps {
				if r == 0 {
					rows++
				}
				if int(tc.defs[i]) == 2*tc.depth+1 {
					values++
				}
			}
			n := int32(len(tc.reps))
			for what, chunk := range map[string][]byte{
				"one page": listPage(n, runs(tc.reps), runs(tc.defs), values),
				"pages of one entry each": func() (all []byte) {
					k := 0
					for i := range tc.reps {
						page := listPage(1, runs(tc.reps[i:i+1]), runs(tc.defs[i:i+1]), 0)
						if int(tc.defs[i]) == 2*tc.depth+1 {
							k++
							page = listPage(1, runs(tc.reps[i:i+1]), runs(tc.defs[i:i+1]), k)
							page = listPageOf(t, page, k)
						}
						all = append(all, page...)
					}
					return all
				}(),
			} {
				data := withNulls(t, assembleList(t, tc.depth, int64(max(rows, 1)), int64(n), chunk), int64(len(tc.reps)-values))
				checkLevels(t, name+", "+what, data, tc.want)
			}
		})
	}
}

// listPageOf keeps of a page of one entry only the k-th double.
func listPageOf(tb testing.TB, page []byte, k int) []byte {
	tb.Helper()
	length, err := vet(page)
	if err != nil {
		tb.Fatal(err)
	}
	body := page[length:]
	levels := len(body) - 8*k
	body = slices.Concat(body[:levels], body[len(body)-8:])
	return dataPage(1, int32(len(body)), format.Plain, body)
}

func checkLevels(t *testing.T, what string, data []byte, want []any) {
	t.Helper()
	err := outcome(t, what, data)
	if want == nil {
		var bad *FormatError
		if !errors.As(err, &bad) || bad.Group != 0 || bad.Column == "" || !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	f := openedBytes(t, data, nil)
	got, err := values(f, f.Columns()[0], 2)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, %v; want %v", what, got, err, want)
	}
}

// Levels that do not add up to the values, the rows, or the bytes.
func TestCorpusLevels(t *testing.T) {
	for what, data := range map[string][]byte{
		"fewer levels of repetition": assembleList(t, 1, 2, 2, listPage(2, runs([]byte{0}), runs([]byte{3, 3}), 2)),
		"fewer levels of definition": assembleList(t, 1, 2, 2, listPage(2, runs([]byte{0, 0}), runs([]byte{3}), 2)),
		"no levels":                  assembleList(t, 1, 2, 2, listPage(2, nil, nil, 2)),
		"fewer values":               assembleList(t, 1, 2, 2, listPage(2, runs([]byte{0, 0}), runs([]byte{3, 3}), 1)),
		"fewer rows":                 assembleList(t, 1, 3, 2, listPage(2, runs([]byte{0, 0}), runs([]byte{3, 3}), 2)),
		"more rows":                  assembleList(t, 1, 1, 2, listPage(2, runs([]byte{0, 0}), runs([]byte{3, 3}), 2)),
		"more entries than claimed":  assembleList(t, 1, 1, 1, listPage(2, runs([]byte{0, 1}), runs([]byte{3, 3}), 2)),
		"fewer entries than claimed": assembleList(t, 1, 1, 3, listPage(2, runs([]byte{0, 1}), runs([]byte{3, 3}), 2)),
		"a run of a wider level":     assembleList(t, 1, 2, 2, listPage(2, runs([]byte{0, 9}), runs([]byte{3, 3}), 2)),
		"levels longer than a page":  assembleList(t, 1, 2, 2, dataPage(2, 8, format.Plain, []byte{0xFF, 0xFF, 0xFF, 0x7F, 2, 0, 2, 0})),
		"levels that have no length": assembleList(t, 1, 2, 2, dataPage(2, 2, format.Plain, []byte{1, 0})),
	} {
		refused(t, what, data)
	}
}

// A list of two thousand million nulls, or of as many lists, from 30 bytes, is
// given up before long.
func TestCorpusHugeLists(t *testing.T) {
	const huge = math.MaxInt32
	first := []byte{2, 0}
	for what, data := range map[string][]byte{
		"nulls":              assembleList(t, 1, 1, huge, listPage(huge, append(first[:2:2], run(huge-1, 1)...), run(huge, 2), 0)),
		"nulls of an inner":  assembleList(t, 2, 1, huge, listPage(huge, append(first[:2:2], run(huge-1, 2)...), run(huge, 4), 0)),
		"inner lists":        assembleList(t, 2, 1, huge, listPage(huge, append(first[:2:2], run(huge-1, 1)...), run(huge, 3), 0)),
		"no lists":           assembleList(t, 1, 1, huge, listPage(huge, append(first[:2:2], run(huge-1, 1)...), run(huge, 0), 0)),
		"values not there":   assembleList(t, 1, 1, huge, listPage(huge, append(first[:2:2], run(huge-1, 1)...), run(huge, 3), 1)),
		"more pages of them": assembleList(t, 1, 1, math.MaxInt64, slices.Repeat(listPage(huge, run(huge, 1), run(huge, 2), 0), 1000)),
	} {
		refused(t, what, data)
	}
}

// What is kept of a list must fit the budget, whatever the list.
func TestKeptListsAreBooked(t *testing.T) {
	data := assembleList(t, 2, 1, 1, listPage(1, runs([]byte{0}), runs([]byte{5}), 1))
	budget := NewBudget(corpusBudget)
	f := openedBytes(t, data, budget)
	for _, size := range [][2]int{{1 << 12, 1 << 12}, {1 << 20, 1 << 20}, {math.MaxInt, math.MaxInt}, {-1, 1}, {1, -1}} {
		cursor, err := f.Nested(0, f.Columns()[0], size[0], size[1])
		if err == nil {
			_, err = cursor.Next(new(Block), 1)
			cursor.Close()
		}
		if !errors.Is(err, ErrLimit) {
			t.Errorf("%v: %v", size, err)
		}
	}
	f.Close()
	noLeak(t, budget)
}
