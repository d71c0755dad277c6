package dialects

import (
	"math"
	"slices"
)

// softmaxes are the softmaxes of sums and of means.
func softmaxes() []Setting {
	soft := func(name, policy string, s softmax, every int, kinds ...Evidence) []Setting {
		return dialect{name: name, policy: policy, reals: either, every: every, begin: func(w *world) player {
			mine := s
			mine.arms = newArms(w.k)
			return &mine
		}}.with(kinds...)
	}
	return slices.Concat(
		soft("softmax of pymab", "like: pymab/softmax, temperature: 0.1", softmax{tau: .1}, 0, Actions, Played, All),
		soft("softmax of SMPyBandits", "like: smpybandits/softmax, temperature: 0.2", softmax{tau: .2, shrink: 1, start: true}, 0, Actions, All),
		soft("softmax of means, unseen as ½, every 20 rounds", "name: softmax, tau: 0.1, unseen: {mean: 0.5}, update: {every: 20}", softmax{tau: .1, unseen: .5}, 20, Actions, All),
		flooredSoftmax(),
		soft("softmax of sums", "name: softmax, eta: 0.05", softmax{tau: 20, sums: true}, 0, Actions, All),
	)
}

// flooredSoftmax is the softmax of VW: over a floor by water-filling.
func flooredSoftmax() []Setting {
	return dialect{name: "softmax over a floor: water", policy: "name: softmax, temperature: 0.1, floor: {kind: water, value: 0.02}", reals: either, begin: func(w *world) player {
		return &floored{&softmax{arms: newArms(w.k), tau: .1}, "water", .02}
	}}.with(Actions, All)
}

// exp3s are Exp3.
func exp3s() []Setting {
	exp := func(name, policy string, gamma float64, start bool, every int, kinds ...Evidence) []Setting {
		return dialect{name: name, policy: policy, reals: either, every: every, begin: func(w *world) player { return newExp3(w.k, gamma, start) }}.with(kinds...)
	}
	return slices.Concat(
		exp("Exp3 of river", "like: river/exp3, gamma: 0.1", .1, false, 0, Actions, Played, All),
		exp("Exp3 of SMPyBandits", "like: smpybandits/exp3, gamma: 0.2", .2, true, 0, Actions, All),
		exp("Exp3, every 25 rounds", "name: exp3, gamma: 0.3, update: {every: 25}", .3, false, 25, Actions, All),
	)
}

// linears read contexts.
func linears() []Setting {
	of := func(name, policy string, every int, set func(l *linear), kinds ...Evidence) []Setting {
		return dialect{name: name, policy: policy, reals: either, every: every, dim: 3, begin: func(w *world) player {
			l := newLinear(w, 1)
			set(l)
			return l
		}}.with(kinds...)
	}
	return slices.Concat(
		of("LinUCB of MABWiser", "like: mabwiser/linucb, lambda: 1, width: {alpha: 1}", 0, func(l *linear) { l.alpha, l.identity = 1, true }, Actions),
		of("LinUCB of obp, every 20 rounds", "name: linucb, lambda: 1, width: {alpha: 0.5}, ties: last, update: {every: 20}", 20, func(l *linear) { l.alpha, l.last = .5, true }, Actions),
		of("LinTS", "name: lints, lambda: 1, noise_sd: 0.5", 0, func(l *linear) { l.noise = .5 }, Actions, All),
		of("LinTS, every 20 rounds", "name: lints, lambda: 1, noise_sd: 0.3, update: {every: 20}", 20, func(l *linear) { l.noise = .3 }, Actions, Played),
	)
}

// delays are rewards that become known up to 30 rounds after they were earned.
func delays() []Setting {
	late := func(name, policy string, begin func(w *world) player, kinds ...Evidence) []Setting {
		return dialect{name: name + ", rewards up to 30 rounds late", policy: policy, reals: either, delay: 30, begin: begin}.with(kinds...)
	}
	return slices.Concat(
		late("UCB1 by what was learned", "name: ucb, width: {c: 2, clock: learned}, start: none, ties: random", func(w *world) player {
			x := &index{arms: newArms(w.k)}
			x.width = func(_ int, n float64) float64 { return math.Sqrt(2 * ln(x.arms.rows()) / n) }
			return x
		}, Actions),
		late("ε-greedy", "name: epsilon-greedy, explore: 0.1, start: random, ties: random", func(w *world) player {
			return &explorer{player: &index{arms: newArms(w.k), start: "random", running: true}, k: w.k, explore: func(int) float64 { return .1 }}
		}, Actions, All),
		late("softmax of means", "name: softmax, temperature: 0.1", func(w *world) player { return &softmax{arms: newArms(w.k), tau: .1} }, Actions, All),
		late("Thompson, normal", "name: thompson, prior: {mean: 0.5, variance: 1, noise: 0.25}", func(w *world) player { return newNormal(w.k, .5, 1, .25) }, Actions, All),
		late("Exp3", "name: exp3, gamma: 0.2", func(w *world) player { return newExp3(w.k, .2, false) }, Actions, All),
	)
}

// fixeds read no rewards.
func fixeds() []Setting {
	even := func(w *world) player { return fixed(evenly(w.k, all(w.k))) }
	odd := func(w *world) player { return fixed(odds(w.k)) }
	return slices.Concat(
		dialect{name: "uniform", policy: "name: uniform", reals: either, begin: even}.with(Actions, Played),
		dialect{name: "fixed odds", policy: "name: fixed, probabilities: <odds>", reals: either, begin: odd}.with(Actions, All),
	)
}

// hashed are units that a hash assigns, or that keep the arm of one draw.
func hashed() []Setting {
	var out []Setting
	add := func(name, draw string, d dialect) {
		d.name, d.policy = name, "name: fixed, probabilities: <odds>, draw: {"+draw+"}"
		d.begin = func(w *world) player { return fixed(odds(w.k)) }
		out = append(out, d.with(All)...)
	}
	add("hash of GrowthBook, version 1, 1 round a unit", "hash: growthbook-v1, seed: dialects, unit: user", dialect{hash: 1, visits: 1})
	add("hash of GrowthBook, version 1, 10 rounds a unit", "hash: growthbook-v1, seed: dialects, unit: user", dialect{hash: 1, visits: 10})
	add("hash of GrowthBook, version 1, 40 rounds a unit", "hash: growthbook-v1, seed: dialects, unit: user", dialect{hash: 1, visits: 40})
	add("hash of GrowthBook, version 2, 1 round a unit", "hash: growthbook-v2, seed: dialects, unit: user", dialect{hash: 2, visits: 1})
	add("hash of GrowthBook, version 2, 10 rounds a unit", "hash: growthbook-v2, seed: dialects, unit: user", dialect{hash: 2, visits: 10})
	add("hash of GrowthBook, version 2, 40 rounds a unit", "hash: growthbook-v2, seed: dialects, unit: user", dialect{hash: 2, visits: 40})
	add("one draw a unit of 10 rounds", "by: unit", dialect{visits: 10})
	add("one draw a unit of 40 rounds", "by: unit", dialect{visits: 40})
	return out
}
