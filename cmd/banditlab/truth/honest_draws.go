package truth

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// drawn are propensities that are shares of N draws: the policy draws
// vectors from its posterior, counts how often each arm was best, and plays by the
// counts. What is declared is nothing, the number of draws, or that nobody knows it.
func drawn() []Honest {
	var out []Honest
	add := func(name, text, before, log, policy string, deploy func(d *deployment)) {
		out = append(out, Honest{
			Name: name, Item: 13, Before: before, Text: text,
			Protocol: head("draws", 4, log) + "policy: {" + policy + ", update: {every: 50}}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				deploy(d)
				return d.log(labels(4)...)
			},
		})
	}
	const soft, sharp, sampled, all = "name: softmax, eta: 0.02", "name: softmax, eta: 0.05", "name: thompson, prior: {alpha: 1, beta: 1}", "propensity: p, propensity_by_arm: all"
	for _, n := range []int{100, 1_000, 10_000, 100_000, 1_000_000} {
		add(fmt.Sprintf("shares of %d draws", n), "propensities of all arms are shares of draws, made again after every 50 rounds; nothing says so",
			"VIOLATED", all, soft, func(d *deployment) { d.counted(n) })
		add(fmt.Sprintf("shares of %d draws, declared", n), "the same logs, and log.propensity_draws has their number",
			"–", fmt.Sprintf("%s, propensity_draws: %d", all, n), soft, func(d *deployment) { d.counted(n) })
	}
	add("shares of 3000 draws, unknown", "propensities of all arms are shares of draws, and log.propensity_draws: unknown",
		"–", all+", propensity_draws: unknown", soft, func(d *deployment) { d.counted(3_000) })
	add("shares of 1000 draws after an exact start", "the first 50 rounds carry exactly 1/4 of each arm, as nothing was learned, the next 50 shares of draws, and log.propensity_draws: unknown",
		"200 of 200 VIOLATED", all+", propensity_draws: unknown", soft, func(d *deployment) { d.begun(1_000) })
	add("shares of 400 draws of a policy that settles", "one arm soon has nearly all, so that few updates tell anything, and log.propensity_draws: unknown",
		"5 of 200 VIOLATED", all+", propensity_draws: unknown", "name: softmax, eta: 0.5", func(d *deployment) { d.settles(400) })
	add("shares of 1000 draws of the played arm", "the propensity of the played arm alone is logged, and log.propensity_draws has the number of draws",
		"–", "propensity: p, propensity_draws: 1000", soft, func(d *deployment) { d.counted(1_000); d.all = nil })
	for _, n := range []int{100, 1_000} {
		add(fmt.Sprintf("Thompson sampling by %d draws", n), "so many vectors are drawn from Beta posteriors after every 50 rounds, the shares in which each arm was best are logged and declared, and arms are drawn by them",
			"VIOLATED", fmt.Sprintf("%s, propensity_draws: %d", all, n), sampled, func(d *deployment) { d.best(n) })
	}
	for _, n := range []int{100, 1_000} {
		add(fmt.Sprintf("one more than %d draws", n), "the propensities of all arms are shares of draws and declared so, the arm is drawn by one more draw, and its share may be 0",
			"the log is refused", fmt.Sprintf("%s, propensity_draws: %d, drawn: one-more", all, n), sharp, func(d *deployment) { d.oneMore(n) })
	}
	add("shares of 54321 draws", "a number that is none of 1, 2 or 5 times a power of ten, shares in full precision; nothing says so",
		"40 of 40 VIOLATED", all, soft, func(d *deployment) { d.counted(54_321) })
	for _, of := range []struct {
		n, digits                int
		absent, unknown, partial string // before
	}{
		{333, 3, "40 of 40 VIOLATED", "40 of 40 VIOLATED", "13 of 40 VIOLATED"},
		{1_000, 3, "0", "0", "0"},
		{100_000, 3, "40 of 40 VIOLATED", "40 of 40 CONSISTENT, as shares of 1,000 draws", "0"},
		{100_000, 4, "40 of 40 VIOLATED", "40 of 40 CONSISTENT, as shares of 10,000 draws", "0"},
	} {
		name := fmt.Sprintf("shares of %d draws with %d decimals", of.n, of.digits)
		deploy := func(d *deployment) { d.short(of.n, of.digits) }
		add(name, "propensities of all arms are shares of draws, written with few decimals; nothing says so", of.absent, all, soft, deploy)
		add(name+", declared", "the same logs, and log.propensity_draws has their number", "0", fmt.Sprintf("%s, propensity_draws: %d", all, of.n), soft, deploy)
		add(name+", unknown", "the same logs, and log.propensity_draws: unknown", of.unknown, all+", propensity_draws: unknown", soft, deploy)
		add(name+", of the played arm", "the same logs with the propensity of the played arm alone; nothing says so", of.partial, "propensity: p", soft,
			func(d *deployment) { d.short(of.n, of.digits); d.all = nil })
	}
	add("one more than 1000 draws, of the played arm", "the share of the played arm alone is logged",
		"the log is refused", "propensity: p, propensity_draws: 1000, drawn: one-more", sharp, func(d *deployment) { d.oneMore(1_000); d.all = nil })
	return append(out, ofTwoArms())
}

