package truth

// twoArms are shares of draws of two arms, of which the log has the share of the played
// arm alone: 1 less a share is the share of the other arm, but for the last bit.
func twoArms() []Honest {
	var out []Honest
	for _, c := range [][2]string{{"1000", "2 of 20 VIOLATED"}, {"{column: n}", "the protocol is refused"}} {
		key, before := c[0], c[1]
		out = append(out, Honest{
			Name: "shares of 1000 draws of the played one of two arms, as float32, " + key, Item: 13,
			Before: before, Text: "two arms, and the share of the played arm alone is logged, as float32, made again after every 50 rounds; log.propensity_draws: " + key,
			Protocol: head("draws", 2, "propensity: p, propensity_draws: "+key) + "policy: {name: softmax, eta: 0.01, update: {every: 50}}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				d.twoArms(1_000)
				return d.log(labels(2)...).Put("n", d.draws)
			},
		})
	}
	return out
}

// twoArms plays a softmax of two arms by counts of draws, sixty times 50 rounds, and
// logs the share of the arm that it plays.
func (d *deployment) twoArms(n int64) {
	sums, means := make([]float64, 2), spread(2)
	for range 60 {
		q := multinomial(d.draw, int(n), softmax(.01, sums, nil))
		for range 50 {
			arm := d.pick(q)
			y := d.coin(means[arm])
			sums[arm] += y
			d.play(arm, float64(float32(q[arm])), y)
		}
		d.says(n)
	}
}
