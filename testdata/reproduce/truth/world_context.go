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
		Deploy: func(run int64) *Log {
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
			return d.log("a0", "a1").Put("x0", d.x)
		},
		Count: (*Found).allocationViolated,
	}
}
