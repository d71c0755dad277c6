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
	silent := func(name, text, before, log string, of func(d *deployment) int64, write func(d *deployment) *Log) {
		out = append(out, Honest{
			Name: name, Item: 13, Before: before, Text: text,
			Protocol: head("draws", 4, log) + "policy: {name: softmax, eta: 0.02, update: {every: 50}}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				d.numberedBy(.02, 20, of, itself)
				return write(d)
			},
		})
	}
	whole := func(d *deployment) *Log { return d.log(labels(4)...) }
	thousandths := func(d *deployment) *Log { return d.rounded(1_000).log(labels(4)...) }
	tenThousandths := func(d *deployment) *Log { return d.rounded(10_000).log(labels(4)...) }
	single := func(d *deployment) *Log { return d.narrow(labels(4)...) }
	either := func(d *deployment) int64 { return []int64{1_000, 10_000}[d.draw.IntN(2)] }
	const many = "propensities of all arms are shares of draws, made again after every 50 rounds, "
	silent("shares of 1000 or 10000 draws", many+"as often of 1,000 as of 10,000; nothing says so", "24 of 24 VIOLATED", all, either, whole)
	silent("shares of 1000 or 10000 draws, unknown", "the same logs, and log.propensity_draws: unknown", "24 of 24 VIOLATED", all+", propensity_draws: unknown", either, whole)
	silent("shares of 50 to 10000 draws", many+"of another number every time; nothing says so", "40 of 40 VIOLATED", all, (*deployment).number, whole)
	silent("shares of 50 to 10000 draws, as float32", many+"of another number every time, as float32; nothing says so", "20 of 20 VIOLATED", all, (*deployment).number, single)
	const unknown, before = all + ", propensity_draws: unknown", "20 of 20 VIOLATED"
	silent("shares of 50 to 10000 draws with 3 decimals, unknown", many+"of another number every time, written with 3 decimals, and log.propensity_draws: unknown", "18 of 20 VIOLATED", unknown, (*deployment).number, thousandths)
	silent("shares of 50 to 10000 draws with 4 decimals, unknown", many+"of another number every time, written with 4 decimals, and log.propensity_draws: unknown", before, unknown, (*deployment).number, tenThousandths)
	far := func(d *deployment) int64 { return []int64{100, 100_000}[d.draw.IntN(2)] }
	silent("shares of 100 or 100000 draws, as float32, unknown", many+"as often of 100 as of 100,000, as float32, and log.propensity_draws: unknown", before, unknown, far, single)
	playedAlone(silent)
	return append(out, fewUpdates()...)
}

// fewUpdates are logs with two or three updates, as of a week with one a day, where
// nothing says of how many draws they are.
func fewUpdates() []Honest {
	var out []Honest
	add := func(name, before string, arms, updates int, of func(d *deployment) int64, single bool) {
		out = append(out, Honest{
			Name: name, Item: 13, Before: before + ", of such logs of Thompson sampling",
			Text:     "a log of few rounds: propensities of all arms are shares of draws, made again after every 50 of them, of another number every time; nothing says so",
			Protocol: head("draws", arms, "propensity: p, propensity_by_arm: all") + "policy: {name: softmax, eta: 0.02, update: {every: 50}}\n" + exact,
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				sums := make([]float64, arms)
				for range updates {
					d.fifty(multinomial(d.draw, int(of(d)), softmax(.02, sums, nil)), sums)
				}
				if single {
					return d.narrow(labels(arms)...)
				}
				return d.log(labels(arms)...)
			},
		})
	}
	three := func(d *deployment) int64 { return []int64{400, 1_000, 3_001}[d.draw.IntN(3)] }
	some := func(d *deployment) int64 { return 500 + int64(d.draw.ExpFloat64()*1_000) }
	add("three updates of 400, 1000 or 3001 draws", "13 of 20 VIOLATED", 3, 3, three, false)
	add("three updates of 400, 1000 or 3001 draws, as float32", "15 of 20 VIOLATED", 3, 3, three, true)
	add("three updates of 500 draws and more", "20 of 20 VIOLATED", 3, 3, some, false)
	add("three updates of 500 draws and more, as float32", "20 of 20 VIOLATED", 3, 3, some, true)
	add("three updates of 500 draws and more, five arms, as float32", "20 of 20 VIOLATED", 5, 3, some, true)
	add("two updates of 500 draws and more, two arms", "18 of 20 VIOLATED", 2, 2, some, false)
	add("three updates of 500 draws and more, two arms, as float32", "20 of 20 VIOLATED", 2, 3, some, true)
	return out
}

// playedAlone are logs of the kind with the propensity of the played arm alone, of
// which no score is made.
func playedAlone(silent func(name, text, before, log string, of func(d *deployment) int64, write func(d *deployment) *Log)) {
	const log, before = "propensity: p", "3 of 3 VIOLATED"
	const text = "the propensity of the played arm alone is a share of draws, made again after every 50 rounds, "
	few := func(d *deployment) int64 { return []int64{50, 4_000}[d.draw.IntN(2)] }
	three := func(d *deployment) int64 { return []int64{300, 999, 1_000}[d.draw.IntN(3)] }
	whole := func(d *deployment) *Log { return d.log(labels(4)...) }
	single := func(d *deployment) *Log { return d.narrow(labels(4)...) }
	tenThousandths := func(d *deployment) *Log { return d.rounded(10_000).log(labels(4)...) }
	silent("shares of 50 or 4000 draws of the played arm, unknown", text+"as often of 50 as of 4,000, and log.propensity_draws: unknown", before, log+", propensity_draws: unknown", few, whole)
	silent("shares of 300, 999 or 1000 draws of the played arm", text+"of 300, 999 or 1,000; nothing says so", before, log, three, whole)
	silent("shares of 300, 999 or 1000 draws of the played arm, as float32", text+"of 300, 999 or 1,000, as float32; nothing says so", before, log, three, single)
	silent("shares of 300, 999 or 1000 draws of the played arm, with 4 decimals", text+"of 300, 999 or 1,000, written with 4 decimals; nothing says so", before, log, three, tenThousandths)
	silent("shares of 300, 999 or 1000 draws of the played arm, with 4 decimals, unknown", text+"of 300, 999 or 1,000, written with 4 decimals, and log.propensity_draws: unknown", before, log+", propensity_draws: unknown", three, tenThousandths)
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
// a number of updates, and logs what is said of that number.
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
