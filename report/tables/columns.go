package tables

import (
	"fmt"
	"reflect"
	"strings"

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

// value is the column's value in a row: a string, an int64, a float64, a bool, a list of
// strings, or nil for null.
func (f *field) value(row reflect.Value) any {
	for _, i := range f.steps {
		if row = pointee(row); !row.IsValid() {
			return f.nothing()
		}
		row = row.Field(i)
	}
	if row = pointee(row); !row.IsValid() {
		return f.nothing()
	}
	switch {
	case f.counted:
		return int64(row.Len())
	case row.Kind() == reflect.Array:
		return row.Index(f.end).Float()
	case row.Kind() == reflect.Slice:
		return row.Interface().([]string)
	case f.kind == reflect.Int64:
		return row.Int()
	case f.kind == reflect.Float64:
		return row.Float()
	case f.kind == reflect.Bool:
		return row.Bool()
	}
	return row.String()
}

// pointee follows a pointer; it is the zero Value where that is nil.
func pointee(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}

// nothing is the value where there is none.
func (f *field) nothing() any {
	switch {
	case f.optional:
		return nil
	case f.kind == reflect.String:
		return ""
	case f.kind == reflect.Slice:
		return []string(nil)
	case f.kind == reflect.Bool:
		return false
	case f.kind == reflect.Int64:
		return int64(0)
	}
	return 0.0
}
