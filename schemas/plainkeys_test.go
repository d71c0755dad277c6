package schemas_test

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// A key that encoding/json would take for another one is refused, wherever it stands, and so
// is one that stands twice; text with such letters is none.
func TestPlainKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a_1": {"b": [{"c": "D", "e": 1e5}, null, "F"]}, "g": 1}`: "",
		`{"a": 1, "B": 2}`:              `there is no key "B", at byte 12`,
		`{"a": [{"b": 1}, {"bC": 1}]}`:  `there is no key "bC"`,
		`{"a": {"\u017ft": 1}}`:         `there is no key "ſt"`,
		`{"a": {"\u0042": 1}}`:          `there is no key "B"`,
		`{"a": {"b": 1, "b": 1}}`:       `the key "b" stands twice`,
		`{"a": [1, {"b": [{"c": 1}]}`:   "not JSON",
		`{"a": "` + "\x00" + `"}`:       "not JSON",
		`{"a": [{"b": 1, "c": "b": 1}]`: "not JSON",
	} {
		if err := schemas.PlainKeys(strings.NewReader(text)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
