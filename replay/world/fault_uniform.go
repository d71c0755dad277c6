package world

import (
	"math/rand/v2"

	"banditaudit/replay"
)

// fallback is a service that now and then does not reach the policy, plays a
// uniform action instead, and logs that honestly: 1/n for n eligible arms.
type fallback struct {
	words rand.Source
	acted bool // in the last round
	count int64
}

func newFallback(master [32]byte, experiment string) *fallback {
	return &fallback{words: replay.Stream(master, replay.PurposeFault, experiment, replay.NoArm)}
}

// choose replaces the policy's choice in 2 % of rounds.
func (f *fallback) choose(s *replay.Step) {
	whether, which := f.words.Uint64(), f.words.Uint64()
	f.acted = uniform(whether) < defaultUniformRate
	if !f.acted {
		return
	}
	f.count++
	can := func(arm int) bool { return len(s.Public.Eligible) == 0 || s.Public.Eligible[arm] }
	n := 0
	for arm := range s.Propensities {
		if can(arm) {
			n++
		}
	}
	place := int(uniform(which) * float64(n))
	for arm := range s.Propensities {
		s.Propensities[arm] = 0
		if !can(arm) {
			continue
		}
		s.Propensities[arm] = 1 / float64(n)
		if place == 0 {
			s.Arm = arm
		}
		place--
	}
	s.Propensity = 1 / float64(n)
}
