package check

import (
	"strings"

	"banditaudit/schemas"
)

// RoundRobin holds fixed counts of arms: every run of Length rounds, from the first round
// on, plays each arm as often as every other run.
type RoundRobin struct {
	Length int64
	Counts []int64 // by arm, of one run
}

// mostNamed is how many arms are named with their counts.
const mostNamed = 8

// Words say what the log looks like, and what follows for whoever declared draws; ""
// where counts are not fixed.
func (d *RoundRobin) Words(labels []string) string {
	if d == nil {
		return ""
	}
	counts := "each arm as often as the first of these runs does"
	if len(labels) <= mostNamed {
		var each []string
		for arm, n := range d.Counts {
			each = append(each, labels[arm]+" "+schemas.Counted(n, "time"))
		}
		counts = strings.Join(each, ", ")
	}
	return "Counts are fixed: every run of " + schemas.Counted(d.Length, "round") + ", from the first round on, plays " + counts +
		". Arms that are dealt in turn, or in shuffled blocks, look like this: a round is then not drawn by itself, and no policy that can be declared here does that. Ask whoever assigns the arms; if they are dealt, leave policy and propensities out."
}
