package role

import "banditaudit/ingest/tableau"

// rewardOrder is when the reward of a row became known.
func rewardOrder() Column {
	return Column{
		Role: RewardOrder, Pass: First, Compares: FirstAxis, Outcome: true,
		Fit: ordered(),
		Becomes: func(b *Becoming) string {
			return "reward_round (compared with the first order key" + b.Scale + b.times() + "; null: never)"
		},
		Store: func(s *tableau.Schema) { s.RewardRound, s.RewardBefore = true, true },
		Names: Vocabulary{Parts: words("reward click clicked conversion converted outcome feedback purchase purchased response")},
	}
}
