package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown writes report.md: the same sentences and tables as HTML, in
// CommonMark with the tables of GitHub. Figures are linked by the names that
// Figures gives them. All text is escaped: no character of a log can begin a
// table cell, a link, code or an HTML element.
//
// It returns an error when r is nil, when its protocol is not JSON of the form
// of a protocol, or when w fails.
//
// Special cases are:
//
//	a value that does not exist is written —
//	a label that is empty is written ⟨empty⟩
//	more than 20 experiments: the first 20 in full, the others in the overview
func Markdown(w io.Writer, r *Digest) error {
	d, err := compose(r, false)
	if err != nil {
		return err
	}
	return writeMarkdown(w, d)
}

// writeMarkdown writes the blocks of a document.
func writeMarkdown(w io.Writer, d *document) error {
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

func (m *markdown) blocks(blocks []block) {
	for _, b := range blocks {
		m.block(b)
	}
}

func (m *markdown) block(b block) {
	switch b := b.(type) {
	case heading:
		m.heading(b)
	case para:
		m.para(b)
	case list:
		m.list(b)
	case table:
		m.table(b)
	case picture:
		m.put("![", escape(b.Title), "](", b.Name, ")\n\n", escape(b.Caption), "\n\n")
	case code:
		m.code(b)
	case fold:
		if b.ID != "" {
			m.heading(heading{Level: 3, Text: b.Title})
		} else {
			m.put("__", escape(b.Title), "__\n\n")
		}
		m.blocks(b.Blocks)
	}
}

func (m *markdown) heading(h heading) {
	m.put(strings.Repeat("#", h.Level), " ")
	if h.Number != "" {
		m.put(h.Number, " ")
	}
	m.put(escape(h.Text), "\n\n")
}

func (m *markdown) para(p para) {
	if p.Class != "" && p.Class != classOpening {
		m.put("> ")
	}
	m.put(startOfLine(spans(p.Spans)), "\n\n")
}

func (m *markdown) list(l list) {
	for _, it := range l.Items {
		m.put("- ", startOfLine(spans(it)), "\n")
	}
	m.put("\n")
}

func (m *markdown) code(c code) {
	for _, line := range c.Lines {
		m.put("    ", visible(line), "\n")
	}
	m.put("\n")
}

func (m *markdown) table(t table) {
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
		title := escape(words(c.Title))
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
func spans(list []span) string {
	var b strings.Builder
	for i, s := range list {
		if s.Text == "" {
			continue
		}
		if s.Break && i > 0 {
			b.WriteString(" · ")
		}
		switch s.Style {
		case styleCode:
			b.WriteString(codeSpan(s.Text))
		case styleStrong, styleBadge:
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
	s = visible(s)
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
	s = strings.ReplaceAll(visible(s), "|", "\\|")
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
