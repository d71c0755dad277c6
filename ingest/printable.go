package ingest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable escapes, as %q does, what could make a terminal do or show
// something else than the text says: control characters, line and paragraph
// separators, characters that turn the direction of writing, and bytes that
// are not UTF-8. Everything else stays as it is, letters of any script too.
func printable(s string) string {
	if strings.IndexFunc(s, treacherous) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case treacherous(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

func treacherous(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// causeText is an error's text on one line: errors that were joined, one to a
// line, are set apart by semicolons.
func causeText(err error) string {
	var many interface{ Unwrap() []error }
	if !errors.As(err, &many) {
		return err.Error()
	}
	lines, parts := []string{}, []string{}
	for _, e := range many.Unwrap() {
		lines, parts = append(lines, e.Error()), append(parts, causeText(e))
	}
	return strings.Replace(err.Error(), strings.Join(lines, "\n"), strings.Join(parts, "; "), 1)
}
