package truth

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// carriedOver are worlds of item 18: the arm of a round changes the reward of the next.
func carriedOver() []World {
	const unseen = "carry-over that UCB1 hides: the arm of the round before is nearly a function of the arm played, so that the check finds a part of such logs. The re-run that then rejects names its condition on the first page"
	world := func(name string, rounds int, after [2]float64, before string) World {
		return World{
			Name: name, Item: 18, Logs: 200, Said: "the test rejects a true null", Before: before, Unseen: unseen,
			Text: fmt.Sprintf("UCB1 on two arms over %d rounds. A round pays with probability %g after arm a0 and %g after a1, whichever arm it plays: in every round the arms pay alike. That they do is tested.", rounds, after[0], after[1]),
			Protocol: "version: 1\nexperiment: {id: carried, stopping: fixed}\nlog: {order: [round], action: action, reward: won}\narms: [a0, a1]\nreward: {range: [0, 1]}\n" +
				"policy: {name: ucb, width: {c: 0.5}}\ncounter: {name: exact}\nanalysis: {chosen: before, tests: [{id: H, equal: all}]}\n",
			Count:  (*Found).decided,
			Deploy: func(run int64) *Log { return carryLog(run, rounds, after) },
		}
	}
	return []World{
		world("carry-over-.8-.2", 400, [2]float64{.8, .2}, "102 of 200"),
		world("carry-over-.7-.3", 1_000, [2]float64{.7, .3}, "105 of 200"),
		world("carry-over-.6-.4", 1_000, [2]float64{.6, .4}, "68 of 200"),
	}
}

// carryLog is UCB1 with the index S/N + √(½·ln t / N), that pays by the arm before.
func carryLog(run int64, rounds int, after [2]float64) *Log {
	d := newDeployment(run)
	var sums, pulls [2]float64
	won, mean := make([]bool, rounds), .5
	for t := range rounds {
		arm, best := 0, math.Inf(-1)
		for a := range 2 {
			index := math.Inf(1)
			if pulls[a] > 0 {
				index = sums[a]/pulls[a] + math.Sqrt(.5*math.Log(float64(t+1))/pulls[a])
			}
			if index > best {
				arm, best = a, index
			}
		}
		y := d.coin(mean)
		d.play(arm, 1, y)
		sums[arm] += y
		pulls[arm]++
		won[t], mean = y == 1, after[arm]
	}
	return d.log("a0", "a1").Put("won", won)
}

// repeatedRewards is of item 19: a reward repeats the last one of any arm.
func repeatedRewards() World {
	return World{
		Name: "rewards-that-repeat", Item: 19, Logs: 200, Said: "the corrected test rejects the true mean", Before: "41 % of logs",
		Text:     "Two arms are played with probability 1/2 over 600 rounds. With probability .8 a reward is that of the round before, else a coin: every mean is .5. That of a0 is tested.",
		Unseen:   "dependence at longer distances than neighbouring rounds",
		Protocol: "version: 1\nexperiment: {id: repeated, stopping: fixed}\nlog: {order: [round], action: action, reward: won, propensity: p}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: uniform}\nprivacy: {definition: pure, epsilon: 0}\nanalysis: {chosen: before, tests: [{id: H, arm: a0, mean: 0.5}]}\n",
		Count:    (*Found).rejected,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			won, last := make([]bool, 600), d.coin(.5)
			for t := range won {
				if d.draw.Float64() >= .8 {
					last = d.coin(.5)
				}
				d.play(d.pick([]float64{.5, .5}), .5, last)
				won[t] = last == 1
			}
			return d.log("a0", "a1").Put("won", won)
		},
		Also: []Also{{Said: "any-time rejects, of the mean given everything before each round, which is another", Count: (*Found).decided}, {Said: "A2 is contradicted", Count: func(f *Found) bool { return f.assumption("A2").Status == schemas.MeansContradicted }}},
	}
}
