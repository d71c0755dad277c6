package tables

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// field is one column of a table: where its value stands below a row, and of
// which kind it is.
type field struct {
	name     string
	steps    []int        // of reflect's fields, from the row; pointers between are followed
	kind     reflect.Kind // String, Int64, Float64, Bool, or Slice of texts
	optional bool
	end      int  // of an interval: 0 or 1
	counted  bool // the length of a list stands for it
}

// fieldsOf reads the columns of a table whose rows are T. They are words, in the
// order of the table:
//
//	of.pulls          column pulls: member pulls, by its JSON name, of field Of
//	experiment=x.id   the same under another name
//	of.ci             of an interval two columns, ci_lo and ci_hi
//	in.method?        null where a pointer on the way is; without the mark 0 or ""
//	#x.arms           the length of a list; without the mark the list of texts itself
//
// A member that is a pointer is null where that is nil. fieldsOf panics where a
// word names no member: the words are constants.
func fieldsOf[T any](words string) []field {
	var out []field
	for word := range strings.FieldsSeq(words) {
		name, path, renamed := strings.Cut(word, "=")
		if !renamed {
			path = word
		}
		f := field{}
		path, f.counted = strings.CutPrefix(path, "#")
		path, f.optional = strings.CutSuffix(path, "?")
		parts := strings.Split(path, ".")
		if f.name = name; !renamed {
			f.name = parts[len(parts)-1]
		}
		t := reflect.TypeFor[T]()
		for _, part := range parts {
			i := member(pointed(t), part)
			f.steps, t = append(f.steps, i), pointed(t).Field(i).Type
		}
		f.optional = f.optional || t.Kind() == reflect.Pointer
		switch t = pointed(t); {
		case f.counted:
			f.kind = reflect.Int64
		case t == reflect.TypeFor[schemas.Interval]():
			f.kind = reflect.Float64
			low := f
			low.name += "_lo"
			out = append(out, low)
			f.name, f.end = f.name+"_hi", 1
		case t.Kind() == reflect.Int:
			f.kind = reflect.Int64
		default:
			f.kind = t.Kind()
		}
		out = append(out, f)
	}
	return out
}

// pointed is what a pointer type points to, and any other type itself.
func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// member is the index of a struct's field by its JSON name, or by its own.
func member(t reflect.Type, name string) int {
	for i := range t.NumField() {
		tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if tag == name || tag == "" && strings.EqualFold(t.Field(i).Name, name) {
			return i
		}
	}
	panic(fmt.Sprintf("report: %s has no member %s", t, name))
}

// values appends the column's value in a row, or the values of a list, as Parquet has them.
func (f *field) values(to parquet.Row, row reflect.Value, column int) parquet.Row {
	for _, i := range f.steps {
		if row = pointee(row); !row.IsValid() {
			break
		}
		row = row.Field(i)
	}
	switch row = pointee(row); {
	case f.kind != reflect.Slice && f.optional && row.IsValid():
		return append(to, f.value(row).Level(0, 1, column))
	case f.kind != reflect.Slice:
		return append(to, f.value(row).Level(0, 0, column))
	case !row.IsValid() || row.Len() == 0:
		return append(to, parquet.NullValue().Level(0, 0, column))
	}
	for i := range row.Len() {
		to = append(to, parquet.ValueOf(row.Index(i).String()).Level(min(i, 1), 1, column))
	}
	return to
}

// value is v as Parquet has it; where there is none null, or the zero value.
func (f *field) value(v reflect.Value) parquet.Value {
	switch {
	case !v.IsValid() && f.optional:
		return parquet.NullValue()
	case !v.IsValid():
		return parquet.ZeroValue(map[reflect.Kind]parquet.Kind{reflect.Bool: parquet.Boolean, reflect.Int64: parquet.Int64, reflect.Float64: parquet.Double, reflect.String: parquet.ByteArray}[f.kind])
	case f.counted:
		return parquet.Int64Value(int64(v.Len()))
	case v.Kind() == reflect.Array:
		return parquet.DoubleValue(v.Index(f.end).Float())
	case f.kind == reflect.Int64:
		return parquet.Int64Value(v.Int())
	case f.kind == reflect.Float64:
		return parquet.DoubleValue(v.Float())
	case f.kind == reflect.Bool:
		return parquet.BooleanValue(v.Bool())
	}
	return parquet.ValueOf(v.String())
}

// pointee follows a pointer; it is the zero Value where that is nil.
func pointee(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}
