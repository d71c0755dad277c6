package facts

import (
	"strings"

	"banditaudit/schemas"
)

// Joined puts remarks beside each other.
func Joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// AndList writes names with commas and an and.
func AndList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// IsAre is the verb behind a number.
func IsAre(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// ChoiceKeys name the keys that leave choices open, of those that were used.
func ChoiceKeys(r *schemas.Conformance) string {
	var out []string
	if c := r.Choices; c != nil && c.StartUsed > 0 {
		out = append(out, "policy.start")
	}
	if c := r.Choices; c != nil && c.TiesUsed > 0 {
		out = append(out, "policy.ties")
	}
	if r.NearTies.Rests() {
		out = append(out, "policy.near_ties")
	}
	return strings.Join(out, ", ")
}
