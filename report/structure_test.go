package report

import (
	"regexp"
	"strings"
	"testing"
)

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
