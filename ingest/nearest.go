package ingest

import "strings"

// nearest returns the name that is most like the one asked for, or "" when
// none is: at most a third of the letters may have to change (Levenshtein
// distance, without regard to case).
func nearest(name string, names []string) string {
	best, bestDistance := "", len(name)/3+1
	for _, n := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two texts, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
