package schemas

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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

// Counted writes a count with its noun: 1 row, 1,200 rows.
func Counted[N int | int64](n N, noun string) string { return Plural(n, noun, noun+"s") }

// Plural writes a count with one of two words: 1 batch, 2 batches.
func Plural[N int | int64](n N, one, many string) string {
	return Grouped(int64(n)) + " " + Agree(n, one, many)
}

// Agree returns the word that agrees with a count: is, are.
func Agree[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// AndList writes names with commas and an and: a, b and c.
func AndList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// FirstOf lists the first names, and how many more there are: a, b, 2 more.
func FirstOf(names []string, most int) string {
	if n := len(names) - most; n > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}

// leastP is the smallest p that is written out; a smaller one may have underflowed.
const leastP = 1e-300

// PValue writes a p for a sentence or a table: 0.0123, below 1e-300.
//
// Special cases are:
//
//	PValue(0) = "below 1e-300"
//	PValue(NaN) = "NaN"
func PValue(p float64) string {
	if p < leastP {
		return "below 1e-300"
	}
	return fmt.Sprintf("%.3g", p)
}

// PIs writes a p behind its name: p = 0.0123, p below 1e-300.
func PIs(p float64) string {
	if p < leastP {
		return "p " + PValue(p)
	}
	return "p = " + PValue(p)
}

// Named writes the label of an arm or an experiment for a sentence: as it is,
// but between quotation marks where it begins or ends with a space, or is empty.
// Other characters that nobody sees are for Printable to show.
//
// Special cases are:
//
//	Named("") = `""`
//	Named("a ") = `"a "`
func Named(label string) string {
	if label == "" || strings.Trim(label, " ") != label {
		return `"` + label + `"`
	}
	return label
}

// Sentences of results that a reader of results knows again. They stand here
// once, for whoever writes them and for whoever looks for them.
const (
	// SeedSentence is the reason beside a replay that a seed verified.
	SeedSentence = "A seed verifies the arithmetic, not that the deployment's randomness was secret and fresh."
	// UndrawnSentence is the reason beside a replay that needed no seed.
	UndrawnSentence = "Nothing is drawn: the declared rule and the logged rewards give every action, and no seed was needed."
	// ArmsNotApplicable begins the warning that arms have no bias bound and no
	// corrected interval; the reason follows.
	ArmsNotApplicable = "arms: bias_bound, sigma and ci_corrected are NOT APPLICABLE: "
	// WhatFits stands in a reason between where a log contradicts its protocol and
	// what explains it.
	WhatFits = ". What fits: "
	// LevelHolds begins the sentence of a reason that says when an honest log is accused
	// too.
	LevelHolds = "The level holds "
)

// What the intervals of an arm's mean are.
const (
	IntervalExact     = "Clopper–Pearson, exact"
	IntervalBets      = "sixteen fixed bets, exact"
	IntervalBernstein = "empirical Bernstein, exact"
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
