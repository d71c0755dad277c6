package policy

import "banditaudit/schemas/param"

// Libraries are the policies of libraries and platforms that can be declared, by the keys
// that say what they do, as their code was read, or run, in the versions named. What the
// policy is told by whoever uses it, its parameters, is written beside it. A new one is a
// line.
//
// MABWiser 2.7.4, river 0.26.1, SMPyBandits 0.9.7, pymab 2.0.1, striatum 0.2.5, obp 0.4.1,
// coba 8.1.0, Vowpal Wabbit 9.11.9, Eppo's SDKs of 2024.
func Libraries() []param.Like {
	const coin = "name: thompson, prior: {alpha: 1, beta: 1}"
	library := func(name, deployed, keys, beside string) param.Like {
		return param.Like{Name: name, Doc: deployed, Keys: keys, Beside: beside}
	}
	return []param.Like{
		library("mabwiser/ucb1", "UCB1(alpha=a), arms tried once by the caller", "name: ucb, width: {clock: plays}, start: any, ties: first", "width: {alpha: a}"),
		library("river/ucb", "UCB(delta=d)", "name: ucb, width: {clock: plays}, start: random, ties: random", "width: {alpha: d}"),
		library("smpybandits/ucb", "UCB", "name: ucb, width: {c: 2, clock: plays}, start: random, ties: random", ""),
		library("pymab/ucb", "UCBPolicy(c)", "name: ucb, width: {clock: round}, start: in-order, ties: random", "width: {c: c}"),
		library("striatum/ucb1", "UCB1 of K arms, in the order of its storage", "name: ucb, width: {c: 2, clock: plays}, start: {rows: 1, sum: 1}, ties: first", "width: {offset: K}, order: […]"),
		library("mabwiser/epsilon-greedy", "EpsilonGreedy(e)", "name: epsilon-greedy, start: none, ties: first", "explore: e"),
		library("river/epsilon-greedy", "EpsilonGreedy(e, decay=d)", "name: epsilon-greedy, explore: {clock: plays}, start: none, ties: first", "explore: {exponential: d, from: e}"),
		library("obp/epsilon-greedy", "EpsilonGreedy(e)", "name: epsilon-greedy, start: {until: each-played}, ties: last", "explore: e"),
		library("coba/epsilon-greedy", "BanditEpsilonLearner(e)", "name: epsilon-greedy, start: none, ties: shared", "explore: e"),
		library("pymab/softmax", "SoftmaxPolicy(T)", "name: softmax, of: means, start: none", "temperature: T"),
		library("smpybandits/softmax", "Softmax(T)", "name: softmax, of: means, shrink: 1, start: random", "temperature: T"),
		library("river/exp3", "Exp3(gamma=g)", "name: exp3, start: none", "gamma: g"),
		library("smpybandits/exp3", "Exp3(gamma=g)", "name: exp3, start: random", "gamma: g"),
		library("vw/squarecb", "--cb_explore_adf --squarecb that learns after every round; log.score_by_arm are its costs", "name: inverse-gap, gamma: {scale: 10, exponent: 0.5, clock: plays}, minimise: true, ties: first", ""),
		library("eppo/bandit", "Eppo's contextual bandit, its SDK for Java, Go or C++; log.score_by_arm are its action scores", "name: inverse-gap, ties: name", "gamma: g, floor: {kind: rest, value: actionProbabilityFloor/K}"),
		library("mabwiser/thompson", "ThompsonSampling, of rewards 0 and 1", coin, ""),
		library("river/thompson", "ThompsonSampling(Beta())", coin, ""),
		library("smpybandits/thompson", "Thompson", coin, ""),
		library("pymab/thompson", "ThompsonSamplingPolicy, of rewards 0 and 1", coin, ""),
		library("obp/bernoulli-ts", "BernoulliTS(batch_size=b)", coin, "update: {every: b}, and log.propensity_draws"),
		library("growthbook/bandit", "GrowthBook's bandit by its Python engine, weights of 10,000 draws", "name: thompson, prior: {mean: 0, variance: 10000, noise: sample}, top: 2, min_rows: 100, floor: {kind: mix, value: 0.01}, update: batch", "log.batch, log.propensity_draws: 10000"),
		library("mabwiser/linucb", "LinUCB(alpha=a, l2_lambda=l)", "name: linucb, unfit: identity, ties: first", "lambda: l, width: {alpha: a}"),
	}
}
