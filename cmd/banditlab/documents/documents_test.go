package documents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	google "github.com/google/jsonschema-go/jsonschema"

	"banditaudit/schemas"
)

// kinds are the documents with their validators and readers.
func kinds() map[string]struct {
	whole    any
	validate func([]byte) error
	decode   func([]byte) (any, error)
} {
	type kind = struct {
		whole    any
		validate func([]byte) error
		decode   func([]byte) (any, error)
	}
	return map[string]kind{
		planName:      {filled[Plan](), ValidatePlan, func(b []byte) (any, error) { return DecodePlan(b) }},
		reproduceName: {filled[Reproduction](), ValidateReproduction, func(b []byte) (any, error) { return DecodeReproduction(b) }},
	}
}

// filled is a document in which every field is set.
func filled[T any]() *T {
	v := new(T)
	fill(reflect.ValueOf(v).Elem(), "")
	return v
}

// fill sets a value, and all in it, to something that its schema tag allows.
func fill(v reflect.Value, tag string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), tag)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Tag.Get("schema"))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), tag)
	case reflect.String:
		_, words, _ := strings.Cut(tag, "=") // words=a|b or const=a
		word, _, _ := strings.Cut(words, "|")
		v.SetString(cmp.Or(word, "text"))
	case reflect.Bool:
		v.SetBool(true)
	default:
		if v.CanInt() {
			v.SetInt(3)
			return
		}
		v.SetFloat(0.5)
	}
}

// A document with every field set is valid, and reading and writing keep its bytes.
func TestEveryFieldSet(t *testing.T) {
	for name, kind := range kinds() {
		b, err := schemas.Encode(kind.whole)
		if err != nil {
			t.Fatal(err)
		}
		if err = kind.validate(b); err != nil {
			t.Errorf("%s: %v\n%s", name, err, b)
		}
		got, err := kind.decode(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := gocmp.Diff(kind.whole, got); d != "" {
			t.Errorf("%s (-before +after):\n%s", name, d)
		}
		if again, err := schemas.Encode(got); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: reading and writing changes the document: %v", name, err)
		}
	}
}

// A validator that shares no code with this program accepts the documents by the printed
// schemas, which refer to no other file.
func TestSchemasStandAlone(t *testing.T) {
	for name, kind := range kinds() {
		b, err := JSONSchema(name)
		if err != nil {
			t.Fatal(err)
		}
		var schema google.Schema
		if err = json.Unmarshal(b, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var document any
		if b, err = schemas.Encode(kind.whole); err == nil {
			err = json.Unmarshal(b, &document)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if resolved.Validate(map[string]any{"schema": name + ".v1"}) == nil {
			t.Errorf("%s: a document with one key is accepted", name)
		}
	}
}

// Each key must be there, and no other may.
func TestEveryKeyIsRequiredAndNoOtherAllowed(t *testing.T) {
	for name, kind := range kinds() {
		b, err := schemas.Encode(kind.whole)
		if err != nil {
			t.Fatal(err)
		}
		var root any
		if err = json.Unmarshal(b, &root); err != nil {
			t.Fatal(err)
		}
		tried := 0
		spoil(root, func(what string) {
			tried++
			changed, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			_, decoding := kind.decode(changed)
			if err := kind.validate(changed); !errors.Is(err, schemas.ErrInvalid) || !errors.Is(decoding, schemas.ErrInvalid) {
				t.Errorf("%s: %s and still valid: %v, %v", name, what, err, decoding)
			}
		})
		if tried < 50 {
			t.Errorf("%s: only %d changes tried", name, tried)
		}
	}
}

// spoil makes one change at a time, calls judge, and takes it back.
func spoil(v any, judge func(what string)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			spoil(item, judge)
		}
	case map[string]any:
		v["zz"] = 1
		judge("a key more")
		delete(v, "zz")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			was := v[key]
			delete(v, key)
			judge("without " + key)
			v[key] = was
			spoil(was, judge)
		}
	}
}

func TestJSONSchemaNames(t *testing.T) {
	for _, name := range Names() {
		if _, err := formOf(name); err != nil {
			t.Error(err)
		}
	}
	for _, b := range []string{"{", `{"schema": "plan.v2"}`, "{} {}"} {
		if _, err := DecodePlan([]byte(b)); !errors.Is(err, schemas.ErrInvalid) {
			t.Errorf("%s: %v", b, err)
		}
	}
	_, err := JSONSchema("reslts")
	if err == nil || err.Error() != `no schema is called "reslts"; there are: plan, reproduce` {
		t.Error(err)
	}
}
