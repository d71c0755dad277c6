package publiclog

import (
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

// MostNamed is how many names a sentence lists.
const MostNamed = 5
