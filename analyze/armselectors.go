package analyze

import (
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// history is what the actions of a log say. A selector is a function of it and
// of nothing else: an arm that was chosen by its rewards is not covered by a
// correction, and so this type holds none.
type history struct {
	labels []string // of the arms
	pulls  []int64  // rounds in which each was played, whether or not the reward is known
}

func (q *questions) history() history {
	return history{labels: q.facts.Manifest.Arms, pulls: q.facts.Pub.Pulls}
}

// selected are the arms that a selector means: every arm, the arm with the most or fewest
// rounds (among arms with a round; ties go to the lowest index), or the arm with that
// label. Labels come from the log, and a log has rows, so there always is such an arm.
func (h history) selected(selector string) []int {
	switch selector {
	case schemas.SelectEach:
		return publiclog.EachArm(len(h.labels))
	case schemas.SelectMostPulled:
		return []int{h.best(func(n, best int64) bool { return n > best })}
	case schemas.SelectLeastPulled:
		return []int{h.best(func(n, best int64) bool { return n < best })}
	}
	return []int{h.labelled(selector)}
}

// best is the first arm that was played and whose pulls no later one betters.
func (h history) best(better func(n, best int64) bool) int {
	best := -1
	for arm, n := range h.pulls {
		if n > 0 && (best < 0 || better(n, h.pulls[best])) {
			best = arm
		}
	}
	return best
}

// labelled is the arm with a label, -1 where there is none.
func (h history) labelled(label string) int { return slices.Index(h.labels, label) }
