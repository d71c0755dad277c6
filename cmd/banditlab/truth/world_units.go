package truth

import (
	"fmt"

	"banditaudit/schemas"
)

// movedUnits are item 15: what one draw a unit must not hide.
func movedUnits() []World {
	return []World{
		unitsOfOtherShares(true), unitsOfOtherShares(false), unitsThatMove(),
		unitsThatStay(10, 400, "78 of 200, by H05"), unitsThatStay(40, 200, "151 of 200, by H05"), unitsThatStayByOne(), unitsThatStayByReleased(), unitsThatTakeTurns(), unitsDrawnAnew(),
	}
}

// unitsOfOtherShares logs other shares than users are drawn with.
func unitsOfOtherShares(keyed bool) World {
	draw, name := "", "units-of-other-shares-open"
	if keyed {
		draw, name = ", draw: {by: unit}", "units-of-other-shares"
	}
	return World{
		Name: name, Item: 15, Logs: 200, Right: true,
		Text:   "400 users keep one draw for some ten rounds each; .5, .3, .2 is logged and declared, and users are drawn with .35, .3, .35. policy.draw" + map[bool]string{true: " is {by: unit}.", false: " is not declared."}[keyed],
		Said:   "allocation is VIOLATED",
		Before: "–",
		Unseen: "shares that are off by less than about .11 in 400 first rounds, which is what the check says: later rounds of a user add nothing",
		Protocol: head("shares", 3, "propensity: p, propensity_by_arm: all, unit: user") +
			"policy: {name: fixed, probabilities: [0.5, 0.3, 0.2]" + draw + "}\n",
		Deploy: func(run int64) *Log {
			l := visits(run, 10, 400, []float64{.35, .3, .35}, true)
			return l.as(labels(3), []float64{.5, .3, .2})
		},
		Count: func(f *Found) bool { return f.Verdict(schemas.KindAllocation) == schemas.Violated },
	}
}

// unitsThatMove declares one draw a unit of users that are drawn anew.
func unitsThatMove() World {
	return World{
		Name: "units-that-move", Item: 15, Logs: 200, Right: true,
		Text:     "Every round is drawn anew, with the logged and declared probabilities, and policy.draw: {by: unit} says that users keep their arm.",
		Said:     "policy.conformance is VIOLATED",
		Before:   "–",
		Unseen:   "users that move between versions of a policy that learns: its weights have changed, and a user may then be drawn anew or not",
		Protocol: head("move", 3, "propensity: p, propensity_by_arm: all, unit: user") + "policy: {name: fixed, probabilities: [0.5, 0.3, 0.2], draw: {by: unit}}\n",
		Deploy:   func(run int64) *Log { return visits(run, 10, 400, []float64{.5, .3, .2}, false) },
		Count:    func(f *Found) bool { return f.Verdict(schemas.KindConformance) == schemas.Violated },
	}
}

const unseenStay = "a dependence on the arm of another unit, and one smaller than the smallest deviation beside the check; where only the propensity of the played arm of more than two is known, on a round of the unit before its last one; where propensities are neither logged, declared nor recomputed, nothing is looked at"

// unitsThatStay declares a draw a round of users that keep their arm.
func unitsThatStay(each, units int, before string) World {
	return World{
		Name: fmt.Sprintf("units-that-stay-%d", each), Item: 15, Logs: 200, Right: true,
		Text:     fmt.Sprintf("%d users keep one draw for some %d rounds each, drawn with the logged and declared probabilities, and policy.draw: {by: round} says that every round is drawn anew.", units, each),
		Said:     "allocation is VIOLATED",
		Before:   before,
		Unseen:   unseenStay,
		Protocol: head("stay", 3, "propensity: p, propensity_by_arm: all, unit: user") + "policy: {name: fixed, probabilities: [0.5, 0.3, 0.2], draw: {by: round}}\n",
		Deploy:   func(run int64) *Log { return visits(run, each, units, []float64{.5, .3, .2}, true) },
		Count:    (*Found).allocationViolated,
	}
}

