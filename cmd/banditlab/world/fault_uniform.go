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
	var can []int
	for arm := range s.Propensities {
		s.Propensities[arm] = 0
		if len(s.Public.Eligible) == 0 || s.Public.Eligible[arm] {
			can = append(can, arm)
		}
	}
	n := float64(len(can))
	for _, arm := range can {
		s.Propensities[arm] = 1 / n
	}
	s.Arm = can[int(uniform(which)*n)]
	s.Propensity = 1 / n
}
