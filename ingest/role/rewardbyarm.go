package role

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/tableau"
)

// rewardByArm are the rewards of all arms.
func rewardByArm() Column {
	return Column{
		Role: RewardByArm, Private: true, ByArm: true,
		Asked: asked(RewardByArm),
		Fit:   Fit{list(), cell.IsNumber, "rewards by arm are a list of numbers, one for each arm", mendByArm},
		Becomes: func(b *Becoming) string {
			return b.key() + " (" + b.each() + "; " + b.reward() + "), reward (of the logged arm)"
		},
		Store: func(s *tableau.Schema) { s.RewardByArm = true },
		Names: Vocabulary{Parts: words("reward rewards outcomes counterfactual payoffs")},
	}
}
