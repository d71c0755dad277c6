package pages

import (
	"errors"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A name of two columns is not one of a group.
func TestColumnTwice(t *testing.T) {
	f := openFixture(t, "pyarrow-twice.parquet")
	if _, err := f.Column("x0"); !errors.Is(err, ErrTwice) || errors.Is(err, ErrNoColumn) || strings.Contains(err.Error(), "group") {
		t.Errorf("got %v", err)
	}
	if _, err := f.Column("reward"); err != nil {
		t.Errorf("the others can be read: %v", err)
	}
	for name, columns := range map[string][]*Column{
		"two lists":             {{Path: "x.list.element", List: true, parents: []string{"x", "x.list"}}, {Path: "x.list.element", List: true, parents: []string{"x", "x.list"}}},
		"a list and a number":   {{Path: "x.list.element", List: true, parents: []string{"x", "x.list"}}, {Path: "x"}},
		"a number and a list":   {{Path: "x"}, {Path: "x.list.element", List: true, parents: []string{"x", "x.list"}}},
		"another between them":  {{Path: "x"}, {Path: "y"}, {Path: "x"}},
		"three columns of them": {{Path: "x"}, {Path: "x"}, {Path: "x"}},
	} {
		if _, err := namedFile(t, columns).Column("x"); !errors.Is(err, ErrTwice) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Timestamps are instants or times of a clock somewhere; the older converted
// types are instants, and what is no timestamp is neither.
func TestTimestampUTC(t *testing.T) {
	logical := func(utc bool) format.SchemaElement {
		e := format.SchemaElement{Type: thrift.New(format.Int64)}
		e.LogicalType.Value = &format.TimestampType{IsAdjustedToUTC: utc, Unit: format.TimeUnit{Value: &format.MicroSeconds{}}}
		return e
	}
	for name, tc := range map[string]struct {
		element format.SchemaElement
		utc     bool
	}{
		"adjusted":     {logical(true), true},
		"local":        {logical(false), false},
		"converted":    {format.SchemaElement{Type: thrift.New(format.Int64), ConvertedType: thrift.New(deprecated.TimestampMillis)}, true},
		"whole number": {format.SchemaElement{Type: thrift.New(format.Int64)}, false},
	} {
		if c := newColumn(&tc.element, node{path: []string{"x"}}, 0); c.UTC != tc.utc {
			t.Errorf("%s (%s): %v", name, c.Type, c.UTC)
		}
	}
}

// The groups that only make a list are no part of a field's name; the names
// "array" and "x_tuple" are of items themselves (Parquet's LogicalTypes.md,
// "Lists", backward-compatibility rules).
func TestShortNames(t *testing.T) {
	group := func(name string, rep format.FieldRepetitionType, list bool) format.SchemaElement {
		e := format.SchemaElement{Name: name, NumChildren: thrift.New[int32](1), RepetitionType: thrift.New(rep)}
		if list {
			e.ConvertedType = thrift.New(deprecated.List)
		}
		return e
	}
	leaf := func(name string, rep format.FieldRepetitionType) format.SchemaElement {
		return format.SchemaElement{Name: name, Type: thrift.New(format.Double), RepetitionType: thrift.New(rep)}
	}
	const one, many = format.Optional, format.Repeated
	for name, tc := range map[string]struct {
		schema []format.SchemaElement
		also   []string
	}{
		"three levels":          {[]format.SchemaElement{group("f", one, true), group("list", many, false), leaf("element", one)}, []string{"f", "f.list", "f.list.element"}},
		"two levels":            {[]format.SchemaElement{group("f", one, true), leaf("array", many)}, []string{"f", "f.array"}},
		"no group":              {[]format.SchemaElement{leaf("f", many)}, []string{"f"}},
		"a struct in the list":  {[]format.SchemaElement{group("f", one, true), group("list", many, false), group("element", one, false), leaf("x", one)}, []string{"f", "f.x", "f.list.element.x"}},
		"a struct named array":  {[]format.SchemaElement{group("f", one, true), group("array", many, false), leaf("x", one)}, []string{"f", "f.x", "f.array.x"}},
		"a struct named tuple":  {[]format.SchemaElement{group("f", one, true), group("f_tuple", many, false), leaf("x", one)}, []string{"f", "f.x", "f.f_tuple.x"}},
		"another one is a list": {[]format.SchemaElement{group("f", one, true), group("bag", many, false), leaf("x", one)}, []string{"f", "f.bag.x"}},
		"a list of lists":       {[]format.SchemaElement{group("f", one, true), group("array", many, true), leaf("array", many)}, []string{"f", "f.array", "f.array.array"}},
		"a list in a struct":    {[]format.SchemaElement{group("s", one, false), group("f", one, true), group("list", many, false), leaf("element", one)}, []string{"s", "s.f", "s.f.list.element"}},
	} {
		all, err := readSchema(append([]format.SchemaElement{group("root", format.Required, false)}, tc.schema...), func(int64) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		f := namedFile(t, all)
		if got := f.Name(all[0]); got != tc.also[0] {
			t.Errorf("%s: the name is %q, want %q", name, got, tc.also[0])
		}
		for _, also := range tc.also {
			if c, err := f.Column(also); err != nil || c != all[0] {
				t.Errorf("%s: %q: %v", name, also, err)
			}
		}
		for _, not := range []string{"x", "element", "f.element", "array", "f.list.x"} {
			if _, err := f.Column(not); err == nil {
				t.Errorf("%s: %q is a name of %s", name, not, all[0].Path)
			}
		}
	}
}

// namedFile is a file of columns without a byte.
func namedFile(tb testing.TB, columns []*Column) *File {
	tb.Helper()
	f := &File{columns: columns}
	if err := f.index(); err != nil {
		tb.Fatal(err)
	}
	return f
}
