package schemas

import "testing"

// Each row declares one thing that the format has and this version has not. An
// issue that adds it deletes the row.
func TestWhatThisVersionDoesNotHave(t *testing.T) {
	for _, tc := range []mistake{
		{
			"draws", "  ties: first",
			"  draws: 1000",
			[]string{
				"p.yaml:17:10: policy.draws is declared (this version does not draw propensities by Monte Carlo; it has: closed forms and quadratures for every policy, which need no draws); delete the key",
			},
		},
		{
			"seed column", "  ties: first",
			"  seed: {column: s}",
			[]string{
				"p.yaml:17:18: policy.seed.column is declared (this version does not read a seed from the log; it has: {file: seed.hex}); write the seed to a file and name that",
			},
		},
		{
			"bh", "multiplicity: holm",
			"multiplicity: bh",
			[]string{
				`p.yaml:23:17: analysis.multiplicity is "bh" (this version does not adjust p-values that way; it has: none, bonferroni, holm, by); write one of those`,
			},
		},
		{
			"recursion", "method: conditional",
			"method: recursion",
			[]string{
				`p.yaml:25:24: analysis.correction.method is "recursion" (this version does not correct p-values that way; it has: conditional); write one of those`,
			},
		},
		{
			"beta of your own", "beta: best",
			"beta: 0.01",
			[]string{
				`p.yaml:25:43: analysis.correction.beta is "0.01" (this version does not take a β of your own; it has: best); write beta: best, or delete the key`,
			},
		},
		{
			"evaluate", "  control: control",
			"  evaluate: [uniform]",
			[]string{
				"p.yaml:24:13: analysis.evaluate is declared (this version does not evaluate other policies on the log; it has: the mean of each arm); delete the key",
			},
		},
		{
			"clip_weights", "  control: control",
			"  clip_weights: 100",
			[]string{
				"p.yaml:24:17: analysis.clip_weights is declared (this version does not clip weights; it has: unclipped inverse-propensity means); delete the key",
			},
		},
		{
			"cluster", "covariance: HC3",
			"covariance: {cluster: user}",
			[]string{
				"p.yaml:26:54: analysis.regressions[0].covariance is {cluster: ...} (this version does not cluster rows; it has: classical, HC0, HC1, HC2, HC3); write HC3",
			},
		},
		{
			"coefficient", "mean: 0.4, test: z, sigma: 0.5",
			"regression: main, coefficient: age, value: 0",
			[]string{
				"p.yaml:29:58: analysis.tests[1].coefficient is declared (this version does not test that; it has: mean, of an arm); ask for mean: NUMBER, or delete the test",
			},
		},
		{
			"joint", "mean: 0.4, test: z, sigma: 0.5",
			"regression: main, joint: {age: 0}",
			[]string{
				"p.yaml:29:52: analysis.tests[1].joint is declared (this version does not test that; it has: mean, of an arm); ask for mean: NUMBER, or delete the test",
			},
		},
		{
			"difference", "arm: blue, mean: 0.4, test: z, sigma: 0.5",
			"difference: [blue, green], value: 0, test: welch",
			[]string{
				"p.yaml:29:28: analysis.tests[1].difference is declared (this version does not test that; it has: mean, of an arm); ask for mean: NUMBER, or delete the test",
			},
		},
		{
			"hoeffding", "test: z, sigma: 0.5",
			"test: hoeffding",
			[]string{
				`p.yaml:29:44: analysis.tests[1].test is "hoeffding" (this version does not run that test; it has: exact, t, z); write one of those`,
			},
		},
		{
			"privacy.noise", "kind: privacy.total",
			"kind: privacy.noise",
			[]string{
				`p.yaml:31:20: claims[0].kind is "privacy.noise" (this version does not check that claim; it has: data.quality, allocation.matches_propensity, policy.conformance, privacy.total, bias.bound, hypothesis); write one of those`,
			},
		},
		{
			"privacy.lower_bound", "kind: privacy.total",
			"kind: privacy.lower_bound",
			[]string{
				`p.yaml:31:20: claims[0].kind is "privacy.lower_bound" (this version does not check that claim; it has: data.quality, allocation.matches_propensity, policy.conformance, privacy.total, bias.bound, hypothesis); write one of those`,
			},
		},
	} {
		tc.check(t, messages(ParseProtocol("p.yaml", tc.source(t))))
	}
}
