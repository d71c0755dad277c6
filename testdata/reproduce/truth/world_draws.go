package truth

import "banditaudit/schemas"

// What remains unseen of shares of draws.
const (
	unseenDraws = "a law that is nearer to the declared one than about √(1/N) in every update, and rounds off the lattice, up to 1 % of them, which are counted and left out"
	drawnLog    = "propensity: p, propensity_by_arm: all"
	drawnPolicy = "policy: {name: softmax, eta: 0.02, update: {every: 50}}\n" + exact
)

// conformanceIs counts a verdict on policy.conformance.
func conformanceIs(v schemas.Verdict) func(f *Found) bool {
	return func(f *Found) bool { return f.Verdict(schemas.KindConformance) == v }
}

// sharesOfAnother are the worlds of item 13: shares of 1,000 draws from another law
// than that of the declared policy, declared as shares of 1,000 draws or not.
func sharesOfAnother() []World {
	var out []World
	for _, key := range []struct{ name, log, text string }{
		{"", ", propensity_draws: 1000", "log.propensity_draws: 1000"},
		{"-undeclared", "", "log.propensity_draws is not declared"},
		{"-unknown", ", propensity_draws: unknown", "log.propensity_draws: unknown"},
	} {
		protocol := head("draws", 4, drawnLog+key.log) + drawnPolicy
		add := func(name, text, before string, deploy func(d *deployment)) {
			out = append(out, World{
				Name: name + key.name, Item: 13, Logs: 200, Right: true,
				Text: text + " The logged propensities are shares of 1,000 draws, made every 50 rounds; " + key.text + ".",
				Said: "policy.conformance is VIOLATED", Before: before, Unseen: unseenDraws,
				Protocol: protocol, Count: conformanceIs(schemas.Violated),
				Deploy: func(run int64) *Log {
					d := newDeployment(run)
					deploy(d)
					return d.log(labels(4)...)
				},
			})
		}
		add("shares-of-another-eta", "A softmax with η = .03 runs, and η = .02 is declared.", "in all, as are honest ones", func(d *deployment) { d.sharesBy(.03, 0) })
		add("stale-shares", "The shares are those of the update before.", "in all, as are honest ones", func(d *deployment) { d.sharesBy(.02, 1) })
	}
	return append(out, World{
		Name: "shares-that-nobody-declared", Item: 13, Logs: 200,
		Text: "The declared policy runs and logs shares of 1,000 draws, which nothing says.", Said: "policy.conformance is CONSISTENT",
		Before: "0", Unseen: "whether they are shares of draws: that the key is declared is asked for",
		Protocol: head("draws", 4, drawnLog) + drawnPolicy, Count: conformanceIs(schemas.Consistent),
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.counted(1_000)
			return d.log(labels(4)...)
		},
	})
}

// sharesBy plays a softmax of η by shares of 1,000 draws, twenty times 50 rounds,
// of the sums so many updates ago.
func (d *deployment) sharesBy(eta float64, late int) {
	now, before := make([]float64, 4), make([]float64, 4)
	for range 20 {
		sums := now
		if late > 0 {
			sums = before
		}
		q := multinomial(d.draw, 1_000, softmax(eta, sums, nil))
		copy(before, now)
		d.fifty(q, now)
	}
}
