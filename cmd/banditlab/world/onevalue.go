package world

import "strings"

// isScalar reports whether text, put into a line of YAML, is one plain scalar
// there, also between braces. It is narrower than YAML, and holds all numbers
// and names.
func isScalar(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && !strings.ContainsAny(text, "\n\r#,[]{}\"'") && !strings.Contains(text, ": ") && !strings.HasSuffix(text, ":")
}

// isOneValue reports whether text, put into a line of YAML, is one value there:
// a plain scalar, or one list or mapping whose last bracket closes the first.
func isOneValue(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '[' && text[0] != '{' {
		return isScalar(text)
	}
	if strings.ContainsAny(text, "\n\r#\"'") {
		return false // no parameter has a text in it
	}
	var open []byte
	for i := range len(text) {
		switch c := text[i]; c {
		case '[', '{':
			open = append(open, c)
		case ']', '}':
			last := len(open) - 1
			if last < 0 || open[last] != c-2 { // in ASCII a bracket closes two after it opens
				return false
			}
			if open = open[:last]; last == 0 {
				return i == len(text)-1
			}
		}
	}
	return false
}
