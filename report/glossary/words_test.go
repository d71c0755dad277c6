package glossary

import (
	"slices"
	"strings"
	"testing"
)

// TestWords: in their order, each once, in whole sentences.
func TestWords(t *testing.T) {
	var names []string
	for _, w := range Words() {
		names = append(names, w.Word)
		if !strings.HasSuffix(w.Says, ".") || strings.Count(w.Says, ". ") > 0 || len(w.Says) > 220 {
			t.Errorf("%s: %q is no plain sentence", w.Word, w.Says)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("not in order, or twice: %q", names)
	}
}

// TestUsed: a word is used where it stands between others, in one of its forms.
func TestUsed(t *testing.T) {
	for text, want := range map[string]string{
		"Arms were played.":             "arm",
		"a charm, alarms":               "",
		"with ε = 0.25, σ = 1":          "epsilon sigma",
		"n = 3, p = 0.5":                "p-value",
		"The help, a map: pages":        "",
		"round_1":                       "",
		"Weighted averages: rounds.":    "round weighted estimate",
		"":                              "",
		"VACUOUS stands beside a bound": "vacuous",
	} {
		var got []string
		for _, w := range Used(text) {
			got = append(got, w.Word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q uses %q, want %q", text, got, want)
		}
	}
}
