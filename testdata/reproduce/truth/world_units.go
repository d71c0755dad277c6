package truth

import "banditaudit/schemas"

// movedUnits are item 15: what one draw a unit must not hide.
func movedUnits() []World {
	return []World{unitsOfOtherShares(true), unitsOfOtherShares(false), unitsThatMove()}
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
