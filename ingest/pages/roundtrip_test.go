package pages

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"pgregory.net/rapid"
)

// typed has a column of every type that is read, in encodings that parquet-go
// writes.
type typed struct {
	Bool     bool      `parquet:"bool"`
	Int32    int32     `parquet:"int32,delta"`
	Int64    int64     `parquet:"int64"`
	Uint32   uint32    `parquet:"uint32,dict"`
	Uint64   uint64    `parquet:"uint64"`
	Float    float32   `parquet:"float,split"`
	Double   float64   `parquet:"double,split"`
	Text     string    `parquet:"text,delta"`
	Word     string    `parquet:"word,dict"`
	Maybe    *float64  `parquet:"maybe,optional"`
	MaybeInt *int64    `parquet:"maybeint,optional,dict"`
	Say      *string   `parquet:"say,optional"`
	Repeated []float64 `parquet:"repeated"`
	List     []float64 `parquet:"list,list"`
}

func drawRow(t *rapid.T) typed {
	word := rapid.SampledFrom([]string{"", "a", "blue", "grün"})
	row := typed{
		Bool: rapid.Bool().Draw(t, "bool"), Int32: rapid.Int32().Draw(t, "int32"), Int64: rapid.Int64().Draw(t, "int64"),
		Uint32: rapid.Uint32().Draw(t, "uint32"), Uint64: rapid.Uint64().Draw(t, "uint64"),
		Float: rapid.Float32().Draw(t, "float"), Double: rapid.Float64().Draw(t, "double"),
		Text: rapid.String().Draw(t, "text"), Word: word.Draw(t, "word"),
		Repeated: rapid.SliceOfN(rapid.Float64(), 0, 7).Draw(t, "repeated"), List: rapid.SliceOfN(rapid.Float64(), 0, 7).Draw(t, "list"),
	}
	if rapid.Bool().Draw(t, "present") {
		v, i, s := rapid.Float64().Draw(t, "maybe"), rapid.Int64Range(0, 3).Draw(t, "maybeint"), rapid.String().Draw(t, "say")
		row.Maybe, row.MaybeInt, row.Say = &v, &i, &s
	}
	return row
}

// want is a field of a row as this package reads it.
func want(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return want(v.Elem())
	case reflect.Slice:
		l := list{length: v.Len(), kept: slices.Repeat([]any{0.0}, listWidth)}
		for i := range min(v.Len(), listWidth) {
			l.kept[i] = v.Index(i).Float()
		}
		return l
	case reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint32, reflect.Uint64:
		return v.Uint()
	case reflect.Float32, reflect.Float64:
		return v.Float()
	default:
		return v.Interface()
	}
}

func TestReadsWhatParquetGoWrites(t *testing.T) {
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Zstd, &parquet.Gzip, &parquet.Brotli, &parquet.Lz4Raw}
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(drawRow), 1, 60).Draw(t, "rows")
		codec := parquet.Compression(rapid.SampledFrom(codecs).Draw(t, "codec"))
		var file bytes.Buffer
		w := parquet.NewGenericWriter[typed](&file, codec, parquet.DataPageVersion(rapid.IntRange(1, 2).Draw(t, "version")),
			parquet.PageBufferSize(rapid.SampledFrom([]int{16, 200, 1 << 20}).Draw(t, "page")),
			parquet.MaxRowsPerRowGroup(rapid.SampledFrom([]int64{1, 7, 1000}).Draw(t, "group")))
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		budget := NewBudget(testBudget)
		f := openedBytes(t, file.Bytes(), budget)
		for field := range reflect.TypeFor[typed]().NumField() {
			checkField(t, f, rows, field)
		}
		f.Close()
		if budget.Used() != 0 {
			t.Fatalf("%d bytes are still booked", budget.Used())
		}
	})
}

func checkField(t *rapid.T, f *File, rows []typed, field int) {
	name := f.Columns()[field].Path
	c := columnOf(t, f, name)
	got, err := values(f, c, rapid.IntRange(1, 20).Draw(t, "step"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(rows) {
		t.Fatalf("%s: %d rows, not %d", name, len(got), len(rows))
	}
	for i := range got {
		if w := want(reflect.ValueOf(rows[i]).Field(field)); fmt.Sprint(got[i]) != fmt.Sprint(w) {
			t.Fatalf("%s: row %d is %v, not %v", name, i, got[i], w)
		}
	}
}
