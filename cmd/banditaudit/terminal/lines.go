// Package terminal prints what commands found as tables and lines for a terminal: the
// text between is not to be read by programs, for which there is --json.
package terminal

import (
	"fmt"
	"strings"
)

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
