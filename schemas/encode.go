package schemas

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
)

// Encode writes a document as every JSON file of this module is written:
// indented by two spaces, keys in the order of the Go fields, no HTML
// escaping, a newline at the end. The same value gives the same bytes. A nil
// slice is written as [], so that a reader can loop over it; v itself is not
// changed.
//
// The error is not nil where v holds a NaN, or an infinity outside a field of
// type Extended.
func Encode(v any) ([]byte, error) { return encodeBelow(v, "") }

// encodeBelow is Encode of a value that stands inside a document: every line
// but the first begins with prefix.
func encodeBelow(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	if err := e.Encode(filled(reflect.ValueOf(v))); err != nil {
		return nil, fmt.Errorf("schemas: encoding %T: %w", v, err)
	}
	return b.Bytes(), nil
}

// compact is json.Marshal without HTML escaping.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// filled returns v with every nil slice replaced by an empty one.
func filled(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	return fill(v).Interface()
}

func fill(v reflect.Value) reflect.Value {
	if writesItself(v.Type()) {
		return v
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return fillPointer(v)
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(fill(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		return fillSlice(v)
	default:
		return v
	}
}

func fillPointer(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	inner := fill(v.Elem())
	if v.Kind() == reflect.Interface {
		return inner
	}
	out := reflect.New(v.Type().Elem())
	out.Elem().Set(inner)
	return out
}

func fillSlice(v reflect.Value) reflect.Value {
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		out.Index(i).Set(fill(v.Index(i)))
	}
	return out
}

// writesItself reports whether values of a type decide on their own form.
func writesItself(t reflect.Type) bool {
	for _, form := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(form) || reflect.PointerTo(t).Implements(form) {
			return true
		}
	}
	return false
}
