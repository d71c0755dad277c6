package truth

import "math"

const drawsColumn = ", propensity_draws: {column: n}"

// numbers are propensities that are shares of draws whose number the log has row by
// row: from 50 to 10,000, another one for every update.
func numbers() []Honest {
	var out []Honest
	add := func(name, text, log string, deploy func(d *deployment)) {
		policy := "{name: softmax, eta: 0.02, update: {every: 50}}"
		out = append(out, Honest{
			Name: name, Item: 13, Before: "the protocol is refused", Text: text + "; log.propensity_draws names the column of their number",
			Protocol: head("draws", 4, log+drawsColumn) + "policy: " + policy + "\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				deploy(d)
				return d.log(labels(4)...).Put("n", d.draws)
			},
		})
	}
	const all = "propensity: p, propensity_by_arm: all"
	add("shares of 50 to 10000 draws, by column", "propensities of all arms are shares of draws, another number of them after every 50 rounds",
		all, func(d *deployment) { d.numbered(.02, 20, itself) })
	add("shares of 50 to 10000 draws of the played arm, by column", "the same logs with the propensity of the played arm alone",
		"propensity: p", func(d *deployment) { d.numbered(.02, 20, itself); d.all = nil })
	add("one more than 50 to 10000 draws, by column", "the same, and arms are drawn by one more draw",
		all+", drawn: one-more", func(d *deployment) { d.numberedOneMore() })
	add("shares of 50 to 10000 draws in every round, by column", "propensities are drawn anew in every round, by another number of draws",
		all, func(d *deployment) { d.numberedRounds() })
	silent := func(name, text, before, log string, of func(d *deployment) int64) {
		out = append(out, Honest{
			Name: name, Item: 13, Before: before, Text: text,
			Protocol: head("draws", 4, log) + "policy: {name: softmax, eta: 0.02, update: {every: 50}}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				d.numberedBy(.02, 20, of, itself)
				return d.log(labels(4)...)
			},
		})
	}
	either := func(d *deployment) int64 { return []int64{1_000, 10_000}[d.draw.IntN(2)] }
	const many = "propensities of all arms are shares of draws, made again after every 50 rounds, "
	silent("shares of 1000 or 10000 draws", many+"as often of 1,000 as of 10,000; nothing says so", "24 of 24 VIOLATED", all, either)
	silent("shares of 1000 or 10000 draws, unknown", "the same logs, and log.propensity_draws: unknown", "24 of 24 VIOLATED", all+", propensity_draws: unknown", either)
	silent("shares of 50 to 10000 draws", many+"of another number every time; nothing says so", "40 of 40 VIOLATED", all, (*deployment).number)
	return out
}

// number is a number of draws, as likely to be near 50 as near 10,000.
func (d *deployment) number() int64 {
	return int64(math.Round(50 * math.Pow(200, d.draw.Float64())))
}

// itself is a number of draws that is logged as it was.
func itself(n int64) int64 { return n }

// says logs a number of draws for the rounds that have none.
func (d *deployment) says(n int64) {
	for len(d.draws) < len(d.action) {
		d.draws = append(d.draws, n)
	}
}

// numbered plays a softmax of four arms by counts of draws, 50 rounds after each of
// so many updates, and logs what is said of their number.
func (d *deployment) numbered(eta float64, updates int, said func(n int64) int64) {
	d.numberedBy(eta, updates, (*deployment).number, said)
}

// numberedBy does so by numbers of its own.
func (d *deployment) numberedBy(eta float64, updates int, of func(d *deployment) int64, said func(n int64) int64) {
	sums := make([]float64, 4)
	for range updates {
		n := of(d)
		d.fifty(multinomial(d.draw, int(n), softmax(eta, sums, nil)), sums)
		d.says(said(n))
	}
}

// numberedOneMore plays as numbered does, by one more draw.
func (d *deployment) numberedOneMore() {
	sums, means := make([]float64, 4), spread(4)
	for range 20 {
		n, p := d.number(), softmax(.02, sums, nil)
		q := multinomial(d.draw, int(n), p)
		for range 50 {
			arm := d.pick(p)
			y := d.coin(means[arm])
			sums[arm] += y
			d.chosen(arm, q, y)
		}
		d.says(n)
	}
}

// numberedRounds plays ten times 50 rounds as numbered does, with draws of its own in
// every round.
func (d *deployment) numberedRounds() {
	sums, means := make([]float64, 4), spread(4)
	for range 10 {
		p := softmax(.02, sums, nil)
		for range 50 {
			n := d.number()
			q := multinomial(d.draw, int(n), p)
			arm := d.pick(q)
			y := d.coin(means[arm])
			sums[arm] += y
			d.chosen(arm, q, y)
			d.says(n)
		}
	}
}
