package dialects

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	coin   = "name: thompson, prior: {alpha: 1, beta: 1}"
	sample = "name: thompson, prior: {mean: 0, variance: 100, noise: sample}"
)

// thompsons are Thompson sampling as libraries and platforms run it.
func thompsons() []Setting {
	of := func(name, policy string, d dialect, set func(p *thompson), kinds ...Evidence) []Setting {
		d.name, d.policy = name, policy
		d.begin = func(w *world) player {
			p := newBeta(w.k)
			set(p)
			return p
		}
		return d.with(kinds...)
	}
	normal := func(p *thompson) { p.a, p.mean0, p.var0, p.noise = 0, .5, 1, .25 }
	own := func(p *thompson) { p.a, p.mean0, p.var0 = 0, 0, 100 }
	return slices.Concat(
		of("Thompson of libraries", coin, dialect{}, func(*thompson) {}, Actions, Played, All),
		of("Thompson of a Beta prior, real rewards", "name: thompson, prior: {alpha: 2, beta: 3}", dialect{reals: only}, func(p *thompson) { p.a, p.b = 2, 3 }, Actions, All),
		of("Thompson, Beta, every 50 rounds", coin+", update: {every: 50}", dialect{every: 50}, func(*thompson) {}, Actions, All),
		of("Thompson, Beta, by batches", coin+", update: batch", dialect{every: 70, batches: true}, func(*thompson) {}, Actions, All),
		of("Thompson, a cap of 50", coin+", cap: 50", dialect{}, func(p *thompson) { p.most = 50 }, Actions, All),
		of("Thompson, one of the best two", coin+", top: 2", dialect{}, func(p *thompson) { p.two = true }, Actions, All),
		of("Thompson, normal, known noise", "name: thompson, prior: {mean: 0.5, variance: 1, noise: 0.25}", dialect{reals: either}, normal, Actions, All),
		of("Thompson, normal, noise of the sample", sample+", start: {until: each-played}", dialect{reals: coins}, own, Actions),
		of("Thompson, noise of the sample, 20 rows first, every 25 rounds", sample+", min_rows: 20, update: {every: 25}", dialect{every: 25}, func(p *thompson) {
			own(p)
			p.least = 20
		}, Actions, All),
		of("Thompson, normal, one of the best two, 20 rows first, every 25 rounds", "name: thompson, prior: {mean: 0.5, variance: 1, noise: 0.25}, top: 2, min_rows: 20, update: {every: 25}", dialect{reals: either, every: 25}, func(p *thompson) {
			normal(p)
			p.two, p.least = true, 20
		}, Actions, All),
	)
}

// floors are Thompson sampling over each kind of floor.
func floors() []Setting {
	var out []Setting
	for _, kind := range []string{"mix", "clip", "water", "rest"} {
		d := dialect{
			name: "Thompson over a floor: " + kind, policy: fmt.Sprintf("%s, update: {every: 20}, floor: {kind: %s, value: 0.04}", coin, kind), every: 20,
			begin: func(w *world) player { return &floored{newBeta(w.k), kind, .04} },
		}
		out = append(out, d.with(Actions, Played, All)...)
	}
	return out
}

// estimates are propensities that are shares of draws.
func estimates() []Setting {
	of := func(name, policy, log string, e sampling, kinds ...Evidence) []Setting {
		return dialect{name: name, policy: policy, log: log, every: 50, begin: func(w *world) player {
			mine, p := e, *e.thompson
			p.arms = newArms(w.k)
			mine.thompson, mine.from = &p, rand.New(rand.NewPCG(w.draw.Uint64(), 1))
			return &mine
		}}.with(kinds...)
	}
	beta := &thompson{a: 1, b: 1}
	two := &thompson{a: 1, b: 1, two: true}
	return slices.Concat(
		of("Thompson by 1,000 draws, every 50 rounds", coin+", update: {every: 50}", ", propensity_draws: 1000", sampling{thompson: beta, draws: 1000}, Shares, Share),
		of("Thompson by a number of draws that nobody knows", coin+", update: {every: 50}", ", propensity_draws: unknown", sampling{thompson: beta, draws: 3000}, Shares),
		of("Thompson by 10,000 draws, one more to play", coin+", update: {every: 50}", ", propensity_draws: 10000, drawn: one-more", sampling{thompson: beta, draws: 10000, more: true}, Shares),
		of("Thompson by 1,000 draws, best two", coin+", top: 2, update: {every: 50}", ", propensity_draws: 1000", sampling{thompson: two, draws: 1000}, Shares),
		growthbook(),
	)
}

// growthbook is its bandit: weights by draws, the best two, a floor, and units by hash.
func growthbook() []Setting {
	d := dialect{
		name: "bandit of GrowthBook, units by hash", log: ", propensity_draws: 10000", every: 200, batches: true, hash: 2, visits: 3,
		policy: "like: growthbook/bandit, min_rows: 20, draw: {hash: growthbook-v2, seed: dialects, unit: user}",
		begin: func(w *world) player {
			p := &thompson{arms: newArms(w.k), var0: 10000, two: true, least: 20}
			return &floored{&sampling{thompson: p, draws: 10000, from: rand.New(rand.NewPCG(w.draw.Uint64(), 1))}, "mix", .01}
		},
	}
	return d.with(Shares)
}
