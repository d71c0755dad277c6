package truth

import "fmt"

// units are users who are drawn once and keep their arm, as every platform does
// it: half of the kinds say so in policy.draw.
func units() []Honest {
	weights := []float64{.5, .3, .2}
	var out []Honest
	for _, size := range []struct {
		each, units int
		before      string
	}{{10, 400, "7 of 24 VIOLATED"}, {40, 200, "12 of 12 VIOLATED"}} {
		deploy := func(run int64) *Log {
			d := newDeployment(run)
			unit, of := make([]int64, 0, size.each*size.units), map[int64]int{}
			for range size.each * size.units {
				u := d.draw.Int64N(int64(size.units))
				arm, ok := of[u]
				if !ok {
					arm = d.pick(weights)
					of[u] = arm
				}
				d.chosen(arm, weights, d.coin(spread(3)[arm]))
				unit = append(unit, u)
			}
			return d.log(labels(3)...).Put("user", unit)
		}
		add := func(name, text, log, draw string) {
			out = append(out, Honest{
				Name: fmt.Sprintf("%d rounds a unit%s", size.each, name), Item: 15, Open: true, Before: size.before, Text: text,
				Protocol: head("units", 3, log) + "policy: {name: fixed, probabilities: [0.5, 0.3, 0.2]" + draw + "}\n",
				Deploy:   deploy,
			})
		}
		const p = "propensity: p, propensity_by_arm: all, "
		add("", "one draw a user, who keeps the arm; log.unit is declared, policy.draw is not", p+"unit: user", "")
	}
	return out
}
