package fault

import (
	"strings"

	"banditaudit/schemas/near"
)

// Nearest returns the name that is most like the one asked for, or "" when
// none is: at most a third of the letters may have to change (Levenshtein
// distance, without regard to case).
func Nearest(name string, names []string) string {
	best, bestDistance := "", len(name)/3+1
	for _, n := range names {
		if d := near.EditDistance(strings.ToLower(name), strings.ToLower(n)); d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// LookAlike returns the name that a label looks like, and how the two differ: by blanks
// around it, or by capital letters; "" where none does.
func LookAlike(label string, names []string) (name, how string) {
	bare := strings.TrimSpace(label)
	for _, n := range names {
		if strings.TrimSpace(n) == bare && n != label {
			return n, blanks(label, n)
		}
	}
	for _, n := range names {
		if strings.EqualFold(strings.TrimSpace(n), bare) && n != label {
			return n, "capital letters"
		}
	}
	return "", ""
}

// blanks says how a label differs from a name that is the same but for blanks around it.
func blanks(label, name string) string {
	rest, more := strings.CutPrefix(label, name)
	switch {
	case more && len(rest) == 1:
		return "a blank at the end"
	case strings.HasSuffix(label, name) && len(label) == len(name)+1:
		return "a blank at the beginning"
	}
	return "blanks at its ends"
}
