package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"banditaudit/report/glossary"
	"banditaudit/schemas"
)

const (
	dash      = "—"   // what is printed where a value does not exist
	maxLabel  = 120   // runes of a label that are printed in a table
	maxText   = 20000 // runes of any text: reasons name all that was looked at, and their ends say what to do
	maxFigure = 26    // runes of a label that are printed in a figure
)

// visible is schemas.Printable of a text that is cut, and says so, beyond 20,000
// characters.
func visible(s string) string {
	if len(s) > maxText { // fewer characters, perhaps
		if r := []rune(s); len(r) > maxText {
			return schemas.Printable(string(r[:maxText])) + fmt.Sprintf("… (%d characters in all)", len(r))
		}
	}
	return schemas.Printable(s)
}

// label prepares a name that came from the log: spelled out and cut to
// maxLabel.
func label(s string) string { return cut(spell(s), maxLabel) }

// spell makes a name visible, never empty, with the spaces shown that HTML or
// Markdown would swallow: between quotation marks where they begin or end it.
//
// Special cases are:
//
//	spell("") = "⟨empty⟩"
//	spell(" a  b") = `" a ⟨U+0020⟩b"`
func spell(s string) string {
	if s == "" {
		return "⟨empty⟩"
	}
	out := visible(s)
	var b strings.Builder
	for i := range len(out) {
		if out[i] == ' ' && i > 0 && out[i-1] == ' ' {
			b.WriteString("⟨U+0020⟩")
		} else {
			b.WriteByte(out[i])
		}
	}
	return schemas.Named(b.String())
}

// cut shortens s to at most n runes, the last of them an ellipsis.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}

// labels prepares a list of names; "none" when it is empty.
func labels(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	const most = 100
	out := make([]string, 0, len(names))
	for i, n := range names {
		if i == most {
			out = append(out, fmt.Sprintf("… and %d more", len(names)-most))
			break
		}
		out = append(out, label(n))
	}
	return strings.Join(out, ", ")
}

// plural returns "1 test" or "2 tests".
func plural[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return group(int64(n)) + " " + many
}

// words returns s, or a dash when there is nothing to say.
func words(s string) string {
	if s == "" {
		return dash
	}
	return s
}

// sentence ends s with a full stop.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// wordsUsed adds what the words that stand in the report mean.
func wordsUsed(b *builder, text string) {
	b.heading(2, "Glossary", "glossary")
	used := glossary.Used(text)
	b.opening("What do the words of this report mean?", plural(len(used), "of them stands", "of them stand")+" here, each in a sentence")
	t := table{RowHead: true, Columns: []column{{Title: "Word"}, {Title: "Meaning"}, {Title: "Formula"}, {Title: "Source"}}}
	for _, w := range used {
		t.Rows = append(t.Rows, row{Cells: []cell{txt(w.Word), txt(w.Says), txt(w.Formula), txt(w.Source)}})
	}
	b.add(t)
}

// textOf returns all that blocks say in words of their own.
func textOf(blocks []block) string {
	var out strings.Builder
	take := func(list []span) {
		for _, s := range list {
			out.WriteString(s.Text + " ")
		}
		out.WriteString("\n")
	}
	for _, b := range blocks {
		switch b := b.(type) {
		case heading:
			out.WriteString(b.Text + "\n")
		case para:
			take(b.Spans)
		case list:
			for _, it := range b.Items {
				take(it)
			}
		case table:
			out.WriteString(b.Caption + "\n")
			for _, c := range b.Columns {
				out.WriteString(c.Title + " " + c.Note + "\n")
			}
			for r := range b.Each() {
				for _, c := range r.Cells {
					take(c.Spans)
				}
			}
		case picture:
			out.WriteString(b.Caption + "\n")
		case fold:
			out.WriteString(b.Title + "\n" + textOf(b.Blocks))
		}
	}
	return out.String()
}
