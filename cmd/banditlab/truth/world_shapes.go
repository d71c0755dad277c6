package truth

import "math"

const shapesProtocol = `version: 1
experiment: {id: shapes, stopping: fixed}
log: {order: [round], action: action, reward: won, propensity: p, context: [x0]}
arms: [a0, a1]
reward: {range: [0, 1]}
policy: {name: uniform}
privacy: {definition: pure, epsilon: 0}
analysis: {chosen: before, tests: [{id: H, difference: [a0, a1], value: 0, test: exact}]}
`

// byContext is a log of two arms that pay alike in every round: a1 is played, and
// rewards are frequent, where the context is of a kind.
func byContext(rounds int, kind func(x float64) bool) func(run int64) *Log {
	return func(run int64) *Log {
		d := newDeployment(run)
		for range rounds {
			x := d.draw.NormFloat64()
			arm, mean := 0, .3
			if kind(x) {
				arm, mean = 1, .7
			}
			d.play(arm, .5, d.coin(mean))
			d.x = append(d.x, x)
		}
		return d.log("a0", "a1").Put("x0", d.x).Put("won", d.won())
	}
}

// tails is .6745, the quartile of the normal law.
const tails = .6744897501960817

// followsTails is item 1 with both ends of a context on one side.
func followsTails() World {
	return World{
		Name: "follows-both-tails", Item: 1, Logs: 1_000, Right: true,
		Text:     "Arm a1 is played exactly when the context x0 is far from 0, |x0| > .67, in half of the rounds, and the reward depends on |x0| alone. The policy is declared uniform, p = .5 is logged, and the context is declared.",
		Said:     "allocation is VIOLATED",
		Before:   "0 of 200",
		Unseen:   unseenShapes,
		Protocol: shapesProtocol,
		Deploy:   byContext(500, func(x float64) bool { return math.Abs(x) > tails }),
		Count:    (*Found).allocationViolated,
	}
}

const unseenShapes = "what follows three contexts together, and no two of them; stripes narrower than an eighth of a context"

// comparesByTails is the same, with the test that the arms pay alike.
func comparesByTails() World {
	w := followsTails()
	w.Name, w.Right = "follows-both-tails-and-compares", false
	w.Text = "The log of follows-both-tails: in every round the two arms pay alike. That they do is tested."
	w.Said, w.Before = "the corrected test rejects a true null", "200 of 200"
	w.Count = (*Found).rejected
	return w
}

// followsStripes is item 1 with stripes of a context.
func followsStripes() World {
	return World{
		Name: "follows-stripes", Item: 1, Logs: 1_000, Right: true,
		Text:     "Arm a1 is played exactly when the whole part of 2·x0 is even, which depends on neither side of the median of x0 nor on its tails, and the reward likewise. Else as in follows-both-tails, over 1,000 rounds.",
		Said:     "allocation is VIOLATED",
		Before:   "18 of 200",
		Unseen:   unseenShapes,
		Protocol: shapesProtocol,
		Deploy:   byContext(1_000, func(x float64) bool { return math.Mod(math.Floor(2*x), 2) == 0 }),
		Count:    (*Found).allocationViolated,
	}
}

// tides are logs of two arms that pay alike in every round, in which a1 is played,
// and rewards come, more often and less often.
func tides(w World, times int) World {
	const rounds = 5_000
	w.Item, w.Logs, w.Right, w.Said = 1, 1_000, true, "allocation is VIOLATED"
	w.Protocol, w.Count = shapesProtocol, (*Found).allocationViolated
	w.Unseen = "tides of few rounds, and slow ones whose excess in an arm's recent rounds is small beside what chance leaves there, unless halves or quarters show them: with probabilities of .35 to .65 over 4,000 rounds 50 of 60 logs with 16 periods were found, and 14 of 60 with 64"
	w.Deploy = func(run int64) *Log {
		d := newDeployment(run)
		for t := range rounds {
			tide := .2 * math.Sin(2*math.Pi*float64(times)*float64(t)/rounds)
			d.play(int(d.coin(.5+tide)), .5, d.coin(.5+tide))
			d.x = append(d.x, d.draw.NormFloat64())
		}
		return d.log("a0", "a1").Put("x0", d.x).Put("won", d.won())
	}
	return w
}

// slowTides is item 1 with tides faster than quarters of the log.
func slowTides() World {
	return tides(World{
		Name:   "tides-16",
		Text:   "Over 5,000 rounds arm a1 is played with probability .3 to .7, and rewards come with probability .3 to .7, both as the same sine with 16 periods. The policy is declared uniform, p = .5 is logged.",
		Before: "94 of 200",
	}, 16)
}

// fastTides is the same, with periods of 31 rounds.
func fastTides() World {
	return tides(World{Name: "tides-64", Text: "The same with 64 periods, of 78 rounds each.", Before: "74 of 200"}, 64)
}

// comparesByTides is the test that the arms pay alike.
func comparesByTides() World {
	w := slowTides()
	w.Name, w.Right = "tides-16-and-compares", false
	w.Text = "The log of tides-16: in every round the two arms pay alike. That they do is tested."
	w.Said, w.Before = "the corrected test rejects a true null", "106 of 200"
	w.Count = (*Found).rejected
	return w
}

// followsTwo is item 1 with two contexts of which neither shows anything alone.
func followsTwo() World {
	return World{
		Name: "follows-two-contexts-together", Item: 1, Logs: 200, Right: true,
		Text:     "Arm a1 is played exactly when the contexts x0 and x1 have the same sign: it goes by neither of them alone. Else as in follows-both-tails; both contexts are declared.",
		Said:     "allocation is VIOLATED",
		Before:   "0 of 200",
		Unseen:   unseenCrossed + ". A column of the log that has several in one, declared as a context, would show it",
		Protocol: "version: 1\nexperiment: {id: two, stopping: fixed}\nlog: {order: [round], action: action, reward: won, propensity: p, context: [x0, x1]}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: uniform}\n",
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			var second []float64
			for range 500 {
				x, z := d.draw.NormFloat64(), d.draw.NormFloat64()
				arm, mean := 0, .3
				if x*z > 0 {
					arm, mean = 1, .7
				}
				d.play(arm, .5, d.coin(mean))
				d.x, second = append(d.x, x), append(second, z)
			}
			return d.log("a0", "a1").Put("x0", d.x).Put("x1", second).Put("won", d.won())
		},
		Count: (*Found).allocationViolated,
	}
}
