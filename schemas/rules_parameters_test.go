package schemas

import "testing"

// Each row declares another policy or counter and breaks one of its rules.
func TestRulesOfParameters(t *testing.T) {
	for _, tc := range []struct {
		name, log, policy, counter string
		want                       []string
	}{
		{
			"thompson of both priors", "", "name: thompson, prior: {alpha: 1, mean: 0}", "name: exact",
			[]string{
				"p.yaml:6:33: policy.prior has parameters of two priors (a prior is a Beta of alpha and beta, or a normal of mean, variance and noise); write {alpha: 1, beta: 1} for rewards of 0 and 1, or {mean: 0.5, variance: 1, noise: 0.25}",
			},
		},
		{
			"thompson of no prior", "", "name: thompson, prior: {}", "name: exact",
			[]string{
				"p.yaml:6:33: policy.prior has no parameter (a prior is a Beta of alpha and beta, or a normal of mean, variance and noise); write {alpha: 1, beta: 1} for rewards of 0 and 1, or {mean: 0.5, variance: 1, noise: 0.25}",
			},
		},
		{
			"thompson without a prior", "", "name: thompson", "name: exact",
			[]string{
				"p.yaml:6:9: policy.prior is missing (thompson draws from a posterior, which has a prior); add prior: {alpha: 1, beta: 1} for rewards of 0 and 1, or prior: {mean: 0.5, variance: 1, noise: 0.25}",
			},
		},
		{
			"half a prior", "", "name: thompson, prior: {mean: 0, noise: 0}", "name: exact",
			[]string{
				"p.yaml:6:33: policy.prior.variance is missing (a prior is a Beta of alpha and beta, or a normal of mean, variance and noise); add variance: NUMBER",
				"p.yaml:6:50: policy.prior.noise is 0 (it must be from 1e-12 to 1e+12); write a number in that range, for rewards rescaled to [0,1]",
			},
		},
		{"normal prior", "", "name: thompson, prior: {mean: -1, variance: 1, noise: 0.25}", "name: exact", nil},
		{
			"softmax without eta", "", "name: softmax", "name: exact",
			[]string{
				"p.yaml:6:9: policy.eta is missing (softmax plays arm i with a probability proportional to exp(η·S_i)); add eta: NUMBER",
			},
		},
		{
			"explore is missing", "", "name: epsilon-greedy", "name: exact",
			[]string{
				"p.yaml:6:9: policy.explore is missing (epsilon-greedy explores with a declared probability); add explore: 0.1, or explore: {decay: 5} for min(1, 5/t) in round t",
			},
		},
		{
			"explore of a word", "", "name: epsilon-greedy, explore: much", "name: exact",
			[]string{
				`p.yaml:6:41: policy.explore is "much" (it must be a finite number); write a decimal such as 0.05, without quotes, or a quotient such as 1/30`,
			},
		},
		{
			"explore of a list", "", "name: epsilon-greedy, explore: [1]", "name: exact",
			[]string{
				"p.yaml:6:41: policy.explore is a list (it must be a probability, or a mapping of one of decay, exponential, harmonic and linear); write 0.1, or {decay: 5} for min(1, 5/t) in round t, {exponential: 0.001, from: 0.9}, {harmonic: 0.1, from: 1, to: 0.01} or {linear: [1, 0.05, 1000]}",
			},
		},
		{
			"explore of nothing", "", "name: epsilon-greedy, explore: {}", "name: exact",
			[]string{
				"p.yaml:6:41: policy.explore has none of decay, exponential, harmonic and linear (it is a probability, or changes by one of these); write 0.1, or {decay: 5} for min(1, 5/t) in round t, {exponential: 0.001, from: 0.9}, {harmonic: 0.1, from: 1, to: 0.01} or {linear: [1, 0.05, 1000]}",
			},
		},
		{
			"explore of another form", "", "name: epsilon-greedy, explore: {decya: 1}", "name: exact",
			[]string{
				`p.yaml:6:42: unknown key "decya" (policy.explore has no such key; the nearest is decay); write decay, or delete the key`,
			},
		},
		{
			"explore that grows", "", "name: epsilon-greedy, explore: {decay: -1}", "name: exact",
			[]string{
				"p.yaml:6:49: policy.explore.decay is -1 (it must be more than 0); write a number in that range",
			},
		},
		{"explore that falls", "", "name: epsilon-greedy, explore: {decay: 5}, ties: seeded", "name: exact", nil},
		{
			"elimination without a width", "", "name: successive-elimination", "name: epochs, epsilon: 1",
			[]string{
				"p.yaml:6:9: policy.width is missing (successive-elimination adds √(2 ln(t/δ)/N), or √(c ln t/N), to a mean); add width: {delta: 0.05}, or width: {c: 2} for UCB1",
			},
		},
		{"elimination with a bonus", "", "name: successive-elimination, width: {delta: 0.1}, bonus: quantile", "name: epochs, epsilon: 1, horizon: 100", nil},
		{
			"elimination without a horizon", "", "name: successive-elimination, width: {delta: 0.1}, bonus: quantile", "name: epochs, epsilon: 1",
			[]string{
				"p.yaml:7:10: counter.horizon is missing (the bonus quantile spreads its error over K·horizon events); add horizon: ROUNDS to counter, the number for which the policy was set up",
			},
		},
		{
			"ties of a policy that has none", "", "name: softmax, eta: 1, ties: seeded", "name: exact",
			[]string{
				`p.yaml:6:39: policy.ties is "seeded" (softmax compares nothing that can be equal; it is a key of: epsilon-greedy, ucb, inverse-gap, successive-elimination, linucb); write ties: first, or delete the key`,
			},
		},
		{
			"floor for three arms", "", "name: softmax, eta: 1, floor: 0.34", "name: exact",
			[]string{
				"p.yaml:6:40: policy.floor is 0.34 (3 arms cannot all be played with that probability); write a number from 0 to 0.333",
			},
		},
		{
			"sample variances beside noise", "", "name: thompson, prior: {mean: 0, variance: 1, noise: sample}", "name: hybrid, epsilon: 1",
			[]string{
				"p.yaml:6:63: policy.prior.noise stands beside the counter hybrid (it looks at single rewards, of which a counter with noise shows sums alone); declare counter: {name: exact}, or delete the key",
			},
		},
		{
			"another word for a noise", "", "name: thompson, prior: {mean: 0, variance: 1, noise: simple}", "name: exact",
			[]string{
				`p.yaml:6:63: policy.prior.noise is "simple" (it must be a number, or sample); write a number, or sample`,
			},
		},
		{
			"a cap of a normal prior", "", "name: thompson, prior: {mean: 0, variance: 1, noise: 1}, cap: 200", "name: exact",
			[]string{
				"p.yaml:6:72: policy.cap is declared (it bounds α + β of a Beta prior, and the prior is a normal); delete the key",
			},
		},
		{
			"a cap that leaves no row", "", "name: thompson, prior: {alpha: 1, beta: 1}, cap: 2.5", "name: exact",
			[]string{
				"p.yaml:6:59: policy.cap leaves no row of an arm (α + β of the prior and one row are more than it); write a larger number, or cap: none",
			},
		},
		{
			"more rows than the cap leaves", "", "name: thompson, prior: {alpha: 1, beta: 1}, cap: 20, min_rows: 19", "name: exact",
			[]string{
				"p.yaml:6:73: policy.min_rows is more rows than policy.cap leaves (no arm ever has so many); write a smaller number",
			},
		},
		{
			"the best three", "", "name: thompson, prior: {alpha: 1, beta: 1}, top: 3", "name: exact",
			[]string{
				"p.yaml:6:59: policy.top is 3 (it must be a whole number from 1 to 2); write a whole number in that range",
			},
		},
		{
			"clipped floor for three arms", "", "name: softmax, eta: 1, floor: {kind: clip, value: 0.34}", "name: exact",
			[]string{
				"p.yaml:6:40: policy.floor is 0.34 (3 arms cannot all be played with that probability); write a number from 0 to 0.333",
			},
		},
		{
			"linucb without anything", ", context: [x]", "name: linucb", "name: exact",
			[]string{
				"p.yaml:6:9: policy.lambda is missing (linucb starts from the matrix λI); add lambda: 1",
				"p.yaml:6:9: policy.noise_sd is missing (linucb takes the standard deviation of a reward about its mean as declared); add noise_sd: 0.5, which covers rewards rescaled to [0,1]",
				"p.yaml:6:9: policy.theta_bound is missing (linucb has a width that grows with the length of the coefficients); add theta_bound: NUMBER, which ‖θ‖₂ does not exceed for rewards rescaled to [0,1]",
			},
		},
		{"linucb", ", context: [x]", "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5", "name: exact", nil},
		{
			"linucb of width c", ", context_by_arm: x", "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, width: {c: 2}", "name: exact",
			[]string{
				"p.yaml:6:77: policy.width.c does not belong here (the width of linucb follows from lambda, theta_bound and noise_sd, at a level delta, or is the factor alpha); write width: {delta: 0.05}, or {alpha: 1}",
			},
		},
		{
			"linucb without contexts", "", "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5", "name: exact",
			[]string{
				"p.yaml:3:6: log.context is missing (linucb chooses by the context of a round); add context: [COLUMN, ...] under log, or context_by_arm: COLUMN",
			},
		},
		{
			"lints without anything", ", context: [x]", "name: lints", "name: exact",
			[]string{
				"p.yaml:6:9: policy.lambda is missing (lints starts from the matrix λI); add lambda: 1",
				"p.yaml:6:9: policy.noise_sd is missing (lints takes the standard deviation of a reward about its mean as declared); add noise_sd: 0.5, which covers rewards rescaled to [0,1]",
			},
		},
		{
			"lints with noise", ", context: [x]", "name: lints, lambda: 1, noise_sd: 0.5", "name: tree, epsilon: 1, horizon: 10",
			[]string{
				"p.yaml:6:9: policy.context_l1 is missing (one reward moves the sums by up to ‖context‖₁, and the noise is scaled for it); add context_l1: NUMBER, a bound known before the experiment and never read off the data",
			},
		},
		{"LinPriv", ", context: [x]", "name: lints, lambda: 1, noise_sd: 0.5, context_l1: 2", "name: tree, epsilon: 1, horizon: 10, sensitivity: 1", nil},
		{
			"bound of inf", ", context: [x]", "name: lints, lambda: 1, noise_sd: 0.5, context_l1: inf", "name: exact",
			[]string{
				"p.yaml:6:61: policy.context_l1 is inf (it must be more than 0 and at most 65536); write a number in that range",
			},
		},
		{
			"bound of 0", ", context: [x]", "name: lints, lambda: 1, noise_sd: 0.5, context_l1: 0", "name: hybrid, epsilon: 1",
			[]string{
				"p.yaml:6:61: policy.context_l1 is 0 (it must be more than 0 and at most 65536); write a number in that range",
			},
		},
		{
			"sensitivity of 0", ", context: [x]", "name: lints, lambda: 1, noise_sd: 0.5, context_l1: 1", "name: hybrid, epsilon: 1, sensitivity: 0",
			[]string{
				"p.yaml:7:50: counter.sensitivity is 0 (it must be more than 0 and at most 65536); write a number in that range",
			},
		},
		{
			"sensitivity of sums", "", "name: softmax, eta: 1", "name: hybrid, epsilon: 1, sensitivity: 1",
			[]string{
				"p.yaml:7:50: counter.sensitivity does not belong here (one reward moves a sum by 1, and only that of a linear policy, which sums contexts, by another amount); delete the key",
			},
		},
		{
			"parameters of exact", "", "name: softmax, eta: 1", "name: exact, sensitivity: 1, exponent: 1.1",
			[]string{
				"p.yaml:7:37: counter.sensitivity does not belong here (the counter exact has no parameters: it adds no noise); delete the key, or declare a counter with noise such as hybrid",
				"p.yaml:7:50: counter.exponent does not belong here (the counter exact has no parameters: it adds no noise); delete the key, or declare a counter with noise such as hybrid",
			},
		},
		{
			"binary without a horizon", "", "name: softmax, eta: 1", "name: binary, epsilon: 1",
			[]string{
				"p.yaml:7:10: counter.horizon is missing (binary is built for a number of rounds); add horizon: ROUNDS, the most that the experiment may have",
			},
		},
		{
			"tree without a horizon", "", "name: softmax, eta: 1", "name: tree, epsilon: 1",
			[]string{
				"p.yaml:7:10: counter.horizon is missing (tree is built for a number of rounds); add horizon: ROUNDS, the most that the experiment may have",
			},
		},
		{
			"interval without a horizon", "", "name: softmax, eta: 1", "name: interval, epsilon: 1",
			[]string{
				"p.yaml:7:10: counter.horizon is missing (interval is built for a number of rounds); add horizon: ROUNDS, the most that the experiment may have",
			},
		},
		{
			"horizon of laplace", "", "name: softmax, eta: 1", "name: laplace, epsilon: 1, horizon: 10",
			[]string{
				"p.yaml:7:47: counter.horizon does not belong here (laplace releases a reward once, however many follow); delete the key",
			},
		},
		{
			"horizon of epochs", "", "name: softmax, eta: 1", "name: epochs, epsilon: 1, horizon: 10",
			[]string{
				"p.yaml:7:46: counter.horizon does not belong here (epochs releases a reward once, however many follow); delete the key",
			},
		},
		{
			"exponent of 1", "", "name: softmax, eta: 1", "name: interval, epsilon: 1, horizon: 10, exponent: 1",
			[]string{
				"p.yaml:7:62: counter.exponent is 1 (it must be more than 1 and at most 3/2); write 1.1",
			},
		},
		{
			"exponent above 3/2", "", "name: softmax, eta: 1", "name: interval, epsilon: 1, horizon: 10, exponent: 1.51",
			[]string{
				"p.yaml:7:62: counter.exponent is 1.51 (it must be more than 1 and at most 3/2); write 1.1",
			},
		},
		{
			"exponent of inf", "", "name: softmax, eta: 1", "name: interval, epsilon: 1, horizon: 10, exponent: inf",
			[]string{
				"p.yaml:7:62: counter.exponent is inf (it must be more than 1 and at most 3/2); write 1.1",
			},
		},
		{
			"exponent of too many digits", "", "name: softmax, eta: 1", "name: interval, epsilon: 1, horizon: 10, exponent: 1.101",
			[]string{
				"p.yaml:7:62: counter.exponent is 1.101 (the noise is computed from roots of whole numbers, and in lowest terms its denominator is at most 100); write 1.1, or another number with at most two decimals",
			},
		},
		{"exponent of two digits", "", "name: softmax, eta: 1", "name: interval, epsilon: 1, horizon: 10, exponent: 1.49", nil},
		{
			"interval that never ends", "", "name: softmax, eta: 1", "name: interval, epsilon: 2^-41, horizon: 10",
			[]string{
				"p.yaml:7:36: counter.epsilon is 2^-41 (interval releases a sum after every ⌈1/ε⌉ rows, and no stream has more than 2^40); write a larger number",
			},
		},
		{"interval of 2^40 rows", "", "name: softmax, eta: 1", "name: interval, epsilon: 2^-40, horizon: 10", nil},
		{"exponent of 3/2", "", "name: softmax, eta: 1", "name: interval, epsilon: 1, horizon: 10, exponent: 3/2", nil},
		{
			"exponent of hybrid", "", "name: softmax, eta: 1", "name: hybrid, epsilon: 1, exponent: 1.1",
			[]string{
				"p.yaml:7:47: counter.exponent does not belong here (hybrid has no exponent: only the noise of interval grows with the sum); delete the key",
			},
		},
		{
			"LinPriv without a horizon", ", context: [x]", "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 1", "name: epochs, epsilon: 1",
			[]string{
				"p.yaml:7:10: counter.horizon is missing (linucb allows for the counter's noise, and spreads its error over K·horizon events); add horizon: ROUNDS to counter, the number for which the policy was set up",
			},
		},
		{"LinPriv over epochs", ", context: [x]", "name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 1", "name: epochs, epsilon: 1, horizon: 9", nil},
		{
			"horizon beyond the lattice", "", "name: softmax, eta: 1", "name: binary, epsilon: 1, horizon: 1073741825, grid: 2^-30",
			[]string{
				"p.yaml:7:46: counter.horizon is 1073741825 (sums of so many rows leave the integers: at grid 2^-30 binary holds 1073741824); write the most rounds that the experiment may have, or a coarser grid",
			},
		},
		{"horizon within the lattice", "", "name: softmax, eta: 1", "name: binary, epsilon: 1, horizon: 1073741824, grid: 2^-30", nil},
		{
			"paper for one round", "", "name: ucb, width: {c: 2}, bonus: paper", "name: hybrid, epsilon: 1, horizon: 1",
			[]string{
				"p.yaml:7:46: counter.horizon is 1 (the bonus paper takes the logarithm of ln(horizon), and 1 has none); write the number of rounds for which the policy was set up",
			},
		},
		{
			"batches without update", ", batch: b", "name: softmax, eta: 1", "name: exact",
			[]string{
				"p.yaml:6:9: policy.update is missing (log.batch is declared, and does not say whether the policy learned from batch to batch, or the column is there for the checks alone); add update: batch if it learned when the batch changed, or update: {every: 1} if after each round",
			},
		},
		{"update by version", "", "name: softmax, eta: 1, update: {version: b}", "name: exact", nil},
		{
			"update by version, beside other batches", ", batch: b", "name: softmax, eta: 1, update: {version: v}", "name: exact",
			[]string{
				`p.yaml:6:51: policy.update.version is "v", and log.batch is "b" (a change of the version is where a batch ends, and one column says where that is); delete log.batch, or name the same column`,
			},
		},
		{
			"time without a clock", "", "name: softmax, eta: 1, update: {every: 1h}", "name: exact",
			[]string{
				"p.yaml:6:41: policy.update.clock is missing (every is a time (1h), and nothing says which column the time is); add clock: COLUMN, a column of times, or write a number of rounds: {every: 1}",
			},
		},
		{
			"clock that is not the order", "", "name: softmax, eta: 1, update: {every: 1.5h, clock: ts, attribution: 6 h}", "name: exact",
			[]string{
				`p.yaml:6:49: policy.update.every is "1.5h" (a time is a whole number with a unit, s, m, h or d, of at most 1,000,000,000 seconds, and above 0); write 15m, 1h or 1d`,
				`p.yaml:6:62: policy.update.clock is "ts", which is not the first column of log.order (rounds are in the order of the clock by which the policy learns); write order: [ts, …] under log, with a column behind it that tells rounds of one moment apart`,
				`p.yaml:6:79: policy.update.attribution is "6 h" (a time is a whole number with a unit, s, m, h or d, of at most 1,000,000,000 seconds); write 6h, or delete the key where a row is learned at the next update`,
			},
		},
		{
			"clock beside a number of rounds", "", "name: softmax, eta: 1, update: {every: 10, clock: ts}", "name: exact",
			[]string{
				"p.yaml:6:41: policy.update has a clock, and every is no time (a clock and an attribution window belong to an update by time); write {every: 1h, clock: COLUMN, attribution: 6h}, or a number of rounds alone: {every: 1}",
			},
		},
		{
			"strata beside released sums", ", released_by_arm: s", "name: softmax, eta: 1, by: leaf", "name: exact",
			[]string{
				"p.yaml:6:37: policy.by is declared, beside log.released_by_arm (the released sums of a round are those of its stratum, and noise is held against sums that go on from round to round); delete log.released_by_arm, or audit every stratum as an experiment: experiment: {column: leaf}",
			},
		},
		{
			"strata beside shares of draws", ", propensity: p, propensity_draws: 100", "name: softmax, eta: 1, by: leaf", "name: exact",
			[]string{
				"p.yaml:6:37: policy.by is declared, beside log.propensity_draws (shares of draws are held against their law update by update, and rounds of strata take turns); audit every stratum as an experiment: experiment: {column: leaf}",
			},
		},
		{
			"strata of actions", "", "name: softmax, eta: 1, by: a", "name: exact",
			[]string{
				`p.yaml:6:37: policy.by is "a", as log.action is (in which state a round is decided is known before its arm is chosen, and is nothing else); name the column that holds the stratum: the leaf, the country, the type of the request`,
			},
		},
		{
			"update by a column that is not there", "", "name: softmax, eta: 1, update: batch", "name: exact",
			[]string{
				"p.yaml:6:41: policy.update is batch, and log.batch is not declared (the policy learns when the batch changes); name the column in log.batch, or write update: {every: NUMBER} for batches of equal size",
			},
		},
		{"update by batch", ", batch: b", "name: softmax, eta: 1, update: batch", "name: exact", nil},
		{"batches of equal size", ", batch: b", "name: softmax, eta: 1, update: {every: 5}", "name: exact", nil},
		{"batches that nothing is learned from", ", batch: b", "name: fixed, probabilities: [0.5, 0.25, 0.25]", "name: exact", nil},
	} {
		src := "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r" + tc.log + "}\narms: [x, y, z]\nreward: {range: [0, 1]}\n" +
			"policy: {" + tc.policy + "}\ncounter: {" + tc.counter + "}\n"
		mistake{name: tc.name, want: tc.want}.check(t, judged([]byte(src)))
	}
}
