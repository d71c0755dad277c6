package truth

import "strings"

// meansLog is ε-greedy, ε = .2, on two arms, that learns one mean an arm and context. means
// are the means of each arm without and with the context.
func meansLog(run int64, rounds int, means [2][2]float64) *Log {
	const explore = .2
	d := newDeployment(run)
	var sums, pulls [2][2]float64
	x, won := make([]int64, rounds), make([]bool, rounds)
	for t := range rounds {
		c := 0
		if d.draw.Float64() < .5 {
			c = 1
		}
		best := 0
		if sums[1][c]*max(1, pulls[0][c]) > sums[0][c]*max(1, pulls[1][c]) {
			best = 1
		}
		p := []float64{explore / 2, explore / 2}
		p[best] += 1 - explore
		arm := d.pick(p)
		y := d.coin(means[arm][c])
		d.chosen(arm, p, y)
		sums[arm][c] += y
		pulls[arm][c]++
		x[t], won[t] = int64(c), y == 1
	}
	return d.log("a", "b").Put("x", x).Put("won", won)
}

const unseenMeans = "a context that is not declared; a context that moves means, and the policy, by so little that neither check finds it"

// steeredMeans are worlds of item 16: means: constant is declared beside a context that
// steers the policy, and both arms pay .35 in every round.
func steeredMeans() []World {
	const protocol = "version: 1\nexperiment: {id: steered, stopping: fixed}\nlog: {order: [round], action: action, reward: won, context: [x]%LOG}\n" +
		"arms: [a, b]\nreward: {range: [0, 1]}\nanalysis: {chosen: before, means: constant%KEYS, tests: [{id: H, difference: [b, a], value: 0}]}\n"
	equal := [2][2]float64{{.2, .5}, {.4, .3}}
	world := func(name, text, before, log, keys string, means [2][2]float64) World {
		return World{
			Name: name, Item: 16, Logs: 200, Text: text, Said: "the test rejects a true null", Before: before, Unseen: unseenMeans,
			Protocol: strings.NewReplacer("%LOG", log, "%KEYS", keys).Replace(protocol), Count: (*Found).decided,
			Deploy: func(run int64) *Log { return meansLog(run, 2_000, means) },
		}
	}
	const steered = "ε-greedy (.2) over 2,000 rounds learns a mean for each arm and context. Arm a pays .2 and .5 by the context, arm b .4 and .3: both pay .35 in every round. means: constant is declared."
	return []World{
		world("constant-means-with-a-context", steered+" No propensity is logged.", "50 of 200", "", "", equal),
		world("constant-means-with-a-context-weighed", steered+" All propensities are logged; decide: adaptive, approximate: accept.", "85 of 200", ", propensity_by_arm: all", ", approximate: accept, decide: adaptive", equal),
		world("constant-means-beside-a-blind-context", "As constant-means-with-a-context, where both arms pay .35 in either context: the declaration is true, and the context steers the policy for nothing.", "0 of 200", "", "", [2][2]float64{{.35, .35}, {.35, .35}}),
	}
}
