// Package layout breaks text into lines and aligned tables for a terminal.
package layout

import (
	"bytes"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"banditaudit/schemas"
)

// Look is how a summary is printed.
type Look struct {
	Width  int  // characters of a line that words fill
	Colour bool // words of the overall line and of verdicts have colours
}

// Columns starts an aligned table, without blanks at the ends of lines.
func Columns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(&unpadded{to: w}, 0, 4, 2, ' ', 0)
}

// unpadded cuts the blanks that an aligned table leaves at the end of a line.
type unpadded struct {
	to   io.Writer
	line []byte // begun and not ended
}

// Write implements io.Writer.
func (u *unpadded) Write(b []byte) (int, error) {
	u.line = append(u.line, b...)
	for {
		line, rest, ended := bytes.Cut(u.line, []byte("\n"))
		if !ended {
			return len(b), nil
		}
		if _, err := u.to.Write(append(bytes.TrimRight(line, " "), '\n')); err != nil {
			return 0, err
		}
		u.line = append([]byte{}, rest...)
	}
}

// Broken breaks a text between words into lines of at most width characters.
func Broken(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// Printable is schemas.Printable for a text of several lines.
func Printable(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = schemas.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}
