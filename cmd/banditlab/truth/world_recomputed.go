package truth

import (
	"math"
	"strings"
)

// recomputedByContext are worlds of item 17: propensities follow from the declared policy,
// and the arms follow a context beside them.
func recomputedByContext() []World {
	const protocol = "version: 1\nexperiment: {id: recomputed, stopping: fixed}\nlog: {order: [round], action: action, reward: won, batch: batch, context: [x]}\n" +
		"arms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: thompson, prior: {alpha: 1, beta: 1}, update: batch, floor: 0.1, draw: {by: round}}\ncounter: {name: exact}\n" +
		"analysis: {chosen: before, tests: [{id: H, difference: [a1, a0], value: 0}]}\n"
	const text = "Thompson sampling (floor .1) that learns after every 100 of 3,000 rounds, without propensities in the log, and is declared so. In each batch both arms have their shares, and those of a1 go to the rounds with the context. Rewards are frequent with the context, for either arm: in every round the two arms pay alike."
	const unseen = "a dependence on a context that is not declared, or on none of the splits that are looked at"
	deploy := func(run int64) *Log { return sortedByContext(run, 3_000, 100) }
	return []World{
		{
			Name: "recomputed-shares-follow-a-context", Item: 17, Logs: 200, Right: true, Text: text, Said: "a claim is VIOLATED", Before: "by construction none: neither check was run", Unseen: unseen,
			Protocol: protocol, Deploy: deploy, Count: (*Found).contradicted,
		},
		{
			Name: "recomputed-shares-follow-a-context-and-compares", Item: 17, Logs: 200, Text: "The log of recomputed-shares-follow-a-context. That the arms pay alike is tested.", Said: "the test rejects a true null", Before: "40 of 40 logs of a like world", Unseen: unseen,
			Protocol: protocol, Deploy: deploy, Count: (*Found).decided,
		},
	}
}

// recomputedByUnit are worlds of item 17: propensities follow from the declared policy, and the
// arms follow a lasting trait of the unit beside them.
func recomputedByUnit() []World {
	const protocol = "version: 1\nexperiment: {id: recomputed, stopping: fixed}\nlog: {order: [round], action: action, reward: won, unit: user}\n" +
		"arms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: softmax, eta: 0.002, draw: {by: round}}\ncounter: {name: exact}\n" +
		"analysis: {chosen: before, tests: [{id: H, difference: [a1, a0], value: 0}]}\n"
	const text = "Softmax (eta .002) over 2,000 rounds of 40 users, without propensities in the log, and is declared so, every round drawn anew. Every second user meets a1 with odds e^.6 times those of the policy, and every other one with odds e^-.6 times them. The first are paid with probability .7 and the others with .3, for either arm: in every round the two arms pay alike."
	const unseen = "a dependence on the unit that is too weak for its rounds: see the smallest deviation beside the check"
	deploy := func(run int64) *Log {
		const users = 40
		d := newDeployment(run)
		var sums [2]float64
		var unit []int64
		for range 50 * users {
			u := d.draw.Int64N(users)
			trait := float64(2*(u%2) - 1)
			arm := 0
			if d.draw.Float64()*(1+math.Exp(.002*(sums[0]-sums[1])-.6*trait)) < 1 {
				arm = 1
			}
			y := d.coin(.5 + .2*trait)
			sums[arm] += y
			d.play(arm, .5, y)
			unit = append(unit, u)
		}
		return d.log("a0", "a1").Put("user", unit).Put("won", d.won())
	}
	return []World{
		{
			Name: "recomputed-shares-follow-a-unit", Item: 17, Logs: 200, Right: true, Text: text, Said: "a claim is VIOLATED", Before: "34 of 200", Unseen: unseen,
			Protocol: protocol, Deploy: deploy, Count: (*Found).contradicted,
		},
		{
			Name: "recomputed-shares-follow-a-unit-and-compares", Item: 17, Logs: 200, Text: "The log of recomputed-shares-follow-a-unit. That the arms pay alike is tested.", Said: "the test rejects a true null", Before: "166 of 200", Unseen: unseen,
			Protocol: protocol, Deploy: deploy, Count: (*Found).decided,
		},
	}
}

// contradicted reports whether the log contradicts a claim.
func (f *Found) contradicted() bool { return strings.HasPrefix(f.Head.Overall, "EXCEPTIONS") }

// sortedByContext is Thompson sampling of two arms in batches, whose pulls of a1 go to the
// rounds of the batch that have the context.
func sortedByContext(run int64, rounds, every int) *Log {
	d := newDeployment(run)
	won, lost := [2]int{}, [2]int{}
	x, batch, paid := make([]int64, rounds), make([]int64, rounds), make([]bool, rounds)
	for from := 0; from < rounds; from += every {
		p := floored(beats(won[1]+1, lost[1]+1, won[0]+1, lost[0]+1), .1)
		learned := [2][2]int{}
		for t := from; t < from+every; t++ {
			u := d.draw.Float64()
			mean := .3
			if u < .5 {
				x[t], mean = 1, .7
			}
			arm := 0
			if u < p { // the arm is drawn by the number that is the context
				arm = 1
			}
			y := d.coin(mean)
			d.play(arm, .5, y)
			batch[t], paid[t] = int64(from/every), y == 1
			learned[arm][int(y)]++
		}
		for arm, n := range learned {
			won[arm], lost[arm] = won[arm]+n[1], lost[arm]+n[0]
		}
	}
	return d.log("a0", "a1").Put("x", x).Put("batch", batch).Put("won", paid)
}

// floored mixes a share with a floor for either of two arms.
func floored(p, floor float64) float64 { return floor + (1-2*floor)*p }

// beats is P(X > Y) for X beta with a and b, and Y with c and d, whole numbers:
//
//	Σ_{i<a} B(c+i, b+d) / ((b+i)·B(1+i, b)·B(c, d))
//
// (Evan Miller, Formulas for Bayesian A/B testing, 2014).
func beats(a, b, c, d int) float64 {
	var sum float64
	for i := range a {
		sum += math.Exp(lnBeta(c+i, b+d) - math.Log(float64(b+i)) - lnBeta(1+i, b) - lnBeta(c, d))
	}
	return sum
}

func lnBeta(a, b int) float64 {
	x, _ := math.Lgamma(float64(a))
	y, _ := math.Lgamma(float64(b))
	z, _ := math.Lgamma(float64(a + b))
	return x + y - z
}
