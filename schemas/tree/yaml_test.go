package tree

import (
	"strings"
	"testing"
)

func TestYAMLFromJSON(t *testing.T) {
	long := strings.Repeat("x", 90)
	for _, tc := range []struct{ name, in, want string }{
		{"scalars", `{"a":1,"b":"x","c":true,"d":null,"e":1e-3}`, "a: 1\nb: x\nc: true\nd: null\ne: 1e-3\n"},
		{"short values in one line", `{"a":{"b":[1,"x y"]}}`, "a: {b: [1, \"x y\"]}\n"},
		{"long mapping", `{"a":{"b":"` + long + `","c":1}}`, "a:\n  b: " + long + "\n  c: 1\n"},
		{"long list", `{"a":["` + long + `",{"b":1}]}`, "a:\n  - " + long + "\n  - {b: 1}\n"},
		{"long mapping in a list", `{"a":[{"b":"` + long + `","c":[1]}]}`, "a:\n  - b: " + long + "\n    c: [1]\n"},
		{"long list in a list", `{"a":[["` + long + `yyyyyyyyyy",1]]}`, "a:\n  -\n    - " + long + "yyyyyyyyyy\n    - 1\n"},
		{"empty", `{"a":{},"b":[]}`, "a: {}\nb: []\n"},
		{"key order is kept", `{"b":1,"a":2}`, "b: 1\na: 2\n"},
	} {
		got, err := FromJSON([]byte(tc.in))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: got %q, %v\nwant %q", tc.name, got, err, tc.want)
		}
	}
	for _, bad := range []string{``, `{`, `[1`, `{"a"`, `{"a":`, `{"a":[`} {
		if got, err := FromJSON([]byte(bad)); err == nil {
			t.Errorf("%q was rewritten as %q", bad, got)
		}
	}
}

func TestTextThatOtherReadersWouldMistake(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"plain", "plain"},
		{"a-b_c.d/e", "a-b_c.d/e"},
		{"2^-20", "2^-20"},
		{"", `""`},
		{"no", `"no"`},
		{"Yes", `"Yes"`},
		{"off", `"off"`},
		{"null", `"null"`},
		{"NaN", `"NaN"`},
		{"inf", `"inf"`},
		{"1", `"1"`},
		{"0.5", `"0.5"`},
		{"~", `"~"`},
		{"a: b", `"a: b"`},
		{"#a", `"#a"`},
		{"a\nb", `"a\nb"`},
		{"<=", `"<="`},
		{"é", `"é"`},
	} {
		if got := yamlText(tc.in); got != tc.want {
			t.Errorf("yamlText(%q) = %s, want %s", tc.in, got, tc.want)
		}
	}
}
