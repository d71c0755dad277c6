package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/attest/compare"
)

// The first place that differs, with what stands there.
func TestFirst(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, tc := range []struct{ name, a, b, want string }{
		{"x.json", `{"a": 1}`, `{"a": 1}`, ""},
		{"x.json", `{"a": 1}`, `{"a": 2}`, "/a 1 2"},
		{"x.json", `{"a": 1}`, `{"a": 1.0}`, "/a 1 1.0"},
		{"x.json", `{"a": [1, {"b/c": "x"}]}`, `{"a": [1, {"b/c": "y"}]}`, `/a/1/b~1c "x" "y"`},
		{"x.json", `{"a": [1]}`, `{"a": [1, 2]}`, "/a/1 nothing 2"},
		{"x.json", `{"a": 1}`, `{"a": 1, "b": 2}`, "/b nothing 2"},
		{"x.json", `{"a": {"s": {"h": 1}}, "b": 1}`, `{"a": {}, "b": 1}`, "/a/s an object nothing"},
		{"x.json", `{"a": 1}`, `{"b": 1}`, `/a the member "a" the member "b"`},
		{"x.json", `{"a": {}}`, `{"a": []}`, "/a an object a list"},
		{"x.json", `{"a": null}`, `{"a": "null"}`, `/a null "null"`},
		{"x.json", `{"a": 1}`, `{"a": 1`, " nothing nothing"},
		{"x.json", `{"a": 1}`, `{"a":1}`, "byte 6 0x20 0x31"},
		{"x.md", "a\nb\n", "a\nc\n", "line 2 b c"},
		{"x.md", "a\n", "a\nb\n", "line 2 nothing b"},
		{"x.md", "a\n", "a", "byte 2 0x0a nothing"},
		{"x.md", "a\n\n", "a\nb", "line 2  b"},
		{"x.md", long + "a", long + "b", "byte 301 0x61 0x62"},
		{"x.md", long, "", "line 1 " + long[:200] + "… nothing"},
		{"x.parquet", "ab", "ac", "byte 2 0x62 0x63"},
	} {
		got := ""
		d, err := compare.First(tc.name, strings.NewReader(tc.a), strings.NewReader(tc.b))
		if err != nil {
			t.Error(err)
		}
		if d != nil {
			got = fmt.Sprintf("%s %s %s", d.At, d.A, d.B)
		}
		if got != tc.want {
			t.Errorf("%s %q %q: %q, want %q", tc.name, tc.a, tc.b, got, tc.want)
		}
	}
}

// All that differs: tests by their ids, by all their names where an id stands twice, and
// of what is gone its decision or itself.
func TestTrees(t *testing.T) {
	for _, tc := range []struct{ a, b, want string }{
		{`[{"id": "H1", "label": "x", "n": 1}]`, `[{"id": "H1", "label": "y", "n": 2}]`, `/H1/label "x" "y"; /H1/n 1 2; `},
		{`[{"id": "H", "label": "x", "n": 1}, {"id": "H", "label": "y", "n": 2}]`, `[{"id": "H", "label": "y", "n": 3}]`, `/H x {"id":"H","label":"x","n":1} nothing; /H y/n 2 3; `},
		{`{"t": [{"id": "H1", "decision": "rejected"}]}`, `{"t": []}`, `/t/H1/decision "rejected" nothing; `},
		{`{"t": []}`, `{"t": [{"id": "H1", "decision": "rejected"}]}`, `/t/H1/decision nothing "rejected"; `},
		{`[{"id": "e", "n": 1}, {"id": "e", "n": 1}]`, `[{"id": "e", "n": 1}]`, `/e#1 {"id":"e","n":1} nothing; `},
		{`{"ci": null}`, `{"ci": [0, 1]}`, `/ci null [0,1]; `},
		{`[{"label": "x"}, 1]`, `[{"label": "x"}, 1]`, ``},
	} {
		found, err := compare.Trees([]byte(tc.a), []byte(tc.b), 0)
		var b strings.Builder
		for _, d := range found {
			fmt.Fprintf(&b, "%s %s %s; ", d.At, d.A, d.B)
		}
		if got := b.String(); err != nil || got != tc.want {
			t.Errorf("%s %s: %q, want %q, %v", tc.a, tc.b, got, tc.want, err)
		}
	}
}
