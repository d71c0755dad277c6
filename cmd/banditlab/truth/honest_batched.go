package truth

import "fmt"

// batched are policies that learn after every batch of rounds, without a column
// that says so, declared with their schedule and with no policy at all.
func batched() []Honest {
	var out []Honest
	for _, every := range []int{7, 24, 25, 100} {
		deploy := func(run int64) *Log {
			d := newDeployment(run)
			d.learnt(1_000, every, .01, spread(3))
			return d.log(labels(3)...)
		}
		before := "–"
		if every == 100 {
			before = "false periods in 18 of 60"
		}
		declared := head("batched", 3, "propensity: p, propensity_by_arm: all")
		out = append(out,
			Honest{
				Name: fmt.Sprintf("batches of %d", every), Item: 14, Before: before,
				Text:     fmt.Sprintf("a policy that learns after every %d rounds, declared so", every),
				Protocol: declared + fmt.Sprintf("policy: {name: softmax, eta: 0.01, update: {every: %d}}\n", every) + exact,
				Deploy:   deploy,
			},
			Honest{
				Name: fmt.Sprintf("batches of %d, no policy", every), Item: 14, Before: before,
				Text:     "the same logs, without a declared policy",
				Protocol: declared,
				Deploy:   deploy,
			})
	}
	return out
}
