package truth

// followsContext is item 1.
func followsContext() World {
	return World{
		Name: "follows-a-context", Item: 1, Logs: 1_000, Right: true,
		Text:   "Arm a1 is played exactly when the context x0 is above 0, and the reward depends on x0 alone. The policy is declared uniform, p = .5 is logged, and the context is declared.",
		Said:   "allocation is VIOLATED",
		Before: "0 of 1,000",
		Unseen: "a dependence on what is not declared, or on none of the splits that were looked at",
		Protocol: `version: 1
experiment: {id: context, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: p, context: [x0]}
arms: [a0, a1]
reward: {range: [0, 1]}
policy: {name: uniform}
`,
		Deploy: contextLog,
		Count:  (*Found).allocationViolated,
	}
}

// contextLog plays a1 where the context is above 0; rewards depend on the context
// alone.
func contextLog(run int64) *Log {
	d := newDeployment(run)
	for range 500 {
		x := d.draw.NormFloat64()
		arm, mean := 0, .3
		if x > 0 {
			arm, mean = 1, .7
		}
		d.play(arm, .5, d.coin(mean))
		d.x = append(d.x, x)
	}
	won := make([]bool, len(d.rewards)) // a number that is 0 or 1 has no exact test
	for t, y := range d.rewards {
		won[t] = y == 1
	}
	return d.log("a0", "a1").Put("x0", d.x).Put("won", won)
}

// comparesByContext is item 1, with a test that compares the arms.
func comparesByContext() World {
	return World{
		Name: "follows-a-context-and-compares", Item: 1, Logs: 1_000,
		Text:   "The log of follows-a-context: in every round the two arms pay alike. That they do is tested.",
		Said:   "the corrected test rejects a true null",
		Before: "1,000 of 1,000",
		Unseen: "arms that follow what is not declared, or so little that no split shows it: the difference is then of the rounds that each arm met",
		Protocol: `version: 1
experiment: {id: context, stopping: fixed}
log: {order: [round], action: action, reward: won, propensity: p, context: [x0]}
arms: [a0, a1]
reward: {range: [0, 1]}
policy: {name: uniform}
privacy: {definition: pure, epsilon: 0}
analysis: {chosen: before, tests: [{id: H, difference: [a0, a1], value: 0, test: exact}]}
`,
		Deploy: contextLog,
		Count:  (*Found).rejected,
	}
}
