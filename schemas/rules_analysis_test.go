package schemas

import "testing"

// Each row breaks one rule about the analysis.
func TestRulesOfTheAnalysis(t *testing.T) {
	for _, tc := range []mistake{
		{
			"chosen missing", "  chosen: before\n",
			"",
			[]string{
				"p.yaml:21:3: analysis.chosen is missing (a corrected p depends on what whoever chose the tests had seen); add chosen: before, from-actions or after-rewards",
			},
		},
		{
			"chosen", "  chosen: before",
			"  chosen: befor",
			[]string{
				`p.yaml:21:11: analysis.chosen is "befor" (it must be one of: before, from-actions, after-rewards; the nearest is before); write before`,
			},
		},
		{
			"alpha of 0", "  alpha: 0.05",
			"  alpha: 0",
			[]string{
				"p.yaml:22:10: analysis.alpha is 0 (a level is more than 0 and at most 0.5); write a level such as 0.05",
			},
		},
		{
			"alpha of 0.51", "  alpha: 0.05",
			"  alpha: 0.51",
			[]string{
				"p.yaml:22:10: analysis.alpha is 0.51 (a level is more than 0 and at most 0.5); write a level such as 0.05",
			},
		},
		{
			"multiplicity", "  multiplicity: holm",
			"  multiplicity: hochberg",
			[]string{
				`p.yaml:23:17: analysis.multiplicity is "hochberg" (it must be one of: none, bonferroni, holm, bh, by, e-bh); write one of them`,
			},
		},
		{
			"approximate", "  control: control",
			"  approximate: acept",
			[]string{
				`p.yaml:24:16: analysis.approximate is "acept" (it must be one of: refuse, accept; the nearest is accept); write accept`,
			},
		},
		{
			"decide, once for all tests", "  control: control",
			"  decide: auot",
			[]string{
				`p.yaml:24:11: analysis.decide is "auot" (it must be one of: auto, corrected, rerun, assignment, any-time, adaptive, batch-exact; the nearest is auto); write auto`,
			},
		},
		{
			"decide of a test", "arm: blue, mean: 0.4, test: z",
			"decide: auot, arm: blue, mean: 0.4, test: z",
			[]string{
				`p.yaml:29:24: analysis.tests[1].decide is "auot" (it must be one of: auto, corrected, rerun, assignment, any-time, adaptive, batch-exact; the nearest is auto); write auto`,
			},
		},
		{
			"means", "  control: control",
			"  means: fixed",
			[]string{
				`p.yaml:24:10: analysis.means is "fixed" (it must be one of: varying, constant); write one of them`,
			},
		},
		{
			"sequence", "  control: control",
			"  sequence: beta",
			[]string{
				`p.yaml:24:13: analysis.sequence is "beta" (it must be one of: bets, beta-binomial, normal; the nearest is bets); write bets`,
			},
		},
		{
			"a sequence of a mean that is not declared to stand still", "  control: control",
			"  sequence: beta-binomial",
			[]string{
				`p.yaml:24:13: analysis.sequence is "beta-binomial" (that mixture is about an arm whose mean is the same in every round, which is not declared); write analysis.means: constant, or sequence: bets, which holds for means that move`,
			},
		},
		{
			"control", "  control: control",
			"  control: contrl",
			[]string{
				`p.yaml:24:12: analysis.control is "contrl" (no arm has that label; the nearest is "control"); write a label of arms`,
			},
		},
		{
			"correction method", "method: conditional",
			"method: unconditional",
			[]string{
				`p.yaml:25:24: analysis.correction.method is "unconditional" (it must be one of: conditional, recursion, best, theorem20; the nearest is conditional); write conditional`,
			},
		},
		{
			"beta", "beta: best",
			"beta: 1.5",
			[]string{
				`p.yaml:25:43: analysis.correction.beta is "1.5" (it must be the word best or a number between 0 and 1); write best`,
			},
		},
		{
			"clip_weights", "  control: control",
			"  clip_weights: 0.5",
			[]string{
				"p.yaml:24:17: analysis.clip_weights is declared (this version does not clip the weights of arms; it has: clip_weights beside an entry of analysis.evaluate, and unclipped inverse-propensity means of arms); move it there, or delete the key",
			},
		},
		{
			"regression without a name", "{name: main, ",
			"{",
			[]string{
				"p.yaml:26:17: analysis.regressions[0].name is missing (tests and tables refer to it); add name: main",
			},
		},
		{
			"regression twice", "[{name: main, arms: each, covariance: HC3, intercept: true}]",
			"[{name: main}, {name: main}]",
			[]string{
				`p.yaml:26:38: analysis.regressions[1].name is "main" again (names of regressions must differ, and analysis.regressions[0].name has it already); give it another name`,
			},
		},
		{
			"regression of an unknown arm", "arms: each",
			"arms: bleu",
			[]string{
				`p.yaml:26:36: analysis.regressions[0].arms is "bleu" (no arm has that label; the nearest is "blue"); write a label of arms`,
			},
		},
		{
			"covariance", "covariance: HC3",
			"covariance: HC4",
			[]string{
				`p.yaml:26:54: analysis.regressions[0].covariance is "HC4" (it must be one of: classical, HC0, HC1, HC2, HC3; the nearest is HC0); write HC0`,
			},
		},
		{
			"test without an id", "{id: H1, ",
			"{",
			[]string{
				"p.yaml:28:7: analysis.tests[0].id is missing (results and claims refer to it); add id: H1",
			},
		},
		{
			"test twice", "{id: H2, ",
			"{id: H1, ",
			[]string{
				`p.yaml:29:12: analysis.tests[1].id is "H1" again (ids of tests must differ, and analysis.tests[0].id has it already); give it another name`,
			},
		},
		{
			"test asks nothing", "mean: 0.4, test: z, sigma: 0.5",
			"test: t",
			[]string{
				"p.yaml:29:7: analysis.tests[1] asks nothing (a test asks one of: mean, coefficient, joint, difference, equal, p); add mean: NUMBER for a test of an arm's mean",
			},
		},
		{
			"equal: another word", "arm: blue, mean: 0.4, test: z, sigma: 0.5",
			"equal: some",
			[]string{
				`p.yaml:29:23: analysis.tests[1].equal is "some" (it must be the word all, or a list of two arms); write all, or [arm, arm]`,
			},
		},
		{
			"equal: three", "arm: blue, mean: 0.4, test: z, sigma: 0.5",
			"equal: [blue, green, control]",
			[]string{
				`p.yaml:29:23: analysis.tests[1].equal has 3 entries (it must be the word all, or a list of two arms); write all, or [arm, arm]`,
			},
		},
		{
			"a given p of no rows", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 0.01}",
			[]string{
				`p.yaml:29:7: analysis.tests[1].rows is missing (it says which arms' rounds that test read, cleaning and standardising included); add rows: all, or rows: [arm, …]`,
			},
		},
		{
			"a given p of 0", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 0, rows: all}",
			[]string{
				`p.yaml:29:19: analysis.tests[1].p is 0 (a p is above 0 and at most 1); write how small the p is at most, as 1e-12`,
			},
		},
		{
			"a given p without all its digits", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 1e-320, rows: all}",
			[]string{
				`p.yaml:29:19: analysis.tests[1].p is 1e-320 (below 2.23e-308 a number has not all its digits); write 1e-300: it is at most that`,
			},
		},
		{
			"the smallest given p", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 2.2250738585072014e-308, rows: all}",
			nil,
		},
		{
			"a given p above 1", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 1.5, rows: all}",
			[]string{
				`p.yaml:29:19: analysis.tests[1].p is 1.5 (a p is above 0 and at most 1); write how small the p is at most, as 1e-12`,
			},
		},
		{
			"a given p of an unknown arm", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 0.5, rows: [bleu]}",
			[]string{
				`p.yaml:29:31: analysis.tests[1].rows[0] is "bleu" (no arm has that label; the nearest is "blue"); write a label of arms`,
			},
		},
		{
			"a given p of one arm twice", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 0.5, rows: [blue, blue]}",
			[]string{
				`p.yaml:29:37: analysis.tests[1].rows[1] is "blue" again (entries must differ, and analysis.tests[1].rows[0] is the same); delete one of them`,
			},
		},
		{
			"a given p with a side", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 0.5, rows: all, alternative: less}",
			[]string{
				`p.yaml:29:48: analysis.tests[1].alternative is "less" (a p of a test that was carried out elsewhere has its side already); delete the key`,
			},
		},
		{
			"a given p with an arm", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 0.5, rows: all, arm: blue}",
			[]string{
				`p.yaml:29:40: analysis.tests[1].arm does not belong here (a test of p has no arm); delete the key`,
			},
		},
		{
			"a given p chosen otherwise", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, p: 0.5, rows: all, selector: best}",
			[]string{
				`p.yaml:29:45: analysis.tests[1].selector is "best" (it must be one of: declared); write one of them`,
			},
		},
		{
			"rows of a mean", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, arm: blue, mean: 0.4, rows: all}",
			[]string{
				`p.yaml:29:44: analysis.tests[1].rows does not belong here (a test of mean has no rows); delete the key`,
			},
		},
		{
			"test asks two things", "mean: 0.4, test: z, sigma: 0.5",
			"mean: 0.4, difference: [blue, green]",
			[]string{
				"p.yaml:29:50: analysis.tests[1].difference stands beside mean (a test asks one question); make two tests of it",
			},
		},
		{
			"test without an arm", "arm: blue, mean",
			"mean",
			[]string{
				"p.yaml:29:7: analysis.tests[1].arm is missing (it says whose rows are read); add arm: most-pulled, least-pulled, each or a label",
			},
		},
		{
			"test of an unknown arm", "arm: blue, mean",
			"arm: bleu, mean",
			[]string{
				`p.yaml:29:21: analysis.tests[1].arm is "bleu" (no arm has that label; the nearest is "blue"); write a label of arms`,
			},
		},
		{
			"test word", "test: exact",
			"test: exakt",
			[]string{
				`p.yaml:28:51: analysis.tests[0].test is "exakt" (it must be one of: exact, t, z, welch, hoeffding, bets, bernstein; the nearest is exact); write exact`,
			},
		},
		{
			"exact outside [0, 1]", "range: [0, 1]",
			"range: [0.1, 2]",
			[]string{
				`p.yaml:28:51: analysis.tests[0].test is "exact" (the exact test is for rewards of 0 and 1, and reward.range does not hold both); write test: bernstein`,
			},
		},
		{
			"a difference by bets where means may move", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, difference: [blue, green], value: 0, test: bets}",
			[]string{
				`p.yaml:29:59: analysis.tests[1].test is "bets" (the bets test of a difference is of two means, each over the rounds its arm was played, and is asked only where an arm's mean is declared to be the same in every round); write analysis.means: constant, or test: bernstein`,
			},
		},
		{
			"a difference by bets where they do not", "{id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}",
			"{id: H2, difference: [blue, green], value: 0, test: bets}\n  means: constant",
			nil,
		},
		{
			"mean outside the range", "mean: 0.5",
			"mean: 1.5",
			[]string{
				"p.yaml:28:40: analysis.tests[0].mean is 1.5 (no mean of rewards in [0, 1] has that value); write a mean within reward.range",
			},
		},
		{
			"z without sigma", ", sigma: 0.5",
			"",
			[]string{
				"p.yaml:29:7: analysis.tests[1].sigma is missing (the z test has a known standard deviation); add sigma: NUMBER, or write test: t",
			},
		},
		{
			"sigma of 0", "sigma: 0.5",
			"sigma: 0",
			[]string{
				"p.yaml:29:54: analysis.tests[1].sigma is 0 (it must be more than 0); write a number in that range",
			},
		},
		{
			"sigma without z", "test: z",
			"test: t",
			[]string{
				"p.yaml:29:54: analysis.tests[1].sigma does not belong here (only the z test has a known standard deviation); delete the key, or write test: z",
			},
		},
		{
			"welch of one arm", "test: z, sigma: 0.5",
			"test: welch",
			[]string{
				`p.yaml:29:44: analysis.tests[1].test is "welch" (that test compares two arms); write test: bernstein, or ask for a difference`,
			},
		},
		{
			"value of a mean", "test: z, sigma: 0.5",
			"value: 0",
			[]string{
				"p.yaml:29:45: analysis.tests[1].value does not belong here (a test of mean has no value); delete the key",
			},
		},
		{
			"regression of a mean", "test: z, sigma: 0.5",
			"regression: main",
			[]string{
				"p.yaml:29:50: analysis.tests[1].regression does not belong here (a test of mean has no regression); delete the key",
			},
		},
		{
			"alternative", "test: z, sigma: 0.5",
			"alternative: both",
			[]string{
				`p.yaml:29:51: analysis.tests[1].alternative is "both" (it must be one of: two-sided, greater, less); write one of them`,
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}
