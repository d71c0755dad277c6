package page

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"banditaudit/schemas"
)

func TestVisibleCutsLongText(t *testing.T) {
	got := Visible(strings.Repeat("é", maxText+7))
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
		if got := Label(tc.in); got != tc.want {
			t.Errorf("%s: label(%q) = %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestLabels(t *testing.T) {
	if got := LabelList(nil); got != "none" {
		t.Errorf("labels(nil) = %q, want none", got)
	}
	if got := LabelList([]string{"a", "", "b"}); got != "a, ⟨empty⟩, b" {
		t.Errorf("labels = %q", got)
	}
	if got := LabelList(make([]string, 103)); !strings.HasSuffix(got, ", … and 3 more") {
		t.Errorf("labels of 103 names ends %q", got[len(got)-30:])
	}
}

func TestWords(t *testing.T) {
	if got := schemas.Counted(1, "test") + ", " + schemas.Counted(2000, "test"); got != "1 test, 2,000 tests" {
		t.Errorf("plural = %q", got)
	}
	if got := OrDash("") + OrDash("x") + Sentence("y") + Sentence("z."); got != "—xy.z." {
		t.Errorf("words and sentence = %q", got)
	}
}

// FuzzVisible states that whatever was logged, what is printed can be seen,
// stays on its line and reads in one direction.
func FuzzVisible(f *testing.F) {
	for _, s := range hostileTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{Visible(s), Label(s)} {
			if !utf8.ValidString(got) {
				t.Fatalf("%q became %q, which is not UTF-8", s, got)
			}
			for _, r := range got {
				if schemas.Printable(string(r)) != string(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("%q became %q, which holds %U", s, got, r)
				}
			}
		}
		if Label(s) == "" {
			t.Fatalf("label(%q) is empty", s)
		}
	})
}

// hostileTexts are texts as an attacker, or an accident, would log them.
func hostileTexts() []string {
	return []string{
		"<script>alert(1)</script>", "a|b", "](http://x)", "two\nlines", "rtl\u202Egnp.exe", "`tick``s`", "", " padded ", "**bold** _x_ ~~s~~",
		"\u200bzero", "\u115f\ufe0f", "--></style><!--", `"quoted' & co`, "www.example.org", "{{.Title}}", "=1+1", "@SUM(A1)", "\x1b]0;t\x07", "\x00\x1b[31m",
	}
}
