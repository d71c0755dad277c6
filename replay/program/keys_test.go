package program

import (
	"encoding/json"
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
		`{}`:                                 "",
		`["a","a"]`:                          "",
		`{"a":1}` + "\n":                     "",
	} {
		if got := string(twice([]byte(text))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzTwice: of a text that is JSON twice reads every byte there is and no other.
func FuzzTwice(f *testing.F) {
	f.Add([]byte(`{"k":"step","a":[0],"a":[1]}`))
	f.Add([]byte(`"\"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		key := twice(b)
		if json.Valid(b) && key != nil && len(key) > len(b)/2 {
			t.Errorf("%q: %q", b, key)
		}
	})
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
