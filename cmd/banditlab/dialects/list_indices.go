package dialects

import (
	"math"
	"slices"
)

// widths of upper confidence bounds, each library's own.
func ucb1(c float64, clock func(t int) float64) func(t int, n float64) float64 {
	return func(t int, n float64) float64 { return math.Sqrt(c * ln(clock(t)) / n) }
}

func alpha(a float64) func(t int, n float64) float64 {
	return func(t int, n float64) float64 { return a * math.Sqrt(2*ln(plays(t))/n) }
}

func plays(t int) float64 { return float64(t - 1) }
func round(t int) float64 { return float64(t) }

// indices are upper confidence bounds.
func indices() []Setting {
	ucb := func(name, policy string, set func(w *world, x *index), kinds ...Evidence) []Setting {
		return dialect{name: name, policy: policy, reals: either, begin: func(w *world) player {
			x := &index{arms: newArms(w.k)}
			set(w, x)
			return x
		}}.with(kinds...)
	}
	return slices.Concat(
		ucb("UCB1 of MABWiser, arms tried once in any order", "like: mabwiser/ucb1, width: {alpha: 1.25}", func(_ *world, x *index) {
			x.width, x.start, x.ties = alpha(1.25), "any", "first"
		}, Actions),
		ucb("UCB1 of MABWiser, nothing tried", "name: ucb, width: {alpha: 0.5, clock: plays}, start: none, ties: first", func(_ *world, x *index) {
			x.width, x.ties = alpha(.5), "first"
		}, Actions),
		ucb("UCB of river", "like: river/ucb, width: {alpha: 1}", func(_ *world, x *index) {
			x.width, x.start, x.running = alpha(1), "random", true
		}, Actions, All),
		ucb("UCB of SMPyBandits", "like: smpybandits/ucb", func(_ *world, x *index) { x.width, x.start = ucb1(2, plays), "random" }, Actions, Played),
		ucb("UCB of pymab", "like: pymab/ucb, width: {c: 0.5}", func(_ *world, x *index) {
			x.width, x.start, x.running = ucb1(.5, round), "order", true
		}, Actions),
		ucb("UCB1 of striatum", "like: striatum/ucb1, width: {offset: <K>}", func(w *world, x *index) {
			x.width, x.rows, x.ties = ucb1(2, func(t int) float64 { return float64(w.k + t - 1) }), 1, "first"
		}, Actions),
		ucb("UCB1, the last of equals, running means", "name: ucb, width: {c: 1, clock: plays}, ties: last", func(_ *world, x *index) {
			x.width, x.start, x.ties, x.running = ucb1(1, plays), "order", "last", true
		}, Actions),
		ucb("UCB1, the first by name", "name: ucb, width: {c: 2, clock: plays}, start: none, ties: name", func(w *world, x *index) {
			x.width, x.ties, x.order = ucb1(2, plays), "first", byName(w.k)
		}, Actions),
		ucb("UCB1, arms the other way round", "name: ucb, width: {c: 2, clock: plays}, order: <backwards>", func(w *world, x *index) {
			x.width, x.start, x.ties, x.order = ucb1(2, plays), "order", "first", backwards(w.k)
		}, Actions),
		ucb("UCB1, clock with an offset", "name: ucb, width: {c: 2, clock: plays, offset: 3}, start: random, ties: any", func(_ *world, x *index) {
			x.width, x.start = ucb1(2, func(t int) float64 { return float64(t + 2) }), "random"
		}, Actions),
		ucb("UCB-H", "name: ucb, width: {c: 2, horizon: <T>}", func(w *world, x *index) {
			x.width, x.start, x.ties = ucb1(2, func(int) float64 { return float64(w.rounds) }), "order", "first"
		}, Actions),
		ucb("UCB of a level", "name: ucb, width: {delta: 0.05}", func(_ *world, x *index) {
			x.width, x.start, x.ties = ucb1(2, func(t int) float64 { return float64(t) / .05 }), "order", "first"
		}, Actions),
		learnedClock(), givenRounds(), openedUCB(), flooredUCB(),
	)
}

// learnedClock counts what was learned, every ten rounds.
func learnedClock() []Setting {
	return dialect{
		name: "UCB1 by what was learned every 10 rounds", policy: "name: ucb, width: {c: 2, clock: learned}, start: none, ties: random, update: {every: 10}", reals: either, every: 10,
		begin: func(w *world) player {
			x := &index{arms: newArms(w.k)}
			x.width = func(_ int, n float64) float64 { return math.Sqrt(2 * ln(x.arms.rows()) / n) }
			return x
		},
	}.with(Actions, All)
}

