package truth

import (
	"cmp"
	"math"
	"slices"
)

// earlierProtocol declares a uniform policy and the test that two arms pay alike.
func earlierProtocol(columns, arms, rule string) string {
	return "version: 1\nexperiment: {id: earlier, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, propensity: p" + columns + "}\n" +
		"arms: [" + arms + "]\nreward: {range: [0, 1]}\npolicy: {name: uniform" + rule + "}\nprivacy: {definition: pure, epsilon: 0}\n" +
		"analysis: {chosen: before, tests: [{id: H, difference: [a1, a0], value: 0}]}\n"
}

// earlierThings are item 1 with arms that follow one thing that came earlier. In every
// round the arms pay alike, and a test that they do rejected.
func earlierThings() []World {
	world := func(w World) World {
		w.Item, w.Logs, w.Right, w.Said, w.Count = 1, 300, true, "allocation is VIOLATED", (*Found).allocationViolated
		w.Also = []Also{{Said: "the corrected test rejects a true null", Count: (*Found).rejected}}
		return w
	}
	return []World{
		world(World{
			Name: "follows-the-context-before", Before: "0 of 60, and the test rejected in 60",
			Text:     "Over 2,000 rounds arm a1 is played in 75 % of the rounds behind one with the context x0 above 0, and in 25 % of the others; rewards are frequent behind one above 0, for either arm. The policy is declared uniform, p = .5 is logged, and the context is declared.",
			Unseen:   "contexts two and more rounds back, those of the round before behind the first two, with narrower stripes than quarters, or together with another thing; contexts of the unit's own earlier rounds",
			Protocol: earlierProtocol(", context: [x0]", "a0, a1", ""),
			Deploy:   followsContextBefore,
		}),
		world(World{
			Name: "follows-which-arm-came-before", Before: "0 of 60, and the test rejected in 60",
			Text:     "Over 4,000 rounds of four arms, behind one of a3, a0 and a1 the next of these in turn has a share of 40 % and the one before it of 10 %; arm a2, which is declared first, has 25 % throughout. Rewards are frequent behind a3 and seldom behind a0. The policy is declared uniform, p = .25 is logged.",
			Unseen:   "which of several arms came two rounds before, or came before together with another thing than the last reward; of more than 16 arms those behind the first 15, which are looked at together",
			Protocol: earlierProtocol("", "a2, a3, a0, a1", ""),
			Deploy:   followsArmBefore,
		}),
		world(World{
			Name: "follows-how-extreme-the-last-reward-was", Before: "0 of 60, and the test rejected in 49",
			Text:     "Over 4,000 rounds arm a1 is played in 85 % of the rounds behind an extreme reward (.1 or .9), and in 15 % behind a middle one (.4 or .6); rewards above .5 are more frequent behind an extreme one, for either arm. The policy is declared uniform, p = .5 is logged.",
			Unseen:   "the last reward in narrower stripes than quarters of those before it, a reward before the last by how extreme it was, and either together with another thing",
			Protocol: earlierProtocol("", "a0, a1", ""),
			Deploy:   followsExtremeReward,
		}),
		world(World{
			Name: "follows-the-visit-of-the-unit", Before: "0 of 60, and the test rejected in 60",
			Text:     "1,000 users of three visits each, of which some 15 are on their way at a time; arm a1 has a share of 80 % in the first, 50 % in the second and 20 % in the third, and rewards have these frequencies too, for either arm. The policy is declared uniform, by round, and p = .5 is logged.",
			Unseen:   "visits 4 to 7, and 8 and later ones, told apart; visits where policy.draw: {by: round} is not declared; what else a unit met before its round, apart from its last arm; of more than 1,048,576 units several share a counter",
			Protocol: earlierProtocol(", unit: user", "a0, a1", ", draw: {by: round}"),
			Deploy:   followsVisit,
		}),
	}
}

func followsContextBefore(run int64) *Log {
	d, above := newDeployment(run), 0
	for range 2_000 {
		share := .25 + .5*float64(above)
		d.play(int(d.coin(share)), .5, d.coin(.3+.4*float64(above)))
		x := d.draw.NormFloat64()
		above, d.x = one(x > 0), append(d.x, x)
	}
	return d.log("a0", "a1").Put("x0", d.x)
}

func followsArmBefore(run int64) *Log {
	d, last := newDeployment(run), 0
	for range 4_000 {
		p := []float64{.25, .25, .25, .25}
		if last > 0 {
			p[1+last%3] += .15
			p[1+(last+1)%3] -= .15
		}
		mean := []float64{.5, .8, .2, .5}[last]
		last = d.pick(p)
		d.play(last, .25, d.coin(mean))
	}
	return d.log("a2", "a3", "a0", "a1")
}

func followsExtremeReward(run int64) *Log {
	d, last := newDeployment(run), .1
	for range 4_000 {
		extreme := float64(one(math.Abs(last-.5) > .25))
		arm := int(d.coin(.15 + .7*extreme))
		side := 2*d.coin(.44+.12*extreme) - 1
		last = .5 + side*(.1+.3*d.coin(.5))
		d.play(arm, .5, last)
	}
	return d.log("a0", "a1")
}

func followsVisit(run int64) *Log {
	const units, visits = 1_000, 3
	type visit struct {
		at   float64
		user int64
		nth  int
	}
	d := newDeployment(run)
	var all []visit
	for u := range int64(units) {
		at := float64(u)
		for nth := range visits {
			all = append(all, visit{at, u, nth})
			at += 5 * d.draw.ExpFloat64()
		}
	}
	slices.SortFunc(all, func(a, b visit) int { return cmp.Compare(a.at, b.at) })
	var user []int64
	for _, v := range all {
		share := []float64{.8, .5, .2}[v.nth]
		d.play(int(d.coin(share)), .5, d.coin(share))
		user = append(user, v.user)
	}
	return d.log("a0", "a1").Put("user", user)
}
