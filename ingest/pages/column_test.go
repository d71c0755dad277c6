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
		if _, err := (&File{columns: columns}).Column("x"); !errors.Is(err, ErrTwice) {
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