// givenRounds are played by somebody else, and learned from.
func givenRounds() []Setting {
	return dialect{
		name: "UCB1 of MABWiser after 60 given rows", policy: "name: ucb, width: {alpha: 1, clock: plays}, start: {given: 60}", reals: either,
		begin: func(w *world) player {
			x := &index{arms: newArms(w.k), width: alpha(1), start: "order", ties: "first"}
			return &opened{player: x, first: 60, seen: newArms(w.k)}
		},
	}.with(Actions)
}

func openedUCB() []Setting {
	return dialect{
		name: "UCB1 after 50 rounds at random", policy: "name: ucb, width: {c: 2, clock: plays}, start: {first: 50}, ties: random", reals: either,
		begin: func(w *world) player {
			x := &index{arms: newArms(w.k), width: ucb1(2, plays), start: "order"}
			return &opened{player: x, first: 50, seen: newArms(w.k)}
		},
	}.with(Actions, All)
}

func flooredUCB() []Setting {
	return dialect{
		name: "UCB1 over a floor", policy: "name: ucb, width: {c: 2, clock: plays}, start: random, ties: random, floor: 0.02", reals: either,
		begin: func(w *world) player {
			return &floored{&index{arms: newArms(w.k), width: ucb1(2, plays), start: "random"}, "mix", .02}
		},
	}.with(Actions, Played, All)
}

// greedies are ε-greedy.
func greedies() []Setting {
	greedy := func(name, policy string, explore func(t int) float64, x index, kinds ...Evidence) []Setting {
		return dialect{name: name, policy: "name: epsilon-greedy, " + policy, reals: either, begin: func(w *world) player {
			mine := x
			mine.arms = newArms(w.k)
			return &explorer{player: &mine, k: w.k, explore: explore}
		}}.with(kinds...)
	}
	tenth := func(int) float64 { return .1 }
	return slices.Concat(
		greedy("ε-greedy of MABWiser", "explore: 0.1, start: none, ties: first", tenth, index{ties: "first"}, Actions, Played, All),
		greedy("ε-greedy of river", "explore: {exponential: 0.005, from: 0.9, clock: plays}, start: none", func(t int) float64 { return .9 * math.Exp(-.005*plays(t)) },
			index{ties: "first", running: true}, Actions, All),
		greedy("ε-greedy of coba", "explore: 0.1, start: none, ties: shared", tenth, index{running: true}, Played, All),
		greedy("ε-greedy of pymab, decaying", "explore: {harmonic: 0.05, from: 1, to: 0.02}, start: none, ties: random", func(t int) float64 { return .02 + .98/(1+.05*float64(t)) },
			index{running: true}, Actions, All),
		greedy("ε-greedy that decays as 5/n", "explore: {decay: 5, clock: plays}, start: none, ties: random", func(t int) float64 { return math.Min(1, 5/max(1, plays(t))) },
			index{}, Actions, All),
		greedy("ε-greedy that decays as 20/t, unseen first", "explore: {decay: 20}", func(t int) float64 { return math.Min(1, 20/round(t)) },
			index{start: "order", ties: "first"}, Actions, Played),
		greedy("ε-greedy, linear", "explore: {linear: [1, 0.05, 400]}, start: random, ties: last", func(t int) float64 { return 1 - .95*math.Min(1, plays(t)/400) },
			index{start: "random", ties: "last"}, Actions, All),
		openedGreedy("ε-greedy of obp", "explore: 0.1, start: {until: each-played}, ties: last", .1, opened{until: true}, Actions, Played),
		openedGreedy("ε first", "explore: 0.01, start: {first: 100}, ties: last", .01, opened{first: 100}, Actions, All),
	)
}

func openedGreedy(name, policy string, explore float64, o opened, kinds ...Evidence) []Setting {
	return dialect{name: name, policy: "name: epsilon-greedy, " + policy, reals: either, begin: func(w *world) player {
		mine := o
		mine.seen = newArms(w.k)
		mine.player = &explorer{player: &index{arms: newArms(w.k), start: "order", ties: "last"}, k: w.k, explore: func(int) float64 { return explore }}
		return &mine
	}}.with(kinds...)
}
