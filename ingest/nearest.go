package ingest

import (
	"strings"

	"banditaudit/schemas"
)

// nearest returns the name that is most like the one asked for, or "" when
// none is: at most a third of the letters may have to change (Levenshtein
// distance, without regard to case).
func nearest(name string, names []string) string {
	best, bestDistance := "", len(name)/3+1
	for _, n := range names {
		if d := schemas.EditDistance(strings.ToLower(name), strings.ToLower(n)); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}
