package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// flat writes rows as "setting = value @ pointer".
func flatRows(rows []page.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Cells[0].Spans[0].Text+" = "+r.Cells[1].Spans[0].Text+" @ "+r.Pointer)
	}
	return out
}

func TestProtocolRows(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", ``, nil},
		{"empty object", `{}`, []string{"— = none @ /protocol"}},
		{"order of the file is kept, numbers as written", `{"b":1.50,"a":{"z":true,"y":null}}`, []string{"b = 1.50 @ /protocol/b", "a = z: true; y: null @ /protocol/a"}},
		{"list of words", `{"arms":["a","","b|c"]}`, []string{"arms = a, ⟨empty⟩, b|c @ /protocol/arms"}},
		{"empty list", `{"arms":[]}`, []string{"arms = none @ /protocol/arms"}},
		{"objects in a list are named by their id", `{"tests":[{"id":"H1","mean":0.5,"joint":{"age":0}},{"mean":1}]}`, []string{"tests › H1 = id: H1; mean: 0.5; joint: [age: 0] @ /protocol/tests/0", "tests › 1 = mean: 1 @ /protocol/tests/1"}},
		{"key with a slash", `{"a/b~c":{"d":"e"}}`, []string{"a/b~c = d: e @ /protocol/a~1b~0c"}},
		{"scalar", `"x"`, []string{"— = x @ /protocol"}},
	} {
		rows, err := protocolRows(json.RawMessage(tc.in))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(tc.want, flatRows(rows)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, diff)
		}
	}
}

func TestProtocolRowsErrors(t *testing.T) {
	for _, in := range []string{`{`, `{"a":`, `{"a"}`, `[1,`, `x`} {
		if _, err := protocolRows(json.RawMessage(in)); err == nil || !strings.Contains(err.Error(), "protocol") {
			t.Errorf("protocolRows(%q): error %v", in, err)
		}
	}
}

func TestLongListsAreCut(t *testing.T) {
	raw := `{"arms":["` + strings.Repeat(`a","`, 150) + `a"]}`
	rows, err := protocolRows(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	if got := flatRows(rows)[0]; !strings.Contains(got, "… and 51 more") {
		t.Errorf("151 arms are shown as %q", got)
	}
}

// TestUndeclared: what is left out of the protocol is said, with what follows.
func TestUndeclared(t *testing.T) {
	var names []string
	for _, r := range undeclared(&digest.Protocol{}) {
		names = append(names, r.Cells[0].Spans[0].Text)
	}
	want := []string{"policy", "counter", "privacy", "log › propensity", "log › unit", "experiment › stopping", "analysis › tests"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	p, err := digest.ReadProtocol(digested(homepage()))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(undeclared(&p)); got != 2 { // propensity and unit
		t.Errorf("homepage leaves out %d settings, want 2", got)
	}
}

// FuzzProtocolRows states that any JSON is shown or refused, and that every
// row of it has its three cells.
func FuzzProtocolRows(f *testing.F) {
	f.Add([]byte(homepageProtocol))
	f.Add([]byte(openBandit().Protocol))
	f.Add([]byte(hostile().Protocol))
	f.Add([]byte(`[[[{"a":[{}]}]]]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		rows, err := protocolRows(raw)
		if err != nil {
			return
		}
		for _, r := range rows {
			if len(r.Cells) != 2 || !strings.HasPrefix(r.Pointer, "/protocol") {
				t.Fatalf("row %+v", r)
			}
		}
	})
}

// meaningOf is the meaning of a setting, or of the group it belongs to.
func meaningOf(m meanings, path []string) string {
	for n := len(path); n > 0; n-- {
		if text := m[strings.Join(path[:n], ".")]; text != "" {
			return text
		}
	}
	return ""
}

// eachLeaf visits the paths of all settings.
func eachLeaf(v any, path []string, visit func(path []string)) {
	object, ok := v.(map[string]any)
	if !ok {
		visit(path)
	}
	for key, of := range object {
		eachLeaf(of, append(slices.Clip(path), key), visit)
	}
}

// TestMeanings: every setting says what it is, by itself or by its group.
func TestMeanings(t *testing.T) {
	for path, want := range map[string]string{
		"log.action":                "the arm that was played",
		"log.context":               "what was known before the choice; regressions read it",
		"policy.width.delta":        "confidence width of the index",
		"policy.lambda":             "ridge: the matrix of an arm starts from so much times the identity",
		"policy.hat":                "a parameter of the policy",
		"analysis.tests.H1":         "a hypothesis of the family",
		"analysis.evaluate.uniform": "what the auditor asked",
		"analysis.approximate":      "whether a raw p that holds for many rounds only may decide a test: refuse leaves such a test undecided, accept lets it decide and marks it approximate",
		"privacy.epsilon":           "the claim about the mechanism",
	} {
		if got := meaningOf(settingMeanings(ofPolicies()), strings.Split(path, ".")); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	var declared any
	if err := json.Unmarshal(homepage().Protocol, &declared); err != nil {
		t.Fatal(err)
	}
	eachLeaf(declared, nil, func(path []string) {
		if meaningOf(settingMeanings(ofPolicies()), path) == "" {
			t.Errorf("%s says nothing", path)
		}
	})
	if got := meaningOf(settingMeanings(nil), nil); got != "" {
		t.Errorf("nothing means %q", got)
	}
}

// The report says what could have been chosen without a commitment, and names the one
// that there is.
func TestCommitmentIsNamed(t *testing.T) {
	r := homepage()
	for _, c := range []*schemas.Commitment{nil, {SHA256: strings.Repeat("ab", 32)}} {
		r.Commitment = c
		var text bytes.Buffer
		if err := Markdown(&text, digested(r)); err != nil {
			t.Fatal(err)
		}
		if none := strings.Contains(text.String(), "No commitment to this protocol"); none != (c == nil) || c != nil && !strings.Contains(text.String(), c.SHA256) {
			t.Errorf("of commitment %v: none is said to be there: %v", c, none)
		}
	}
}
