package page

import (
	"regexp"
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"words", "arm 1, 0.5 (two-sided)", "arm 1, 0.5 (two-sided)"},
		{"element", "<b>&amp;", "&lt;b&gt;&amp;amp;"},
		{"pipe", "a|b", `a\|b`},
		{"link", "](http://x)", `\](http\://x)`},
		{"bare links", "www.example.org https://x ftp://y", `www\.example.org https\://x ftp\://y`},
		{"capital bare link", "WWW.example.org", `WWW\.example.org`},
		{"mail", "a@b.org", "a&#64;b.org"},
		{"backticks and backslash", "`a\\", "\\`a\\\\"},
		{"emphasis", "*a* _b_ snake_case ~~c~~", `\*a\* \_b\_ snake_case \~\~c\~\~`},
		{"mathematics", "$x$", `\$x\$`},
		{"newline", "a\n# b", "a⟨U+000A⟩# b"},
	} {
		if got := escape(tc.in); got != tc.want {
			t.Errorf("%s: escape(%q) = %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestStartOfLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "word": "word", "# h": `\# h`, "- i": `\- i`, "+ i": `\+ i`, "=== x": `\=== x`,
		"1. i": `1\. i`, "23) i": `23\) i`, "1 i": "1 i", "2024": "2024", "0.5": `0\.5`,
	} {
		if got := startOfLine(in); got != want {
			t.Errorf("startOfLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCodeSpan(t *testing.T) {
	for in, want := range map[string]string{
		"/a/b": "`/a/b`", "a|b": "`a\\|b`", "`x``y": "``` `x``y ```", "": "``",
	} {
		if got := codeSpan(in); got != want {
			t.Errorf("codeSpan(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzEscape states that no text can end a table cell, begin an element, a
// link or an emphasis, or begin a line.
func FuzzEscape(f *testing.F) {
	for _, s := range hostileTexts() {
		f.Add(s)
	}
	literal := regexp.MustCompile(`\\[[:punct:]]`)
	entity := regexp.MustCompile(`&(amp|lt|gt|#64);`)
	f.Fuzz(func(t *testing.T, s string) {
		got := escape(s)
		bare := entity.ReplaceAllString(literal.ReplaceAllString(got, ""), "")
		if strings.ContainsAny(bare, "|<>*`[]&@~$\n\r") {
			t.Fatalf("escape(%q) = %q leaves markup %q", s, got, bare)
		}
	})
}
