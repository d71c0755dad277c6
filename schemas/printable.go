package schemas

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text in which every character that a reader could not see,
// or that could reorder or hide its neighbours, is written as its code point:
// control characters, line breaks, marks that turn the direction of writing,
// spaces other than U+0020, and characters without a width or a meaning. Letters
// of any script stay as they are. Messages, reports, summaries and lists of
// problems all write labels so, and a label reads the same in all of them.
// Whatever is Printable stays as it is. So does a label that holds ⟨U+202E⟩ as
// text.
//
// Special cases are:
//
//	Printable("a\nb") = "a⟨U+000A⟩b"
//	Printable("a\u202eb") = "a⟨U+202E⟩b"
//	a byte that is not UTF-8 is written ⟨0xFF⟩
func Printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "⟨0x%02X⟩", text[i])
		case hidden(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// hidden reports whether r has no mark of its own on paper. Unicode calls the
// Hangul fillers letters and variation selectors marks; both are invisible.
func hidden(r rune) bool {
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Quoted is Printable between quotation marks, with a backslash before those
// that stand in the text and before each backslash.
func Quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Printable(text)) + `"`
}
