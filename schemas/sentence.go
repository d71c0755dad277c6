package schemas

import (
	"fmt"
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

// Counted writes a count with its noun: 1 row, 1,200 rows.
func Counted[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Grouped(int64(n)) + " " + noun + "s"
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
)

// What the intervals of an arm's mean are.
const (
	IntervalExact     = "Clopper–Pearson, exact"
	IntervalBets      = "sixteen fixed bets, exact"
	IntervalBernstein = "empirical Bernstein, exact"
)
