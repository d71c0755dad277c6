package truth

import "banditaudit/schemas"

// beneathFloors are deployments that play arms more seldom than a declared floor, and
// log no propensity that would show it.
func beneathFloors() []World { return []World{floorOfAll(), floorOfAllAsks(), floorEligible()} }

// floorOfAll declares a floor that is all of the probability.
func floorOfAll() World {
	return World{
		Name: "floor-of-everything", Item: 9, Logs: 200, Right: true,
		Text:     "The arm with the better mean so far is played in 90 % of rounds, and the other in 10 %. The policy is declared with floor: 1/2, which is uniform and costs no privacy; no propensity is logged.",
		Said:     "policy.conformance is VIOLATED",
		Before:   "0 of 200: NOT ESTABLISHED, and privacy.total VERIFIED with ε = 0",
		Unseen:   "an arm that is played with less than the floor in some rounds, and as often as it allows over all of them; and, of 500 rounds, one that is short of 1/2 by less than about .09",
		Protocol: head("floors", 2) + "policy: {name: ucb, width: {c: 2}, floor: 1/2}\n" + exact + "privacy: {definition: pure, epsilon: 0}\n",
		Deploy:   greedyLog,
		Count:    func(f *Found) bool { return f.Verdict(schemas.KindConformance) == schemas.Violated },
	}
}

// floorOfAllAsks tests a mean where an arm was given up by raw rewards.
func floorOfAllAsks() World {
	return World{
		Name: "floor-of-everything-and-a-test", Item: 9, Logs: 1_000,
		Text:   "The deployment of paused-by-raw-p, with no column of eligible arms: arm a0 is not played any more once its raw p is at most .05. The policy is declared with floor: 1/2; no propensity is logged.",
		Said:   "the corrected test rejects a true null",
		Before: "88 of 200",
		Unseen: "an arm that is given up late: the rounds after it are too few to contradict the floor",
		Protocol: "version: 1\nexperiment: {id: floors, stopping: fixed}\nlog: {order: [round], action: action, reward: won}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: ucb, width: {c: 2}, floor: 1/2}\n" + exact +
			"privacy: {definition: pure, epsilon: 0}\nanalysis: {chosen: before, tests: [{id: H, arm: a0, mean: 0.5, test: exact}]}\n",
		Deploy: pausedLog,
		Count:  (*Found).rejected,
	}
}

// floorEligible plays an arm of three seldom in the rounds in which it may be played.
func floorEligible() World {
	const k, rounds = 3, 1_500
	return World{
		Name: "floor-where-eligible", Item: 9, Logs: 200, Right: true,
		Text:     "Of three arms each may be played in two rounds of three. The arm with the better mean so far is played, and any of those that may be in 4 % of rounds. The policy is declared with floor: 1/10; no propensity is logged.",
		Said:     "policy.conformance is VIOLATED",
		Before:   "0 of 200: NOT ESTABLISHED",
		Unseen:   "an arm that is short of its floor of .1 by less than about .05 in the 1,000 rounds in which it may be played",
		Protocol: head("floors", k, "eligible: may, eligible_by: schedule") + "policy: {name: epsilon-greedy, explore: 0, floor: 1/10}\n" + exact,
		Deploy:   func(run int64) *Log { return flooredLog(run, rounds, []float64{.1, .5, .9}, .02, true) },
		Count:    func(f *Found) bool { return f.Verdict(schemas.KindConformance) == schemas.Violated },
	}
}

// floors are honest deployments under a declared floor of which no propensity is
// logged. The other arms are at the floor in every round, which is where a test of it
// is wrong most often.
func floors() []Honest {
	add := func(name, text, policy string, k int, floor float64, eligible ...string) Honest {
		return Honest{
			Name: name, Item: 9, Before: "–", Text: text,
			Protocol: head("floors", k, eligible...) + "policy: {name: epsilon-greedy, explore: 0, floor: " + policy + "}\n" + exact,
			Deploy:   func(run int64) *Log { return flooredLog(run, 1_000, spread(k), floor, len(eligible) > 0) },
		}
	}
	return []Honest{
		add("floor, no p", "the best of 10 arms so far, and every arm with probability .02 at least; no propensity is logged", "1/50", 10, .02),
		add("floor of everything, no p", "two arms of which each has probability 1/2 by its floor; no propensity is logged", "1/2", 2, .5),
		add("floor, eligible, no p", "three arms, each of which may be played in two rounds of three by a timetable, and then has probability .1 at least; no propensity is logged", "1/10", 3, .1, "eligible: may", "eligible_by: schedule"),
	}
}

// flooredLog plays the arm with the largest mean so far of those that may be, and
// every one of these with at least the floor.
func flooredLog(run int64, rounds int, means []float64, floor float64, eligible bool) *Log {
	d, k := newDeployment(run), len(means)
	sums, n := make([]float64, k), make([]float64, k)
	var may [][]bool
	for t := range rounds {
		open, p := make([]bool, k), make([]float64, k)
		for i := range open {
			open[i] = !eligible || (t/20+i)%k != 0
		}
		best, m := -1, 0
		for i := range open {
			if !open[i] {
				continue
			}
			m++
			if p[i] = floor; best < 0 || n[best] > 0 && (n[i] == 0 || sums[i]/n[i] > sums[best]/n[best]) {
				best = i
			}
		}
		p[best] += 1 - float64(m)*floor
		arm := d.pick(p)
		y := d.coin(means[arm])
		sums[arm] += y
		n[arm]++
		d.play(arm, p[arm], y)
		may = append(may, open)
	}
	l := d.log(labels(k)...)
	if eligible {
		l.Put("may", may)
	}
	return l
}

// greedyLog plays the better of two arms so far in 90 % of 500 rounds.
func greedyLog(run int64) *Log {
	d := newDeployment(run)
	sums, n := make([]float64, 2), make([]float64, 2)
	for range 500 {
		arm := leader(sums, n)
		if d.draw.Float64() < .1 {
			arm = 1 - arm
		}
		y := d.coin(spread(2)[arm])
		sums[arm] += y
		n[arm]++
		d.play(arm, .5, y)
	}
	return d.log(labels(2)...)
}
