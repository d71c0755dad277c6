package report

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

// TestMarkdownStructure: in every fixture, every row of a table has the cells
// of its head, no element begins outside code, no star and no link is left
// but those to our figures, and no line begins a block that we did not begin.
func TestMarkdownStructure(t *testing.T) {
	literal := regexp.MustCompile("``` .*? ```|``+ .*? ``+|`[^`]*`|\\\\.")
	figure := regexp.MustCompile(`^!\[[^\]]*\]\(figures/[a-z0-9-]+\.svg\)$`)
	for name := range fixtures() {
		cells := 0
		for n, line := range strings.Split(renderMarkdown(name), "\n") {
			bare := literal.ReplaceAllString(line, "")
			switch {
			case strings.HasPrefix(line, "    "): // code
				continue
			case strings.HasPrefix(line, "|"):
				got := strings.Count(bare, "|")
				if cells == 0 {
					cells = got
				}
				if got != cells {
					t.Errorf("%s.md:%d: %d cell borders, the head has %d: %s", name, n+1, got, cells, line)
				}
			case line == "":
				cells = 0
			case figure.MatchString(line):
				continue
			case !regexp.MustCompile(`^(#{1,3} |- |> |__|[^\s#>|=+-])`).MatchString(line):
				t.Errorf("%s.md:%d begins a block of its own: %q", name, n+1, line)
			}
			if strings.ContainsAny(strings.TrimPrefix(bare, ">"), "<>*") || strings.Contains(bare, "](") || strings.Contains(bare, "://") {
				t.Errorf("%s.md:%d holds markup: %q", name, n+1, line)
			}
		}
	}
}

// FuzzEscape states that no text can end a table cell, begin an element, a
// link or an emphasis, or begin a line.
func FuzzEscape(f *testing.F) {
	for _, s := range hostileNames() {
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
