package cell

import "strconv"

// TextNumbers looks whether the values of a text column are plain decimal numbers, with
// whole parts of several lengths. As text they are compared byte by byte, where "10"
// comes before "9".
type TextNumbers struct {
	other       bool // some value is no such number
	seen        bool
	least, most int // lengths of the whole parts, with a sign
}

// Look looks at the values of a block that are not null.
func (t *TextNumbers) Look(texts [][]byte, null []bool) {
	for i, text := range texts {
		if t.other {
			return
		}
		if i < len(null) && null[i] {
			continue
		}
		n := wholePart(text)
		if n == 0 {
			t.other = true
			return
		}
		if !t.seen {
			t.least, t.most, t.seen = n, n, true
		}
		t.least, t.most = min(t.least, n), max(t.most, n)
	}
}

// Misleads reports whether byte by byte is not the order of the numbers.
func (t *TextNumbers) Misleads() bool { return !t.other && t.least < t.most }

// Widths says how long the whole parts of numbers are: "3 digits", "several lengths", or ""
// where some value is no number. Parts of a column that have the same are, together, what each is.
func (t *TextNumbers) Widths() string {
	switch {
	case t.other || !t.seen:
		return ""
	case t.least < t.most:
		return "several lengths"
	}
	return strconv.Itoa(t.least) + " digits"
}

// wholePart is the length of what stands before the point in a decimal number, 0 where
// the text is none.
func wholePart(text []byte) int {
	whole, digits := len(text), 0
	for i, b := range text {
		switch {
		case b >= '0' && b <= '9':
			digits++
		case b == '.' && whole == len(text) && digits > 0:
			whole = i
		case (b == '-' || b == '+') && i == 0:
		default:
			return 0
		}
	}
	if digits == 0 {
		return 0
	}
	return whole
}
