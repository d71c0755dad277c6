package truth

// unseenCrossed is what remains unseen of arms that follow two things together.
const unseenCrossed = "what follows three things together, and no two of them, or two of which one is a context behind the first four; numbers are crossed by the side of their median alone, so that narrower stripes together with another thing pass; two rounds before, the action and the reward, and nothing earlier"

// crossed are logs of two arms with one context, in which an arm follows two things
// together and neither alone, so often as strength says.
func crossed(w World, strength float64, arm func(t int, above bool, d *deployment) int) World {
	const rounds = 1_000
	w.Item, w.Right, w.Said, w.Unseen = 1, true, "allocation is VIOLATED", unseenCrossed
	w.Protocol, w.Count = shapesProtocol, (*Found).allocationViolated
	if w.Logs == 0 {
		w.Logs = 300
	}
	w.Deploy = func(run int64) *Log {
		d := newDeployment(run)
		for t := range rounds {
			x := d.draw.NormFloat64()
			a := arm(t, x > 0, d)
			if d.coin(strength) == 0 {
				a = 1 - a
			}
			mean := .3
			if x > 0 {
				mean = .7
			}
			d.play(a, .5, d.coin(mean))
			d.x = append(d.x, x)
		}
		return d.log("a0", "a1").Put("x0", d.x).Put("won", d.won())
	}
	return w
}

// one is 1 where it is so.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// crossings are item 1 with two things together of which neither shows anything alone.
func crossings() []World {
	flips := func(t int, above bool, _ *deployment) int { return (one(above) + t/50) % 2 }
	after := func(t int, above bool, d *deployment) int {
		if t == 0 {
			return one(above)
		}
		return (one(above) + d.action[t-1]) % 2
	}
	twice := func(t int, _ bool, d *deployment) int {
		if t < 2 {
			return t
		}
		if d.rewards[t-2] > 0 {
			return d.action[t-2]
		}
		return 1 - d.action[t-2]
	}
	return []World{
		crossed(World{
			Name: "follows-a-context-that-turns", Before: "0 of 300",
			Text: "Over 1,000 rounds arm a1 is played exactly when the context x0 is above 0 in the first 50, below 0 in the next 50, and so on. The policy is declared uniform, p = .5 is logged.",
		}, 1, flips),
		comparesTurned(),
		crossed(World{
			Name: "follows-a-context-and-the-last-action", Before: "0 of 300",
			Text: "Over 1,000 rounds the arm of the round before is kept where the context x0 is below 0, and changed where it is above, in 80 % of the rounds. The policy is declared uniform, p = .5 is logged.",
		}, .8, after),
		crossed(World{
			Name: "wins-and-stays-two-rounds-later", Before: "0 of 300",
			Text: "Over 1,000 rounds the arm of two rounds before is played again where it won then, and the other one where it did not, in 80 % of the rounds. The policy is declared uniform, p = .5 is logged.",
		}, .8, twice),
	}
}

// comparesTurned tests that the arms pay alike where rewards turn with the context.
func comparesTurned() World {
	return World{
		Name: "follows-a-context-that-turns-and-compares", Item: 1, Logs: 300,
		Text:     "Arms as in follows-a-context-that-turns; rewards are frequent in the rounds in which a1 is played, for either arm: in every round the two arms pay alike. That they do is tested.",
		Said:     "the corrected test rejects a true null",
		Before:   "300 of 300",
		Unseen:   unseenCrossed,
		Protocol: shapesProtocol,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			for t := range 1_000 {
				x := d.draw.NormFloat64()
				arm := (one(x > 0) + t/50) % 2
				d.play(arm, .5, d.coin(.3+.4*float64(arm)))
				d.x = append(d.x, x)
			}
			return d.log("a0", "a1").Put("x0", d.x).Put("won", d.won())
		},
		Count: (*Found).rejected,
	}
}

// setsProtocol declares four arms of which three are eligible in a round.
const setsProtocol = `version: 1
experiment: {id: sets, stopping: fixed}
log: {order: [round], action: action, reward: won, propensity_by_arm: all, eligible: may, eligible_by: schedule}
arms: [a0, a1, a2, a3]
reward: {range: [0, 1]}
policy: {name: uniform}
privacy: {definition: pure, epsilon: 0}
analysis: {chosen: before, tests: [{id: H, difference: [a1, a0], value: 0, test: exact}]}
`

// eligibleSets are item 1 with shares that go by which arms could be played.
func eligibleSets() []World { return []World{bySet(false), bySet(true)} }

func bySet(compares bool) World {
	w := World{
		Name: "follows-the-eligible-arms", Item: 1, Logs: 300, Right: true,
		Text:     "Over 1,500 rounds arms a0, a1 and either a2 or a3 are eligible, by coins. With a2 arm a0 has a share of 55 % and a1 of 12 %, with a3 the other way round; rewards are frequent with a2. The policy is declared uniform, p = 1/3 is logged for every eligible arm.",
		Said:     "allocation is VIOLATED",
		Before:   "0 of 300",
		Unseen:   "shares that go by a set of eligible arms beyond the first 16 that are met, which are looked at together, and that even out over these; those that go by the set and a context together, and by neither alone; any, where log.eligible is not declared",
		Protocol: setsProtocol,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			var may [][]bool
			for range 1_500 {
				third := 2 + d.draw.IntN(2)
				played := []float64{.55, .12, 0, 0}
				if third == 3 {
					played[0], played[1] = played[1], played[0]
				}
				played[third] = .33
				arm := d.pick(played)
				all, open := []float64{1. / 3, 1. / 3, 0, 0}, []bool{true, true, third == 2, third == 3}
				all[third] = 1. / 3
				d.chosen(arm, all, d.coin(.3+.4*float64(3-third)))
				may = append(may, open)
			}
			return d.log("a0", "a1", "a2", "a3").Put("may", may).Put("won", d.won())
		},
		Count: (*Found).allocationViolated,
	}
	if compares {
		w.Name, w.Right = w.Name+"-and-compares", false
		w.Text = "The log of follows-the-eligible-arms: in every round arms a0 and a1 pay alike. That they do is tested."
		w.Said, w.Before, w.Count = "the corrected test rejects a true null", "300 of 300", (*Found).rejected
	}
	return w
}