// ofTwoArms are shares of two arms, of which one tells the other.
func ofTwoArms() Honest {
	return Honest{
		Name: "shares of 1000 draws of the played one of two arms", Item: 13, Before: "10 of 20 VIOLATED",
		Text:     "two arms, of which the propensity of the played one alone is logged, shares of draws in full precision; nothing says so",
		Protocol: head("draws", 2, "propensity: p") + "policy: {name: softmax, eta: 0.02, update: {every: 50}}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.countedOf(2, 1_000)
			d.all = nil
			return d.log(labels(2)...)
		},
	}
}

// oneMore plays a softmax of four arms, logs counts of n draws, and plays by one
// more draw.
func (d *deployment) oneMore(n int) {
	sums, means := make([]float64, 4), spread(4)
	for range 20 {
		p := softmax(.05, sums, nil)
		q := multinomial(d.draw, n, p)
		for range 50 {
			arm := d.pick(p)
			y := d.coin(means[arm])
			sums[arm] += y
			d.chosen(arm, q, y)
		}
	}
}

// counted plays a softmax of four arms by counts of n draws, twenty times 50 rounds.
func (d *deployment) counted(n int) { d.countedOf(4, n) }

// countedOf does so with k arms.
func (d *deployment) countedOf(k, n int) {
	sums := make([]float64, k)
	for range 20 {
		d.fifty(multinomial(d.draw, n, softmax(.02, sums, nil)), sums)
	}
}

// short plays as counted does, by counts that are written with few decimals.
func (d *deployment) short(n, digits int) { d.written(n, math.Pow10(digits)) }

// written does so by counts that are written as whole numbers over scale.
func (d *deployment) written(n int, scale float64) {
	sums := make([]float64, 4)
	for range 20 {
		q := multinomial(d.draw, n, softmax(.02, sums, nil))
		for a, v := range q {
			q[a] = math.Round(v*scale) / scale
		}
		d.fifty(q, sums)
	}
}

// begun plays 50 rounds that are given and 50 by counts of n draws.
func (d *deployment) begun(n int) {
	sums := make([]float64, 4)
	d.fifty([]float64{.25, .25, .25, .25}, sums)
	d.fifty(multinomial(d.draw, n, softmax(.02, sums, nil)), sums)
}

// settles plays as counted does, by a policy that soon plays one arm.
func (d *deployment) settles(n int) {
	sums := make([]float64, 4)
	for range 20 {
		d.fifty(multinomial(d.draw, n, softmax(.5, sums, nil)), sums)
	}
}

// best plays Thompson sampling of four arms likewise: vectors are drawn from the
// posteriors, and the best coordinate of each is counted.
func (d *deployment) best(n int) {
	sums, rows := make([]float64, 4), make([]float64, 4)
	for range 20 {
		q := make([]float64, 4)
		for range n {
			top, at := -1.0, 0
			for a := range q {
				if v := (distuv.Beta{Alpha: 1 + sums[a], Beta: 1 + rows[a] - sums[a], Src: d.draw}).Rand(); v > top {
					top, at = v, a
				}
			}
			q[at]++
		}
		for a := range q {
			q[a] /= float64(n)
		}
		from := len(d.action)
		d.fifty(q, sums)
		for _, arm := range d.action[from:] {
			rows[arm]++
		}
	}
}

// fifty plays 50 rounds with propensities q and adds their rewards to the sums.
func (d *deployment) fifty(q, sums []float64) {
	means := spread(len(q))
	for range 50 {
		arm := d.pick(q)
		y := d.coin(means[arm])
		sums[arm] += y
		d.chosen(arm, q, y)
	}
}

// multinomial is the share of each arm in n draws.
func multinomial(src *rand.Rand, n int, p []float64) []float64 {
	out, left, rest := make([]float64, len(p)), float64(n), 1.0
	for i, of := range p {
		count := left
		if i < len(p)-1 && left > 0 && of < rest {
			count = distuv.Binomial{N: left, P: of / rest, Src: src}.Rand()
		}
		out[i] = count / float64(n)
		left, rest = left-count, rest-of
	}
	return out
}
