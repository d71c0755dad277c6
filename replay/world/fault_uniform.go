package world

import "banditaudit/replay"

const uniformRate = 0.02 // of rounds

// deployUniform makes the bandit a service that now and then does not reach the
// policy, plays a uniform action instead, and logs that honestly.
func deployUniform(d *Deployment) {
	words := replay.Stream(d.Spec.Master, replay.PurposeFault, d.ID, replay.NoArm)
	d.Choose = func(step *replay.Step) {
		whether, which := words.Uint64(), words.Uint64()
		if d.Bypassed = uniform(whether) < uniformRate; d.Bypassed {
			d.Truth.Fallbacks++
			playUniform(step, which)
		}
	}
}

// playUniform replaces the policy's choice: each of n eligible arms has the
// probability 1/n.
func playUniform(s *replay.Step, which uint64) {
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
