package truth

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

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
// than the declared policy's, declared as shares of 1,000 draws or not.
func sharesOfAnother() []World {
	var out []World
	const decimals = "; shares of 1,000 draws are numbers of three decimals, and are held against the fewest draws that they can be of"
	for _, key := range []struct{ name, log, text, unseen string }{
		{"", ", propensity_draws: 1000", "log.propensity_draws: 1000", ""},
		{"-undeclared", "", "log.propensity_draws is not declared", decimals},
		{"-unknown", ", propensity_draws: unknown", "log.propensity_draws: unknown", decimals},
	} {
		protocol := head("draws", 4, drawnLog+key.log) + drawnPolicy
		add := func(name, text, before string, deploy func(d *deployment)) {
			out = append(out, World{
				Name: name + key.name, Item: 13, Logs: 200, Right: true,
				Text: text + " The logged propensities are shares of 1,000 draws, made every 50 rounds; " + key.text + ".",
				Said: "policy.conformance is VIOLATED", Before: before, Unseen: unseenDraws + key.unseen,
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
	out = append(out, staleOfMany(), wrongNumber(), computedShares(), onBytes())
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

// staleOfMany are late shares of many draws, whose lattice is the lattice of their
// decimals.
func staleOfMany() World {
	return World{
		Name: "stale-shares-of-few-decimals", Item: 13, Logs: 200, Right: true,
		Text: "The shares are those of the update before. They are shares of 100,000 draws, made every 50 rounds, written with 3 decimals; log.propensity_draws: unknown.",
		Said: "policy.conformance is VIOLATED", Before: "33 of 40", Unseen: unseenDraws + "; beneath half a unit of the last decimal nothing is seen",
		Protocol: head("draws", 4, drawnLog+", propensity_draws: unknown") + drawnPolicy, Count: conformanceIs(schemas.Violated),
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.sharesOf(100_000, .02, 1)
			return d.rounded(1000).log(labels(4)...)
		},
	}
}

// wrongNumber are shares of another number of draws than is declared.
func wrongNumber() World {
	return World{
		Name: "shares-of-fewer-draws-than-declared", Item: 13, Logs: 200, Right: true,
		Text: "The declared policy runs and logs shares of 1,000 draws, made every 50 rounds; log.propensity_draws: 5000.",
		Said: "policy.conformance is VIOLATED, and its reason asks whether log.propensity_draws: 1000 is meant", Before: "0 of 40: the number was not named",
		Unseen:   "more draws than are declared: the shares are then closer to the policy's propensities than so many are, which is said and is no contradiction",
		Protocol: head("draws", 4, drawnLog+", propensity_draws: 5000") + drawnPolicy,
		Count: func(f *Found) bool {
			p := f.First().Replay.Propensities
			return conformanceIs(schemas.Violated)(f) && p != nil && p.Draws != nil && strings.Contains(p.Draws.Words, "is log.propensity_draws: 1000 meant?")
		},
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.counted(1_000)
			return d.log(labels(4)...)
		},
	}
}

// computedShares are propensities that were computed, and are declared to be shares.
func computedShares() World {
	return World{
		Name: "computed-and-declared-as-shares", Item: 13, Logs: 200, Right: true,
		Text: "The declared policy runs and logs the propensities that it computes; log.propensity_draws: 1000.",
		Said: "policy.conformance is CONSISTENT, and its reason says that they differ from computed ones in no round", Before: "0 of 10: nothing was said",
		Unseen:   "a number of draws so large that shares are as near to computed propensities as their decimals are",
		Protocol: head("draws", 4, drawnLog+", propensity_draws: 1000") + drawnPolicy,
		Count: func(f *Found) bool {
			return slices.ContainsFunc(f.Head.Claims, func(c schemas.Finding) bool {
				return c.Kind == schemas.KindConformance && c.Verdict == schemas.Consistent && strings.Contains(c.Reason, "where they were computed, delete the key")
			})
		},
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.learnt(500, 50, .02, spread(4))
			return d.log(labels(4)...)
		},
	}
}

// onBytes are shares of very many draws, each written as a whole number of 256ths.
func onBytes() World {
	return World{
		Name: "shares-on-256ths", Item: 13, Logs: 200,
		Text: "The declared policy runs and logs shares of 1,000,000 draws, made every 50 rounds, rounded to 256ths; log.propensity_draws: unknown.",
		Said: "policy.conformance is CONSISTENT, estimated by 256 draws", Before: "40 of 40",
		Unseen:   "of how many draws the shares are",
		Protocol: head("draws", 4, drawnLog+", propensity_draws: unknown") + drawnPolicy, Count: conformanceIs(schemas.Consistent),
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.written(1_000_000, 256)
			return d.log(labels(4)...)
		},
	}
}

// sharesBy plays a softmax of η by shares of 1,000 draws, twenty times 50 rounds,
// of the sums some updates ago.
func (d *deployment) sharesBy(eta float64, late int) { d.sharesOf(1_000, eta, late) }

// sharesOf does so by shares of n draws.
func (d *deployment) sharesOf(n int, eta float64, late int) {
	now, before := make([]float64, 4), make([]float64, 4)
	for range 20 {
		sums := now
		if late > 0 {
			sums = before
		}
		q := multinomial(d.draw, n, softmax(eta, sums, nil))
		copy(before, now)
		d.fifty(q, now)
	}
}
