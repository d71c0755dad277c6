package publiclog

import (
	"fmt"
	"math"
	"slices"
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

// Few lists names, the first of many.
func Few(names []string) string {
	const most = 5
	if n := len(names) - most; n > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
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

// LogAlpha is ln of the declared level.
func LogAlpha(protocol *schemas.Protocol) float64 { return math.Log(protocol.Analysis.Alpha) }

// Control is the arm that the others are compared with: the declared one, else
// the first.
func (in *Log) Control() int {
	return max(0, slices.Index(in.Manifest.Arms, schemas.Control(in.Protocol)))
}

// RewardWord names what was paid.
func (in *Log) RewardWord() string {
	if in.Clipped() > 0 {
		return "clipped reward"
	}
	return "reward"
}
