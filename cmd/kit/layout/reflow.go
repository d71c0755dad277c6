package layout

import (
	"regexp"
	"strings"
)

// itemMark begins an item of a list.
var itemMark = regexp.MustCompile(`^ *(- |[0-9]+\. )`)

// Reflow breaks the paragraphs and items of a Markdown text into lines of at most width
// characters. Headings, tables and code stand as they are. Words longer than a line stay
// whole.
func Reflow(text string, width int) string {
	f := &flow{width: width}
	for line := range strings.Lines(text) {
		f.line(strings.TrimRight(line, "\n"))
	}
	f.end()
	return f.out.String()
}

// flow is a text on its way into lines.
type flow struct {
	out    strings.Builder
	width  int
	mark   string // what the first line of a paragraph begins with
	words  string // of the paragraph
	open   bool
	fenced bool // between two lines of backticks
}

func (f *flow) line(line string) {
	text := strings.TrimSpace(line)
	fence := strings.HasPrefix(text, "```")
	mark := itemMark.FindString(line)
	switch {
	case fence, f.fenced, strings.HasPrefix(line, "#"), strings.HasPrefix(line, "|"), text == "", !f.open && indented(line, mark):
		f.end()
		f.fenced = f.fenced != fence
		f.out.WriteString(line + "\n")
	case mark != "":
		f.end()
		f.mark, f.words, f.open = mark, strings.TrimPrefix(line, mark), true
	default:
		f.words, f.open = f.words+" "+text, true
	}
}

// indented reports whether a line that follows no paragraph is code, or more of an item. What
// looks like an item is code by four spaces.
func indented(line, mark string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "  ") && mark == ""
}

// end writes the paragraph that is open.
func (f *flow) end() {
	if !f.open {
		return
	}
	mark := f.mark
	for _, line := range Broken(f.words, f.width-len(mark)) {
		f.out.WriteString(mark + line + "\n")
		mark = strings.Repeat(" ", len(mark))
	}
	f.mark, f.words, f.open = "", "", false
}
