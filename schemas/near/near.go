// Package near finds the word that was meant where another was written.
package near

import (
	"fmt"
	"strings"
)

// maxCandidates bounds how many words closest looks at: a log may have tens of
// thousands of arms, and a protocol as many tests that misspell them.
const maxCandidates = 256

// Word returns the word that is closest to text, if it is near: if they
// differ in at most half of the characters of text, and in one where that is
// none. Two letters that changed places count twice. Special cases are:
//
//	no word is near: ""
func Word(text string, words []string) string {
	best := Closest(text, words)
	if EditDistance(text, best) > max(1, len(clipped(text))/2) {
		return ""
	}
	return best
}

// Closest returns the word with the smallest edit distance to text among the
// first maxCandidates; the first of equals. Special cases are:
//
//	no words: ""
func Closest(text string, words []string) string {
	best, least := "", -1
	for _, w := range words[:min(len(words), maxCandidates)] {
		if d := EditDistance(text, w); least < 0 || d < least {
			best, least = w, d
		}
	}
	return best
}

// maxListed bounds how many words a message lists.
const maxListed = 10

// Among ends the sentence that text is none of the words: with the nearest one,
// or with the first of them where none is near, written by quote. Special cases
// are:
//
//	no words: ""
func Among(text string, words []string, quote func(string) string) string {
	if near := Word(text, words); near != "" {
		return "; the nearest is " + quote(near)
	}
	if len(words) == 0 {
		return ""
	}
	listed := make([]string, 0, maxListed+1)
	for _, w := range words[:min(len(words), maxListed)] {
		listed = append(listed, quote(w))
	}
	if more := len(words) - maxListed; more > 0 {
		listed = append(listed, fmt.Sprintf("and %d more", more))
	}
	return "; there are: " + strings.Join(listed, ", ")
}

// maxCompared bounds the characters that EditDistance looks at: no word of the
// protocol is longer, and a hostile key may be a megabyte.
const maxCompared = 64

// EditDistance is the Levenshtein distance of a and b in characters: the least
// number of insertions, deletions and replacements that turn one into the
// other. It looks at the first 64 characters of each. Hints such as "did you
// mean" are made from it.
//
//	D[i][j] = min(D[i-1][j] + 1, D[i][j-1] + 1, D[i-1][j-1] + [a_i ≠ b_j])
func EditDistance(a, b string) int {
	s, t := clipped(a), clipped(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j, d := range t {
			cost := diagonal
			if c != d {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(t)]
}

func clipped(text string) []rune {
	s := []rune(text)
	return s[:min(len(s), maxCompared)]
}
