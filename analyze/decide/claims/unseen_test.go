package claims

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestUnseenIsSaid: every kind of claim that is decided says what would pass it,
// policy.conformance for every kind of evidence, as parts of a sentence.
func TestUnseenIsSaid(t *testing.T) {
	for _, c := range Claims() {
		if (c.Decide != nil) != (len(c.Unseen) > 0) {
			t.Errorf("%s: %d lists of what would pass it", c.Kind, len(c.Unseen))
		}
		modes := map[string]bool{}
		for _, u := range c.Unseen {
			modes[u.Evidence] = true
			if (u.Evidence == "") != (u.By == "") || len(u.Words) == 0 {
				t.Errorf("%s: %+v", c.Kind, u)
			}
			for _, words := range u.Words {
				if words == "" || strings.HasSuffix(words, ".") || strings.ToLower(words[:1]) != words[:1] {
					t.Errorf("%s: %q is no part of a sentence", c.Kind, words)
				}
			}
		}
		for _, mode := range []string{schemas.ModeSeed, schemas.ModeReleased, schemas.ModePropensity, schemas.ModeNone} {
			if c.Kind == schemas.KindConformance && !modes[mode] {
				t.Errorf("%s does not say what passes by %s", c.Kind, mode)
			}
		}
	}
}
