package main

import (
	"errors"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/rogpeppe/go-internal/testscript"
)

// alterCommand is "alter SRC DST COLUMN ROW VALUE": a copy of a Parquet file
// in which one value is another.
func alterCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 5 {
		ts.Fatalf("usage: alter SRC DST COLUMN ROW VALUE")
	}
	target, err := strconv.Atoi(args[3])
	ts.Check(err)
	ts.Check(rewrite(ts.MkAbs(args[0]), ts.MkAbs(args[1]), nil, func(row int, column string, v parquet.Value) parquet.Value {
		if row != target || column != args[2] {
			return v
		}
		return valueOf(args[4], v)
	}))
}

// rewardCommand is "reward SRC DST ROW VALUE": a copy whose reward column is
// double, with one value replaced.
func rewardCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: reward SRC DST ROW VALUE")
	}
	target, err := strconv.Atoi(args[2])
	ts.Check(err)
	value, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	nodes := func(name string, n parquet.Node) parquet.Node {
		if name == "reward" {
			return parquet.Leaf(parquet.DoubleType)
		}
		return n
	}
	ts.Check(rewrite(ts.MkAbs(args[0]), ts.MkAbs(args[1]), nodes, func(row int, column string, v parquet.Value) parquet.Value {
		switch {
		case column != "reward":
			return v
		case row == target:
			return parquet.DoubleValue(value).Level(0, 0, v.Column())
		case v.Boolean():
			return parquet.DoubleValue(1).Level(0, 0, v.Column())
		}
		return parquet.DoubleValue(0).Level(0, 0, v.Column())
	}))
}

// dropCommand is "drop SRC DST COLUMN": a copy without a column.
func dropCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: drop SRC DST COLUMN")
	}
	nodes := func(name string, n parquet.Node) parquet.Node {
		if name == args[2] {
			return nil
		}
		return n
	}
	ts.Check(rewrite(ts.MkAbs(args[0]), ts.MkAbs(args[1]), nodes, func(_ int, _ string, v parquet.Value) parquet.Value { return v }))
}

// cutCommand is "cut SRC DST SHARE": the first part of a file.
func cutCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: cut SRC DST SHARE")
	}
	share, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b[:int(math.Round(share*float64(len(b))))], 0o600))
}

func valueOf(text string, like parquet.Value) parquet.Value {
	var v parquet.Value
	switch like.Kind() {
	case parquet.Boolean:
		v = parquet.BooleanValue(text == "true")
	case parquet.Int64:
		n, _ := strconv.ParseInt(text, 10, 64) // a typing error fails the script's assertions
		v = parquet.Int64Value(n)
	case parquet.Double:
		f, _ := strconv.ParseFloat(text, 64)
		v = parquet.DoubleValue(f)
	default:
		v = parquet.ByteArrayValue([]byte(text))
	}
	return v.Level(like.RepetitionLevel(), like.DefinitionLevel(), like.Column())
}

// rewrite copies a flat Parquet file value by value. node may replace a
// column's type, or drop the column by returning nil.
func rewrite(src, dst string, node func(string, parquet.Node) parquet.Node, change func(row int, column string, v parquet.Value) parquet.Value) (err error) {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(in, info.Size())
	if err != nil {
		return err
	}
	group := parquet.Group{}
	for _, f := range file.Schema().Fields() {
		n := parquet.Node(f)
		if node != nil {
			n = node(f.Name(), f)
		}
		if n != nil {
			group[f.Name()] = n
		}
	}
	schema := parquet.NewSchema("log", group)
	out, err := os.Create(dst)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	w := parquet.NewGenericWriter[any](out, schema)
	if err := copyRows(w, file, schema, change); err != nil {
		return err
	}
	return w.Close()
}

func copyRows(w *parquet.GenericWriter[any], file *parquet.File, schema *parquet.Schema, change func(int, string, parquet.Value) parquet.Value) error {
	names := file.Schema().Columns()
	place := map[string]int{}
	for i, path := range schema.Columns() {
		place[path[0]] = i
	}
	reader := parquet.MultiRowGroup(file.RowGroups()...).Rows()
	defer reader.Close() //nolint:errcheck // it reads from memory
	buffer := make([]parquet.Row, 1)
	for row := 0; ; row++ {
		n, err := reader.ReadRows(buffer)
		if n == 1 {
			out := make(parquet.Row, len(place))
			for i, v := range buffer[0] {
				if at, ok := place[names[i][0]]; ok {
					v = change(row, names[i][0], v)
					out[at] = v.Level(v.RepetitionLevel(), v.DefinitionLevel(), at)
				}
			}
			if _, werr := w.WriteRows([]parquet.Row{out}); werr != nil {
				return werr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
