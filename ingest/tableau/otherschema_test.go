package tableau

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Files that are good Arrow and no tableau of the schema are refused, and the
// error names the column.
func TestOpenRefusesOtherArrow(t *testing.T) {
	f64, boolean := arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Boolean
	list := arrow.FixedSizeListOfNonNullable
	s := Schema{Arms: 5, ContextByArm: 2, Eligible: true, Unit: true, Experiments: []Range{{"a", 0, 4}}}
	for name, tc := range map[string]struct {
		column int // which is replaced
		typ    arrow.DataType
		says   string
	}{
		"shorter list":        {4, list(9, f64), `"context_by_arm": a list of 9, not of 10`},
		"longer list":         {4, list(11, f64), `"context_by_arm": a list of 11`},
		"huge list":           {5, list(1<<30, boolean), `"eligible": a list of 1073741824`},
		"list of null":        {4, arrow.FixedSizeListOf(10, f64), `"context_by_arm": items: nullable`},
		"list of float32":     {4, list(10, arrow.PrimitiveTypes.Float32), `"context_by_arm": items: a float that is not 64 bits wide`},
		"list of int64":       {4, list(10, arrow.PrimitiveTypes.Int64), `"context_by_arm": items: int64 with 0 fields in it, not float64`},
		"list of lists":       {4, list(10, list(1, f64)), `"context_by_arm": items: of Arrow type 16`},
		"variable list":       {4, arrow.ListOfNonNullable(f64), `"context_by_arm": of Arrow type 12`},
		"struct":              {4, arrow.StructOf(arrow.Field{Name: "item", Type: f64}), `"context_by_arm": of Arrow type 13`},
		"no list":             {4, f64, `"context_by_arm": of Arrow type 3 with 0 fields in it`},
		"fixed-size binary":   {4, &arrow.FixedSizeBinaryType{ByteWidth: 80}, `"context_by_arm": of Arrow type 15`},
		"bytes for bits":      {5, list(5, arrow.PrimitiveTypes.Uint8), `"eligible": items: an integer of 8 bits`},
		"a list for a number": {3, list(1, f64), `"reward": of Arrow type 16`},
		"unsigned":            {6, arrow.PrimitiveTypes.Uint64, `"unit": an integer of 64 bits (signed: 0)`},
		"time":                {6, arrow.FixedWidthTypes.Timestamp_ns, `"unit": of Arrow type 10`},
		"dictionary":          {2, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}, "dictionar"},
	} {
		fields := arrowSchema(s.layout().fields).Fields()
		fields[tc.column].Type = tc.typ
		rows := 4
		if strings.HasPrefix(name, "huge") {
			rows = 0
		}
		path := writeArrow(t, arrow.NewSchema(fields, nil), rows)
		if _, err := Open(path, s); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v, which should say %q", name, err, tc.says)
		}
	}
}

func TestOpenRefusesOtherColumns(t *testing.T) {
	s := Schema{Arms: 5, Batch: true, Unit: true, Experiments: []Range{{"a", 0, 4}}}
	for name, tc := range map[string]struct {
		change func(f []arrow.Field) []arrow.Field
		says   string
	}{
		"one less":    {func(f []arrow.Field) []arrow.Field { return f[:5] }, "5 columns where the manifest asks for 6"},
		"one more":    {func(f []arrow.Field) []arrow.Field { return append(f, f[5]) }, "7 columns"},
		"other order": {func(f []arrow.Field) []arrow.Field { f[4], f[5] = f[5], f[4]; return f }, `column 4: named "unit" where the manifest asks for "batch"`},
		"nullable":    {func(f []arrow.Field) []arrow.Field { f[4].Nullable = true; return f }, `"batch": nullable`},
		"none":        {func([]arrow.Field) []arrow.Field { return nil }, "0 columns"},
	} {
		fields := tc.change(arrowSchema(s.layout().fields).Fields())
		path := writeArrow(t, arrow.NewSchema(fields, nil), 4)
		if _, err := Open(path, s); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: got %v, which should say %q", name, err, tc.says)
		}
	}
}

func TestOpenRefusesCompression(t *testing.T) {
	s := Schema{Arms: 5, Experiments: []Range{{"a", 0, 4}}}
	for _, option := range []ipc.Option{ipc.WithZstd(), ipc.WithLZ4()} {
		path := writeArrow(t, arrowSchema(s.layout().fields), 4, option)
		if _, err := Open(path, s); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "compressed") {
			t.Errorf("got %v", err)
		}
	}
}

// writeArrow writes a file with Arrow's writer, of one batch of rows of zeros.
func writeArrow(t *testing.T, schema *arrow.Schema, rows int, options ...ipc.Option) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rounds.arrow")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for _, f := range b.Fields() {
		f.AppendEmptyValues(rows)
	}
	w, err := ipc.NewFileWriter(file, append(options, ipc.WithSchema(schema))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(b.NewRecord()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
