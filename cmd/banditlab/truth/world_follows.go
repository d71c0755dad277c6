package truth

import "banditaudit/schemas"

// unseenFollows is what remains unseen of arms that follow something.
const unseenFollows = "a dependence on what is not declared, or on none of the splits that were looked at, or smaller than the smallest deviation beside them"

// allocationViolated reports whether allocation.matches_propensity is VIOLATED.
func (f *Found) allocationViolated() bool {
	return f.Verdict(schemas.KindAllocation) == schemas.Violated
}

const coinProtocol = `version: 1
experiment: {id: follows, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: p}
arms: [a0, a1]
reward: {range: [0, 1]}
policy: {name: uniform}
`

// followsAction is item 1.
func followsAction() World {
	return World{
		Name: "follows-the-last-action", Item: 1, Logs: 1_000, Right: true,
		Text:     "Each arm is played in half of the rounds, and the arm of the round before again in 80 % of them. The policy is declared uniform, p = .5 is logged.",
		Said:     "allocation is VIOLATED",
		Before:   "–",
		Unseen:   unseenFollows + "; of many arms only that the first is played after itself, or is not",
		Protocol: coinProtocol,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			arm := d.draw.IntN(2)
			for range 500 {
				if d.coin(.2) == 1 {
					arm = 1 - arm
				}
				d.play(arm, .5, d.coin(.5))
			}
			return d.log("a0", "a1")
		},
		Count: (*Found).allocationViolated,
	}
}

// followsReward is item 1: "win, stay" of the winner of a coin, which leaves the
// pulls even.
func followsReward() World {
	return World{
		Name: "follows-the-last-reward", Item: 1, Logs: 1_000, Right: true,
		Text:     "Arm a1 is played in 70 % of the rounds behind a reward of 1, and in 30 % of those behind a reward of 0; both are as frequent. The policy is declared uniform, p = .5 is logged.",
		Said:     "allocation is VIOLATED",
		Before:   "–",
		Unseen:   unseenFollows + "; of rewards only whether the last one that was known is above the mean of those before",
		Protocol: coinProtocol,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			y := d.coin(.5)
			for range 1_000 {
				arm := int(d.coin(.3 + .4*y))
				y = d.coin(.5)
				d.play(arm, .5, y)
			}
			return d.log("a0", "a1")
		},
		Count: (*Found).allocationViolated,
	}
}

// evenedLabels is item 9: the labels of a 65 to 35 allocation are exchanged from the
// half of the log on, so that the pulls of both arms are as declared.
func evenedLabels() World {
	return World{
		Name: "labels-swapped-where-margins-agree", Item: 9, Logs: 1_000, Right: true,
		Text:     "One arm is played in 65 % of the rounds. In the second half of the log the labels are exchanged, so that each has half of the pulls. The policy is declared uniform, p = .5 is logged.",
		Said:     "allocation is VIOLATED",
		Before:   "–",
		Unseen:   "labels that were exchanged back and forth in stretches shorter than a quarter of the log",
		Protocol: coinProtocol,
		Deploy: func(run int64) *Log {
			const rounds = 1_000
			d := newDeployment(run)
			for t := range rounds {
				arm := int(d.coin(.35))
				y := d.coin(.3 + .4*float64(arm))
				if t >= rounds/2 {
					arm = 1 - arm
				}
				d.play(arm, .5, y)
			}
			return d.log("a0", "a1")
		},
		Count: (*Found).allocationViolated,
	}
}

// swappedLabels is item 9: ε-greedy by hand, with the propensities of both arms;
// the labels of the actions are exchanged from the half of the log on.
func swappedLabels() World {
	return World{
		Name: "labels-swapped-under-epsilon-greedy", Item: 9, Logs: 1_000, Right: true,
		Text:     "ε-greedy, ε = .2, on two arms; the better one changes after every tenth of the rounds, so that each is played in about half of them. The propensities of both arms are logged. In the second half of the log the labels of the actions are exchanged, and the propensities are not. No policy is declared.",
		Said:     "allocation is VIOLATED",
		Before:   "in all: H05 finds that the mean of 1/p is above the number of arms",
		Unseen:   "labels that were exchanged together with the propensity of the action alone: the log is then that of a policy with these odds on the arms of these names, and no wager can tell; that the arms pay differently from some round on is what H13 looks for",
		Protocol: "version: 1\nexperiment: {id: swapped, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, propensity_by_arm: all}\narms: [a0, a1]\nreward: {range: [0, 1]}\n",
		Deploy: func(run int64) *Log {
			const rounds, tenth = 1_000, 100
			d := newDeployment(run)
			means := []float64{.5, .5} // by an average that forgets
			for t := range rounds {
				p := []float64{.9, .1}
				if means[1] > means[0] {
					p = []float64{.1, .9}
				}
				arm := d.pick(p)
				y := d.coin(.3 + .4*float64((t/tenth+arm)%2))
				means[arm] += (y - means[arm]) / 10
				if t >= rounds/2 {
					arm = 1 - arm
				}
				d.chosen(arm, p, y)
			}
			return d.log("a0", "a1")
		},
		Count: (*Found).allocationViolated,
	}
}
