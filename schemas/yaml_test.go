package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
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
		got, err := yamlFromJSON([]byte(tc.in))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: got %q, %v\nwant %q", tc.name, got, err, tc.want)
		}
	}
	for _, bad := range []string{``, `{`, `[1`, `{"a"`, `{"a":`, `{"a":[`} {
		if got, err := yamlFromJSON([]byte(bad)); err == nil {
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

// TestAnyLabelsReadBack writes protocols whose labels are arbitrary text.
func TestAnyLabelsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfNDistinct(rapid.StringN(1, 40, -1), 1, 6, rapid.ID[string]).Draw(t, "labels")
		p := Protocol{
			Version: 1, Experiment: ExperimentSpec{ID: labels[0]}, Log: Log{Order: labels, Action: "a", Reward: "r"},
			Reward: RewardSpec{Range: []float64{0, rapid.Float64Range(1e-9, 1e9).Draw(t, "hi")}}, Arms: labels,
		}
		text, err := EncodeProtocol(&p)
		if err != nil {
			t.Fatal(err)
		}
		got, r := standard().read("p.yaml", text)
		if strings.ContainsRune(strings.Join(labels, ""), 0) {
			return // refused as no text; see TestTextThatIsNoProtocol
		}
		if len(r.problems) > 0 {
			t.Fatalf("%s\n%v", text, r.problems)
		}
		if d := cmp.Diff(p, got.Protocol); d != "" {
			t.Fatalf("%s\n(-before +after):\n%s", text, d)
		}
	})
}
