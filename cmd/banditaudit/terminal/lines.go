// Package terminal prints what commands found as tables and lines for a terminal: the
// text between is not to be read by programs, for which there is --json.
package terminal

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"banditaudit/schemas"
)

// columns starts an aligned table, without blanks at the ends of lines.
func columns(w io.Writer) *tabwriter.Writer {
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

// Count is a number with its noun: 1 file, 2 files.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// readOn ends a text that is cut.
const readOn = " … see the report"

// cut shortens what has more characters than there is room for, at a space where it
// has one: the report and results.json have all of it.
func cut(text string, room int) string {
	r := []rune(text)
	if len(r) <= room {
		return text
	}
	short := string(r[:room-len([]rune(readOn))])
	if i := strings.LastIndexByte(short, ' '); i > len(short)/2 {
		short = short[:i]
	}
	return strings.TrimRight(short, " .,;:—") + readOn
}

// Printable is schemas.Printable for a text of several lines.
func Printable(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = schemas.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}
