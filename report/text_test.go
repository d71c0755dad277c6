package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"banditaudit/schemas"
)

func TestVisibleCutsLongText(t *testing.T) {
	got := visible(strings.Repeat("é", maxText+7))
	if !strings.HasSuffix(got, "… (20007 characters in all)") || utf8.RuneCountInString(got) > maxText+40 {
		t.Errorf("visible of 4,007 characters has %d, ending %q", utf8.RuneCountInString(got), got[len(got)-40:])
	}
}

func TestLabel(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", "⟨empty⟩"},
		{"one space", " ", `" "`},
		{"padded", " a ", `" a "`},
		{"double space inside", " a  b", `" a ⟨U+0020⟩b"`},
		{"single spaces stay", "a b c", "a b c"},
		{"long", strings.Repeat("ab", maxLabel), strings.Repeat("ab", maxLabel/2-1) + "a…"},
	} {
		if got := label(tc.in); got != tc.want {
			t.Errorf("%s: label(%q) = %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestLabels(t *testing.T) {
	if got := labels(nil); got != "none" {
		t.Errorf("labels(nil) = %q, want none", got)
	}
	if got := labels([]string{"a", "", "b"}); got != "a, ⟨empty⟩, b" {
		t.Errorf("labels = %q", got)
	}
	if got := labels(make([]string, 103)); !strings.HasSuffix(got, ", … and 3 more") {
		t.Errorf("labels of 103 names ends %q", got[len(got)-30:])
	}
}

func TestWords(t *testing.T) {
	if got := plural(1, "test", "tests") + ", " + plural(2000, "test", "tests"); got != "1 test, 2,000 tests" {
		t.Errorf("plural = %q", got)
	}
	if got := words("") + words("x") + sentence("y") + sentence("z."); got != "—xy.z." {
		t.Errorf("words and sentence = %q", got)
	}
}

// FuzzVisible states that whatever was logged, what is printed can be seen,
// stays on its line and reads in one direction.
func FuzzVisible(f *testing.F) {
	for _, s := range hostileNames() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{visible(s), label(s)} {
			if !utf8.ValidString(got) {
				t.Fatalf("%q became %q, which is not UTF-8", s, got)
			}
			for _, r := range got {
				if schemas.Printable(string(r)) != string(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("%q became %q, which holds %U", s, got, r)
				}
			}
		}
		if label(s) == "" {
			t.Fatalf("label(%q) is empty", s)
		}
	})
}
