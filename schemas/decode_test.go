package schemas

import (
	"errors"
	"strings"
	"testing"
)

func TestDecodeRefuses(t *testing.T) {
	_, b := exampleJSON(t, "manifest")
	good := string(b)
	for _, tc := range []struct{ name, src, want string }{
		{"something after the document", good + "{}", "something follows the document at byte"},
		{"a word after the document", good + "x", "something follows the document at byte"},
		{"two documents", good + good, "something follows the document at byte"},
		{"a key twice", strings.Replace(good, `"rows": 3`, `"rows": 3, "rows": 4`, 1), `the key "rows" stands twice at byte`},
		{"a key in capitals", strings.Replace(good, `"rows"`, `"Rows"`, 1), "additional properties 'Rows' not allowed"},
		{"a number beyond int64", strings.Replace(good, `"rows": 3`, `"rows": 99999999999999999999`, 1), "cannot unmarshal number"},
		{"cut off", good[:len(good)/2], "not JSON"},
		{"empty", "", "not JSON"},
		{"not UTF-8", strings.Replace(good, "text", "\xff", 1), "the text is not UTF-8"},
		{"another document", `{"schema":"results.v1"}`, "at ''"},
		{"a list", `[]`, "got array, want object"},
		{"too deep", strings.Repeat("[", 20_000), "not JSON"},
	} {
		v, err := decodeAs[Manifest](none(), "manifest", []byte(tc.src))
		if v != nil || !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
	if _, err := decodeAs[Manifest](none(), "manifest", []byte(" \n"+good+"\n ")); err != nil {
		t.Errorf("white space around the document: %v", err)
	}
}

// TestKeysMayRepeatInOtherObjects looks for a key twice in one object only.
func TestKeysMayRepeatInOtherObjects(t *testing.T) {
	for src, ok := range map[string]bool{
		`{"a":{"a":1},"b":{"a":1}}`:      true,
		`[{"a":1},{"a":1}]`:              true,
		`{"a":["a","a",{"a":"a"}]}`:      true,
		`{"a":"a","b":"a"}`:              true,
		`{"a":[{"a":1,"b":2}],"a":1}`:    false,
		`{"a":{"b":1,"c":[],"b":2}}`:     false,
		`[[{"a":[1,[2]],"b":1,"a":{}}]]`: false,
		`{"a":1,"\u0061":2}`:             false,
		`3`:                              true,
	} {
		if err := wellFormed([]byte(src)); (err == nil) != ok {
			t.Errorf("%s: %v", src, err)
		}
	}
}
