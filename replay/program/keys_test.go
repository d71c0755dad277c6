package program

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A key that stands twice is found, whatever its values hold; others are not taken for one.
func TestTwice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"k":"step","n":1,"a":[0],"a":[1]}`: "a",
		`{"a":[0], "A" : [1]}`:               "A",
		`{"a":"\\","a":1}`:                   "a",
		`{"p":[[1]],"\u0070":[[0]]}`:         "p",
		`{"k":"k","m":"\"k\":1"}`:            "",
		`{"p":[[1]],"x":{"p":1,"p":2}}`:      "",
		"{\"\xff\":1,\"\xfe\":2}":            "\ufffd",
		`{}`:                                 "",
		`["a","a"]`:                          "",
		`{"a":1}` + "\n":                     "",
	} {
		if got := string(twice([]byte(text))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzTwice: of an object a key is named if, and only if, a walk over the tokens of
// encoding/json finds one twice.
func FuzzTwice(f *testing.F) {
	f.Add([]byte(`{"k":"step","a":[0],"a":[1]}`))
	f.Add([]byte(`{"p":{"p":[1,"p"]},"\u0070":1}`))
	f.Add([]byte(`"\"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		key := twice(b)
		if !json.Valid(b) || len(bytes.TrimSpace(b)) == 0 || bytes.TrimSpace(b)[0] != '{' {
			return
		}
		if want := repeated(t, b); want != (key != nil) {
			t.Errorf("%q: %q, want one: %v", b, key, want)
		}
	})
}

// repeated walks over the members of an object.
func repeated(t *testing.T, b []byte) bool {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			t.Fatalf("%q: %v", b, err)
		}
		key := name.(string) //nolint:forcetypeassert // a member of an object
		if slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, key) }) {
			return true
		}
		keys = append(keys, key)
	}
	return false
}

// What was not asked for is dropped, and neither held against the log nor refused.
func TestUnaskedIsDropped(t *testing.T) {
	t.Parallel()
	ask := []Decision{{Round: 1}}
	for _, want := range [][]string{{WantPropensities}, {WantArm}, {WantArm, WantPropensities}} {
		r := &reply{A: []int{1}, P: [][]float64{{.5, .5}}}
		s := &Session{arms: 2, want: want}
		if err := s.holdAnswer(r, ask); err != nil {
			t.Fatal(err)
		}
		if (r.A != nil) != (want[0] == WantArm) || (r.P != nil) != (want[len(want)-1] == WantPropensities) {
			t.Errorf("%v: %v, %v", want, r.A, r.P)
		}
	}
}
