package analyze

import (
	"math"

	"banditaudit/analyze/stat/allocationtest"
)

// What compares arms by the rewards that are known alone takes for granted that a reward
// would have been missing, or known, whichever arm was played: it may be missing because of
// its value or of its round, and not because of the arm (formula sheet 21.3 (g), 23.0 (e)).
// Check H11 can contradict that, and nothing can show it.

// missingByArm says why that is not so; "" where no reward is missing, or nothing
// contradicts it.
func (a *answers) missingByArm() string {
	if !a.unlikeMissing {
		return ""
	}
	return "rewards are missing at other rates in one arm than in another (check H11), or it is not known whether they are, and which arm was played would then follow from a reward being known"
}

// knownUnevenly reports whether an arm changes the chance that a reward is known by another
// factor in one quarter of the log than in another, at the level of check H11 shared by the
// tests and experiments: that contradicts [schemas.ValidIfKnown].
func (s *sample) knownUnevenly(arms []int) bool {
	if s.rewards.MissingRows() == 0 {
		return false
	}
	level := allocationtest.Level / float64(max(1, len(s.questions.declared))*max(1, s.facts.Whole().Experiments)*len(arms))
	for _, arm := range arms[1:] {
		var of []allocationtest.KnownPart
		for quarter, gone := range s.rewards.Gone {
			n := s.facts.PulledIn(quarter)
			of = append(of, allocationtest.KnownPart{
				Known: [2]int64{n[arm] - gone[arm], n[arms[0]] - gone[arms[0]]}, Rows: [2]int64{n[arm], n[arms[0]]},
			})
		}
		if allocationtest.KnownLogP(of) <= math.Log(level) {
			return true
		}
	}
	return false
}
