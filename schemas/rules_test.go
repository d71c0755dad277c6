package schemas

import "testing"

// Each row is judged by the rules of the format alone, as if this version
// supported all of it.
func TestRulesWhateverIsSupported(t *testing.T) {
	for _, tc := range []mistake{
		{
			"both rewards", "  ties: error",
			"  reward_by_arm: all",
			[]string{
				"p.yaml:5:18: log.reward_by_arm stands beside log.reward (a full-information log has the reward of every arm in one column, instead); delete one of the two",
			},
		},
		{
			"both contexts", "  ties: error",
			"  context_by_arm: x",
			[]string{
				"p.yaml:5:19: log.context_by_arm stands beside log.context (either one context for the round, or one for each arm); delete one of the two",
			},
		},
		{
			"lists by arm without arms", "  ties: error\n  action: variant\n  reward: clicked\n  propensity: p\n  context: [age, {column: country, levels: [DE, FR], baseline: DE}]\n  missing_reward: error\narms: [control, blue, green]\n",
			"  action: variant\n  propensity_by_arm: p\n  context_by_arm: x\n  reward_by_arm: y\n  released_by_arm: z\n  eligible: e\n",
			[]string{
				`p.yaml:6:22: log.propensity_by_arm is "p", and arms are not declared (its lists are read in the order of arms); declare arms in the order of the lists`,
				`p.yaml:7:19: log.context_by_arm is "x", and arms are not declared (its lists are read in the order of arms); declare arms in the order of the lists`,
				`p.yaml:8:18: log.reward_by_arm is "y", and arms are not declared (its lists are read in the order of arms); declare arms in the order of the lists`,
				`p.yaml:9:20: log.released_by_arm is "z", and arms are not declared (its lists are read in the order of arms); declare arms in the order of the lists`,
			},
		},
		{
			"floor of 1", "  ties: first",
			"  floor: 1",
			[]string{
				"p.yaml:17:10: policy.floor is 1 (a floor is a probability); write a number from 0 to below 1",
			},
		},
		{
			"floor below 0", "  ties: first",
			"  floor: -0.1",
			[]string{
				"p.yaml:17:10: policy.floor is -0.1 (a floor is a probability); write a number from 0 to below 1",
			},
		},
		{
			"draws of 0", "  ties: first",
			"  draws: 0",
			[]string{
				"p.yaml:17:10: policy.draws is 0 (it counts draws); write a whole number of at least 1",
			},
		},
		{
			"seed in two places", "  ties: first",
			"  seed: {file: a, column: b}",
			[]string{
				"p.yaml:17:27: policy.seed.column stands beside policy.seed.file (there is one master seed); delete one of the two",
			},
		},
		{
			"beta outside (0, 1)", "beta: best",
			"beta: 1.5",
			[]string{
				`p.yaml:25:43: analysis.correction.beta is "1.5" (it must be the word best or a number between 0 and 1); write best`,
			},
		},
		{
			"beta of another form", "beta: best",
			"beta: bst",
			[]string{
				`p.yaml:25:43: analysis.correction.beta is "bst" (it must be the word best or a number between 0 and 1); write best`,
			},
		},
		{
			"clip_weights below 1", "  control: control",
			"  clip_weights: 0.5",
			[]string{
				"p.yaml:24:17: analysis.clip_weights is 0.5 (a weight 1/p is never below 1); write a number of at least 1",
			},
		},
		{
			"fixed without probabilities", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: fixed\n",
			[]string{
				"p.yaml:14:3: policy.probabilities is missing (fixed plays each arm with a declared probability); add probabilities: [..., ...], one for each arm",
			},
		},
		{
			"fixed with too few", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: fixed\n  probabilities: [0.5, 0.5]\n",
			[]string{
				"p.yaml:15:18: policy.probabilities has 2 entries (there are 3 arms); write one probability for each arm",
			},
		},
		{
			"fixed beyond 1", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: fixed\n  probabilities: [0.5, 0.5, 0.5]\n",
			[]string{
				"p.yaml:15:18: policy.probabilities adds up to 1.5 (probabilities add up to 1); correct the list",
			},
		},
		{
			"fixed with a number beyond 1", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: fixed\n  probabilities: [1.5, 0, 0]\n",
			[]string{
				"p.yaml:15:19: policy.probabilities[0] is 1.5 (it must be a probability); write a number from 0 to 1",
			},
		},
		{
			"fixed needs no counter", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: fixed\n  probabilities: [0.1, 0.2, 0.7]\n",
			nil,
		},
		{
			"explore above 1", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: epsilon-greedy\n  explore: 1.5\ncounter: {name: exact}\n",
			[]string{
				"p.yaml:15:12: policy.explore is 1.5 (it must be a probability); write a number from 0 to 1",
			},
		},
		{
			"eta of 0", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: softmax\n  eta: 0\ncounter: {name: exact}\n",
			[]string{
				"p.yaml:15:8: policy.eta is 0 (it must be more than 0); write a number in that range",
			},
		},
		{
			"prior of 0", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: thompson\n  prior: {alpha: 0, beta: 1}\ncounter: {name: exact}\n",
			[]string{
				"p.yaml:15:18: policy.prior.alpha is 0 (it must be from 0.001 to 1e+09); write a number in that range, for rewards rescaled to [0,1]",
			},
		},
		{
			"lambda of 0", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: linucb\n  lambda: 0\n  theta_bound: 1\n  noise_sd: 0.5\ncounter: {name: exact}\n",
			[]string{
				"p.yaml:15:11: policy.lambda is 0 (it must be from 1e-60 to 1e+60); write a number in that range, for rewards rescaled to [0,1]",
			},
		},
		{
			"bonus of thompson", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: thompson\n  bonus: none\n  prior: {alpha: 1, beta: 1}\ncounter: {name: exact}\n",
			[]string{
				"p.yaml:15:10: policy.bonus does not belong here (thompson has: prior, start, top, min_rows, cap; it is a key of: ucb, successive-elimination); delete the key",
			},
		},
		{
			"thompson without a counter", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"  name: thompson\n  prior: {alpha: 1, beta: 1}\n",
			[]string{
				"p.yaml:1:1: counter is missing (thompson reads sums of rewards, and what that costs depends on the counter); add counter: {name: hybrid, epsilon: 0.25, horizon: ROUNDS}, or counter: {name: exact} where the sums were not private",
			},
		},
		{
			"approximate without delta", "{definition: pure, epsilon: 0.25, delta: 0, unit: round}",
			"{definition: approximate, epsilon: 1}",
			[]string{
				"p.yaml:19:10: privacy.delta is missing (an approximate claim is (ε, δ)); add delta: NUMBER between 0 and 1",
			},
		},
		{
			"approximate with delta 0", "{definition: pure, epsilon: 0.25, delta: 0, unit: round}",
			"{definition: approximate, epsilon: 1, delta: 0}",
			[]string{
				"p.yaml:19:55: privacy.delta is 0 (it must lie strictly between 0 and 1); write a number in that range",
			},
		},
		{
			"zcdp without rho", "{definition: pure, epsilon: 0.25, delta: 0, unit: round}",
			"{definition: zcdp}",
			[]string{
				"p.yaml:19:10: privacy.rho is missing (it is what the claim says); add a number of at least 0, or delete privacy",
			},
		},
		{
			"zcdp with epsilon", "{definition: pure, epsilon: 0.25, delta: 0, unit: round}",
			"{definition: zcdp, rho: 1, epsilon: 1}",
			[]string{
				"p.yaml:19:46: privacy.epsilon does not belong here (a zcdp claim has rho); delete the key, or write definition: pure",
			},
		},
		{
			"zcdp with delta", "{definition: pure, epsilon: 0.25, delta: 0, unit: round}",
			"{definition: zcdp, rho: 1, delta: 0.1}",
			[]string{
				"p.yaml:19:44: privacy.delta is 0.1 (a claim of definition zcdp has δ = 0); write delta: 0, or definition: approximate",
			},
		},
		{
			"two questions", "mean: 0.4, test: z, sigma: 0.5",
			"mean: 0.4, coefficient: age",
			[]string{
				"p.yaml:29:51: analysis.tests[1].coefficient stands beside mean (a test asks one question); make two tests of it",
			},
		},
		{
			"coefficient without a regression", "mean: 0.4, test: z, sigma: 0.5",
			"coefficient: age, value: 0",
			[]string{
				"p.yaml:29:7: analysis.tests[1].regression is missing (the coefficient is that of a declared regression); add regression: NAME",
			},
		},
		{
			"coefficient of an unknown regression", "mean: 0.4, test: z, sigma: 0.5",
			"coefficient: age, value: 0, regression: mian",
			[]string{
				`p.yaml:29:67: analysis.tests[1].regression is "mian" (no regression has that name; the nearest is "main"); write the name of a declared regression`,
			},
		},
		{
			"coefficient without a value", "mean: 0.4, test: z, sigma: 0.5",
			"coefficient: age, regression: main",
			[]string{
				"p.yaml:29:7: analysis.tests[1].value is missing (it is the value under the null hypothesis); add value: 0",
			},
		},
		{
			"coefficient with a test", "mean: 0.4, test: z, sigma: 0.5",
			"coefficient: age, regression: main, value: 0, test: t",
			[]string{
				"p.yaml:29:79: analysis.tests[1].test does not belong here (a test of coefficient has no test); delete the key",
			},
		},
		{
			"joint with a value", "mean: 0.4, test: z, sigma: 0.5",
			"joint: {age: 0}, regression: main, value: 0",
			[]string{
				"p.yaml:29:69: analysis.tests[1].value does not belong here (a test of joint has no value); delete the key",
			},
		},
		{
			"difference of an arm", "mean: 0.4, test: z, sigma: 0.5",
			"difference: [blue, green], value: 0",
			[]string{
				"p.yaml:29:21: analysis.tests[1].arm does not belong here (a test of difference has no arm); delete the key",
			},
		},
		{
			"difference of one", "arm: blue, mean: 0.4, test: z, sigma: 0.5",
			"difference: [blue], value: 0",
			[]string{
				"p.yaml:29:28: analysis.tests[1].difference has 1 entries (a difference is between two arms); write [arm, arm]",
			},
		},
		{
			"difference of an arm with itself", "arm: blue, mean: 0.4, test: z, sigma: 0.5",
			"difference: [blue, blue], value: 0",
			[]string{
				`p.yaml:29:35: analysis.tests[1].difference[1] is "blue" again (entries must differ, and analysis.tests[1].difference[0] is the same); delete one of them`,
			},
		},
		{
			"difference of an unknown arm", "arm: blue, mean: 0.4, test: z, sigma: 0.5",
			"difference: [blue, gren], value: 0",
			[]string{
				`p.yaml:29:35: analysis.tests[1].difference[1] is "gren" (no arm has that label; the nearest is "green"); write a label of arms`,
			},
		},
		{
			"exact difference", "arm: blue, mean: 0.4, test: z, sigma: 0.5",
			"difference: [blue, green], value: 0, test: exact",
			nil,
		},
		{
			"welch of one arm", "mean: 0.4, test: z, sigma: 0.5",
			"mean: 0.4, test: welch",
			[]string{
				`p.yaml:29:44: analysis.tests[1].test is "welch" (that test compares two arms); write test: bernstein, or ask for a difference`,
			},
		},
		{
			"no regression declared", "  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]\n  tests:\n    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}\n    - {id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"  tests:\n    - {id: H1, arm: blue, regression: main, coefficient: age, value: 0}",
			[]string{
				`p.yaml:27:39: analysis.tests[0].regression is "main" (no regression is declared); add regressions: [{name: main}] under analysis`,
			},
		},
		{
			"model without a column", "  context: [age, {column: country, levels: [DE, FR], baseline: DE}]\n  missing_reward: error\narms: [control, blue, green]\nreward: {range: [0, 1], out_of_range: error}\npolicy:\n  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\nprivacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}\nanalysis:\n  chosen: before\n  alpha: 0.05\n  multiplicity: holm\n  control: control\n  correction: {method: conditional, beta: best}\n  regressions: [{name: main, arms: each, covariance: HC3, intercept: true",
			"  missing_reward: error\narms: [control, blue, green]\nreward: {range: [0, 1], out_of_range: error}\npolicy:\n  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\nprivacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}\nanalysis:\n  chosen: before\n  alpha: 0.05\n  multiplicity: holm\n  control: control\n  correction: {method: conditional, beta: best}\n  regressions: [{name: main, arms: each, covariance: HC3, intercept: false",
			[]string{
				"p.yaml:25:70: analysis.regressions[0].intercept is false (no context is declared, so the model would have no column); declare log.context, or write intercept: true",
			},
		},
		{
			"evaluation without an id", "  control: control",
			"  evaluate: [{target: uniform}]",
			[]string{
				"p.yaml:24:14: analysis.evaluate[0].id is missing (results refer to it); add id: V1",
			},
		},
		{
			"evaluation without a target", "  control: control",
			"  evaluate: [{id: V1}]",
			[]string{
				"p.yaml:24:14: analysis.evaluate[0].target is missing (it says which policy is to be evaluated); add target: uniform, {arm: label}, {fixed: [probability, ...]}, {column: name} or {policy: {...}, mode: word}",
			},
		},
		{
			"evaluations of one id", "  control: control",
			"  evaluate: [{id: V1, target: uniform}, {id: V1, target: {arm: blue}}]",
			[]string{
				`p.yaml:24:46: analysis.evaluate[1].id is "V1" again (ids of evaluated policies must differ, and analysis.evaluate[0].id has it already); give it another name`,
			},
		},
		{
			"evaluation of two policies", "  control: control",
			"  evaluate: [{id: V1, target: {arm: blue, fixed: [1, 0, 0]}}]",
			[]string{
				"p.yaml:24:50: analysis.evaluate[0].target.fixed stands beside arm (a target is one policy); delete one of the two, or evaluate both",
			},
		},
		{
			"evaluation of an unknown arm", "  control: control",
			"  evaluate: [{id: V1, target: {arm: bleu}}]",
			[]string{
				`p.yaml:24:37: analysis.evaluate[0].target.arm is "bleu" (no arm has that label; the nearest is "blue"); write a label of arms`,
			},
		},
		{
			"evaluation of too few probabilities", "  control: control",
			"  evaluate: [{id: V1, target: {fixed: [0.5, 0.5]}}]",
			[]string{
				"p.yaml:24:39: analysis.evaluate[0].target.fixed has 2 entries (there are 3 arms); write one probability for each arm",
			},
		},
		{
			"evaluation of probabilities that are too many together", "  control: control",
			"  evaluate: [{id: V1, target: {fixed: [0.5, 0.5, 0.5]}}]",
			[]string{
				"p.yaml:24:39: analysis.evaluate[0].target.fixed adds up to 1.5 (probabilities add up to 1); correct the list",
			},
		},
		{
			"evaluation by a mode without a policy", "  control: control",
			"  evaluate: [{id: V1, target: {mode: replay}}]",
			[]string{
				"p.yaml:24:38: analysis.evaluate[0].target.mode stands without policy (it says how a policy of the catalogue is evaluated); add policy: {name: ...}, or delete the key",
			},
		},
		{
			"evaluation of a policy without a mode", "  control: control",
			"  evaluate: [{id: V1, target: {policy: {name: uniform}}}]",
			[]string{
				"p.yaml:24:31: analysis.evaluate[0].target.mode is missing (a policy that is frozen, one that follows the log and one that is replayed answer three questions); add mode: frozen, mode: follows-log, mode: replay",
			},
		},
		{
			"evaluation of a policy with faults", "  control: control",
			"  evaluate: [{id: V1, target: {policy: {name: softmax, eta: -1, seed: {sha256: x}}, mode: folows-log, floor: 0.1}}]",
			[]string{
				`p.yaml:24:61: analysis.evaluate[0].target.policy.eta is -1 (it must be more than 0); write a number in that range`,
				"p.yaml:24:71: analysis.evaluate[0].target.policy.seed does not belong here (no draw of an evaluated policy is in the log); delete the key",
				`p.yaml:24:91: analysis.evaluate[0].target.mode is "folows-log" (it must be one of: frozen, follows-log, replay; the nearest is follows-log); write follows-log`,
				"p.yaml:24:110: analysis.evaluate[0].target.floor does not belong here (it is that of mode: replay); delete the key; a floor of the policy's own is policy.floor",
			},
		},
		{
			"evaluation with a bonus for noise that is not there", "  control: control",
			"  evaluate: [{id: V1, target: {policy: {name: ucb, width: {c: 2}, bonus: quantile}, mode: follows-log}}]",
			[]string{
				`p.yaml:24:74: analysis.evaluate[0].target.policy.bonus is "quantile" (the counter exact adds no noise that a bonus could cover); write bonus: none, or declare a counter with noise such as hybrid`,
			},
		},
		{
			"evaluation by a column of rewards, clipped", "  control: control",
			"  evaluate: [{id: V1, target: {column: clicked}, clip_weights: 0.5}, {id: V2, target: {policy: {name: uniform}, mode: replay, floor: 1.5}, clip_weights: 3}]",
			[]string{
				`p.yaml:24:40: analysis.evaluate[0].target.column is "clicked", as log.reward is (the probabilities of a policy are set without the reward, and before the arm is drawn); name the column that holds them`,
				"p.yaml:24:64: analysis.evaluate[0].clip_weights is 0.5 (the mean weight is 1, and a bound below it cuts every policy); write a number of at least 1",
				"p.yaml:24:134: analysis.evaluate[1].target.floor is 1.5 (it is a probability above 0 and at most 1); write the least propensity of an arm that could be played",
				"p.yaml:24:154: analysis.evaluate[1].clip_weights does not belong here (a replay weighs no reward); delete the key",
			},
		},
		{
			"no test is declared", "  tests:\n    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}\n    - {id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}\nclaims:\n  - {id: P1, kind: privacy.total}\n  - {id: B1, kind: bias.bound, comparator: \"<=\", threshold: 0.02, arms: all, severity: advisory}\n  - {id: T1, kind: hypothesis, test: H1, finding: rejected}\n",
			"claims: [{id: T1, kind: hypothesis, test: H1, finding: rejected}]\n",
			[]string{
				`p.yaml:27:43: claims[0].test is "H1" (no test is declared); declare it under analysis.tests`,
			},
		},
		{
			"what is right", "alpha: 0.05",
			"alpha: 0.01",
			nil,
		},
	} {
		tc.check(t, judged(tc.source(t)))
	}
}
