package schemas

// maxCandidates bounds how many words nearest looks at: a log may have tens of
// thousands of arms, and a protocol as many tests that misspell them.
const maxCandidates = 256

// nearest returns the word with the smallest edit distance to text among the
// first maxCandidates; the first of equals. Special cases are:
//
//	no words: ""
func nearest(text string, words []string) string {
	best, least := "", -1
	for _, w := range words[:min(len(words), maxCandidates)] {
		if d := EditDistance(text, w); least < 0 || d < least {
			best, least = w, d
		}
	}
	return best
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
