package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"banditaudit/schemas"
)

// Lengths of text.
const (
	maxLabel  = 120   // runes of a label that are printed in a table
	maxText   = 20000 // runes of any text: a long reason says at its end what to do
	MaxFigure = 26    // runes of a label that are printed in a figure
)

// Visible is schemas.Printable of a text that is cut, and says so, beyond 20,000
// characters.
func Visible(s string) string {
	if len(s) > maxText { // fewer characters, perhaps
		if r := []rune(s); len(r) > maxText {
			return schemas.Printable(string(r[:maxText])) + fmt.Sprintf("… (%d characters in all)", len(r))
		}
	}
	return schemas.Printable(s)
}

// Label prepares a name that came from the log: spelled out and cut to
// 120 characters.
func Label(s string) string { return Cut(Spell(s), maxLabel) }

// Spell makes a name visible, never empty, with the spaces shown that HTML or
// Markdown would swallow: between quotation marks where they begin or end it.
//
// Special cases are:
//
//	Spell("") = "⟨empty⟩"
//	Spell(" a  b") = `" a ⟨U+0020⟩b"`
func Spell(s string) string {
	if s == "" {
		return "⟨empty⟩"
	}
	out := Visible(s)
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

// Cut shortens s to at most n runes, the last of them an ellipsis.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}

// LabelList prepares a list of names; "none" when it is empty.
func LabelList(names []string) string {
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
		out = append(out, Label(n))
	}
	return strings.Join(out, ", ")
}

// OrDash returns s, or a dash where s is empty.
func OrDash(s string) string {
	if s == "" {
		return Dash
	}
	return s
}

// Sentence ends s with a full stop.
func Sentence(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Capital makes the first letter of s a capital where that letter is a to z: ε stays ε.
func Capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
