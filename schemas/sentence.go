package schemas

import (
	"strconv"
	"strings"
)

// Grouped writes a count with commas between thousands, as every sentence and
// table for a reader has it.
//
// Special cases are:
//
//	Grouped(-1234) = "-1,234"
func Grouped(n int64) string {
	s, sign := strconv.FormatInt(n, 10), ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Named writes the label of an arm or an experiment for a sentence: as it is,
// but between quotation marks where a reader could not see where it begins or
// ends.
//
// Special cases are:
//
//	Named("") = `""`
//	Named("a ") = `"a "`
func Named(label string) string {
	if label == "" || strings.TrimSpace(label) != label {
		return `"` + label + `"`
	}
	return label
}
