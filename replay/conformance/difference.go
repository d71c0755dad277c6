package conformance

import (
	"bytes"
	"math"
	"reflect"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// Difference returns the JSON pointer of the first field in which two replays of
// one experiment differ, such as "/conformance/matched". It is "" where they are
// written as the same bytes, and only there.
func Difference(a, b *schemas.ReplayExperiment) (string, error) {
	x, err := schemas.Encode(a)
	if err != nil {
		return "", err
	}
	y, err := schemas.Encode(b)
	if err != nil || bytes.Equal(x, y) {
		return "", err
	}
	at, _ := different(reflect.ValueOf(a), reflect.ValueOf(b))
	return "/" + strings.TrimSuffix(at, "/"), nil
}

// different returns where two values of one type first differ, with a slash
// after every step, and whether they do.
func different(a, b reflect.Value) (at string, differ bool) {
	switch a.Kind() { //nolint:exhaustive // what is no composite is compared as it is
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return "", a.IsNil() != b.IsNil()
		}
		return different(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if at, differ := different(a.Field(i), b.Field(i)); differ {
				name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
				return name + "/" + at, true
			}
		}
		return "", false
	case reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			if at, differ := different(a.Index(i), b.Index(i)); differ {
				return strconv.Itoa(i) + "/" + at, true
			}
		}
		return "", a.Len() != b.Len()
	case reflect.Float64:
		return "", math.Float64bits(a.Float()) != math.Float64bits(b.Float()) // −0 is written as −0
	}
	return "", !a.Equal(b)
}