// unitsThatStayByOne is unitsThatStay of users who stay in some rounds, with the
// propensity of the played arm alone and no policy.
func unitsThatStayByOne() World {
	w := unitsThatStay(10, 400, "0 of 200")
	w.Name = "units-that-stay-a-little"
	w.Text = "400 users of some 10 rounds each keep the arm of their round before in a fifth of the rounds, and are drawn anew in the others. The propensity of the action alone is logged; no policy is declared, and policy.draw: {by: round} is."
	w.Protocol = head("stay", 3, "propensity: p, unit: user") + "policy: {draw: {by: round}}\n"
	w.Deploy = func(run int64) *Log {
		return returns(run, 10, 400, []float64{.5, .3, .2}, func(d *deployment, last int, p []float64) int {
			if d.coin(.2) == 1 {
				return last
			}
			return d.pick(p)
		})
	}
	return w
}

// unitsThatStayByReleased is unitsThatStay where what the policy saw is logged, and
// no propensity.
func unitsThatStayByReleased() World {
	w := unitsThatStay(10, 400, "32 of 100")
	w.Name, w.Said = "units-that-stay-by-released", "policy.conformance is VIOLATED"
	w.Text = "400 users keep one draw of a softmax that hardly learns for some 10 rounds each, whatever it learns, and policy.draw: {by: round} says that every round is drawn anew. The sums that it saw are logged, and no propensity."
	w.Protocol = head("stay", 3, "released_by_arm: sums, unit: user, batch: version") + "policy: {name: softmax, eta: 0.0005, update: batch, draw: {by: round}}\n" + exact
	w.Deploy = func(run int64) *Log { return learning(run, 10, 400, .0005, true) }
	w.Count = func(f *Found) bool { return f.Verdict(schemas.KindConformance) == schemas.Violated }
	return w
}

// unitsThatTakeTurns are users that never meet the same arm twice in a row.
func unitsThatTakeTurns() World {
	w := unitsThatStay(10, 400, "0 of 200")
	w.Name = "units-that-take-turns"
	w.Text = "Each of 400 users has some 10 rounds, and meets one of the other two arms of three in each later round, with equal odds. The policy is declared uniform, by round, and 1/3 is logged."
	w.Protocol = head("turns", 3, "propensity: p, propensity_by_arm: all, unit: user") + "policy: {name: uniform, draw: {by: round}}\n"
	w.Deploy = func(run int64) *Log {
		third := []float64{1. / 3, 1. / 3, 1. / 3}
		return returns(run, 10, 400, third, func(d *deployment, last int, _ []float64) int { return (last + 1 + d.draw.IntN(2)) % 3 })
	}
	return w
}

// unitsDrawnAnew declares one draw a unit, and no policy, of users that are drawn
// anew.
func unitsDrawnAnew() World {
	return World{
		Name: "units-drawn-anew", Item: 15, Logs: 200, Right: true,
		Text:     "Every round is drawn anew, with the logged probabilities, which never change. No policy is declared, and policy.draw: {by: unit} says that users keep their arm.",
		Said:     "allocation is NOT ESTABLISHED",
		Before:   "0 of 200 (CONSISTENT)",
		Unseen:   "users that move where the logged propensities, the batch or the arms that could be played changed since their round before: a platform may then draw anew. With the propensity of the action alone, of more than two arms, nothing is looked at unless propensities change with the batch only",
		Protocol: head("anew", 2, "propensity: p, unit: user") + "policy: {draw: {by: unit}}\n",
		Deploy:   func(run int64) *Log { return visits(run, 10, 400, []float64{.5, .5}, false) },
		Count:    func(f *Found) bool { return f.Verdict(schemas.KindAllocation) == schemas.NotEstablished },
	}
}

// returns are rounds of users who come in any order, first with the given
// probabilities, and then by what again returns of the arm of their round before.
func returns(run int64, each, units int, p []float64, again func(d *deployment, last int, p []float64) int) *Log {
	d := newDeployment(run)
	k := len(p)
	unit, of := make([]int64, 0, each*units), map[int64]int{}
	for range each * units {
		u := d.draw.Int64N(int64(units))
		arm, ok := of[u]
		if ok {
			arm = again(d, arm, p)
		} else {
			arm = d.pick(p)
		}
		of[u] = arm
		d.chosen(arm, p, d.coin(spread(k)[arm]))
		unit = append(unit, u)
	}
	return d.log(labels(k)...).Put("user", unit)
}
