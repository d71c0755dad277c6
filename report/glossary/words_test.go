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
