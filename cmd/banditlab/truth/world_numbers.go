package truth

import "banditaudit/schemas"

// numbersOfAnother are worlds whose column of numbers of draws, or whose law, is
// another than the one that ran.
func numbersOfAnother() []World {
	var out []World
	add := func(name, text, eta, said string, verdict schemas.Verdict, right bool, deploy func(d *deployment)) {
		out = append(out, World{
			Name: name, Item: 13, Logs: 200, Right: right,
			Text: text + " The logged propensities are shares of 50 to 10,000 draws, another number every 50 rounds; log.propensity_draws names the column of their number.",
			Said: said, Before: "the protocol is refused", Unseen: unseenDraws + "; a number that was chosen after the shares were seen; in a log of 20 updates twice the number is found in about 6 of 10",
			Protocol: head("draws", 4, drawnLog+drawsColumn) + "policy: {name: softmax, eta: " + eta + ", update: {every: 50}}\n" + exact, Count: conformanceIs(verdict),
			Deploy: func(run int64) *Log {
				d := newDeployment(run)
				deploy(d)
				return d.log(labels(4)...).Put("n", d.draws)
			},
		})
	}
	const violated, consistent = "policy.conformance is VIOLATED", "policy.conformance is CONSISTENT"
	add("twice-the-draws", "The column has twice the number of draws; 60 updates of a slow policy.", "0.004", violated, schemas.Violated, true,
		func(d *deployment) { d.numbered(.004, 60, func(n int64) int64 { return 2 * n }) })
	add("half-the-draws", "The column has half of the number of draws.", "0.02", consistent, schemas.Consistent, false,
		func(d *deployment) { d.numbered(.02, 20, func(n int64) int64 { return n / 2 }) })
	add("draws-of-the-update-before", "The column has the number of the update before.", "0.02", consistent, schemas.Consistent, false,
		func(d *deployment) {
			last := int64(1_000)
			d.numbered(.02, 20, func(n int64) int64 { n, last = last, n; return n })
		})
	add("numbers-of-another-eta", "A softmax with η = .03 runs, and η = .02 is declared.", "0.02", violated, schemas.Violated, true,
		func(d *deployment) { d.numbered(.03, 20, itself) })
	return out
}
