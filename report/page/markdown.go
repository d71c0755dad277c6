package page

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WriteMarkdown writes a document in CommonMark with the tables of GitHub. All text is
// escaped: no character of a log can begin a table cell, a link, code or an HTML element.
func WriteMarkdown(w io.Writer, d *Document) error {
	m := &markdown{w: bufio.NewWriter(w)}
	m.blocks(d.Blocks)
	if err := m.w.Flush(); err != nil {
		return fmt.Errorf("report: writing Markdown: %w", err)
	}
	return nil
}

// markdown writes blocks; the buffered writer keeps the first error.
type markdown struct{ w *bufio.Writer }

func (m *markdown) put(parts ...string) {
	for _, p := range parts {
		_, _ = m.w.WriteString(p) // Flush reports it
	}
}

func (m *markdown) blocks(blocks []Block) {
	for _, b := range blocks {
		m.block(b)
	}
}

func (m *markdown) block(b Block) {
	switch b := b.(type) {
	case Heading:
		m.heading(b)
	case Para:
		m.para(b)
	case List:
		m.list(b)
	case Table:
		m.table(b)
	case Picture:
		m.put("![", escape(b.Title), "](", b.Name, ")\n\n", escape(b.Caption), "\n\n")
	case Code:
		m.code(b)
	case Fold:
		if b.ID != "" {
			m.heading(Heading{Level: 3, Text: b.Title})
		} else {
			m.put("__", escape(b.Title), "__\n\n")
		}
		m.blocks(b.Blocks)
	}
}

func (m *markdown) heading(h Heading) {
	m.put(strings.Repeat("#", h.Level), " ")
	if h.Number != "" {
		m.put(h.Number, " ")
	}
	m.put(escape(h.Text), "\n\n")
}

func (m *markdown) para(p Para) {
	if p.Class != "" && p.Class != ClassOpening {
		m.put("> ")
	}
	m.put(startOfLine(spans(p.Spans)), "\n\n")
}

func (m *markdown) list(l List) {
	for _, it := range l.Items {
		m.put("- ", startOfLine(spans(it)), "\n")
	}
	m.put("\n")
}

func (m *markdown) code(c Code) {
	for _, line := range c.Lines {
		m.put("    ", Visible(line), "\n")
	}
	m.put("\n")
}

func (m *markdown) table(t Table) {
	if t.Caption != "" {
		m.put("__", escape(t.Caption), "__")
	}
	if t.Caption != "" && t.Pointer != "" {
		m.put(" (", codeSpan(t.Pointer), ")")
	}
	if t.Caption != "" {
		m.put("\n\n")
	}
	for _, c := range t.Columns {
		title := escape(OrDash(c.Title))
		if c.Title == "" {
			title = " "
		}
		m.put("| ", title)
		if c.Note != "" {
			m.put(" (", escape(c.Note), ")")
		}
		m.put(" ")
	}
	m.put("|\n")
	for _, c := range t.Columns {
		if c.Numeric {
			m.put("| ---: ")
		} else {
			m.put("| --- ")
		}
	}
	m.put("|\n")
	for r := range t.Each() {
		for _, c := range r.Cells {
			m.put("| ", spans(c.Spans), " ")
		}
		m.put("|\n")
	}
	m.put("\n")
}

// spans writes inline text.
func spans(list []Span) string {
	var b strings.Builder
	for i, s := range list {
		if s.Text == "" {
			continue
		}
		if s.Break && i > 0 {
			b.WriteString(" · ")
		}
		switch s.Style {
		case StyleCode:
			b.WriteString(codeSpan(s.Text))
		case StyleStrong, styleBadge:
			b.WriteString("__" + escape(s.Text) + "__")
		case "", styleSmall:
			b.WriteString(escape(s.Text))
		}
	}
	return b.String()
}

// escape makes text literal in Markdown, in a paragraph as in a table cell.
// Only what would be read as markup is escaped, so that the source stays
// readable.
func escape(s string) string {
	s = Visible(s)
	var b strings.Builder
	before := ' '
	for i, r := range s {
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '@':
			b.WriteString("&#64;") // a backslash does not stop an automatic mail link
		case '\\', '`', '*', '[', ']', '|', '~', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '_':
			if !wordy(before) || !wordy(after) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case ':', '.':
			if autolink(s[:i], s[i:]) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// autolink reports whether rest begins the part of a bare link by which
// GitHub's Markdown knows it: the colon of a scheme, the point after www.
func autolink(head, rest string) bool {
	return strings.HasPrefix(rest, "://") || strings.HasSuffix(strings.ToLower(head), "www")
}

// startOfLine escapes what would begin a heading, list or rule at the start of
// a line; text is escaped already.
func startOfLine(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("#+-=", rune(s[0])) {
		return "\\" + s
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')') {
		return s[:digits] + "\\" + s[digits:]
	}
	return s
}

// codeSpan writes text as code, with a fence longer than any run of backticks
// in it; a pipe would end a table cell even there.
func codeSpan(s string) string {
	s = strings.ReplaceAll(Visible(s), "|", "\\|")
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
