package schemas

import "testing"

// Each row breaks one rule about claims.
func TestRulesOfTheClaims(t *testing.T) {
	for _, tc := range []mistake{
		{
			"claim without an id", "{id: P1, ",
			"{",
			[]string{
				"p.yaml:31:5: claims[0].id is missing (the verdict is filed under it); add id: C1",
			},
		},
		{
			"claim twice", "{id: B1, ",
			"{id: P1, ",
			[]string{
				`p.yaml:32:10: claims[1].id is "P1" again (ids of claims must differ, and claims[0].id has it already); give it another name`,
			},
		},
		{
			"claim without a kind", "kind: privacy.total",
			"severity: required",
			[]string{
				"p.yaml:31:5: claims[0].kind is missing (it says what is claimed); add kind: bias.bound, say",
			},
		},
		{
			"kind", "kind: privacy.total",
			"kind: privacy.totel",
			[]string{
				`p.yaml:31:20: claims[0].kind is "privacy.totel" (it must be one of: data.quality, allocation.matches_propensity, policy.conformance, privacy.total, privacy.noise, privacy.lower_bound, bias.bound, hypothesis, protocol.committed; the nearest is privacy.total); write privacy.total`,
			},
		},
		{
			"severity", "severity: advisory",
			"severity: optional",
			[]string{
				`p.yaml:32:88: claims[1].severity is "optional" (it must be one of: required, advisory); write one of them`,
			},
		},
		{
			"bound without comparator", `comparator: "<=", `,
			"",
			[]string{
				`p.yaml:32:5: claims[1].comparator is missing (the claim is that the bound is at most the threshold); add comparator: "<="`,
			},
		},
		{
			"comparator", `comparator: "<="`,
			`comparator: ">="`,
			[]string{
				`p.yaml:32:44: claims[1].comparator is ">=" (an upper bound can only be shown to be at most something); write "<="`,
			},
		},
		{
			"bound without threshold", "threshold: 0.02, ",
			"",
			[]string{
				"p.yaml:32:5: claims[1].threshold is missing (the bound is compared with it); add threshold: NUMBER, in the units of the reward",
			},
		},
		{
			"negative threshold", "threshold: 0.02",
			"threshold: -0.02",
			[]string{
				"p.yaml:32:61: claims[1].threshold is -0.02 (a bound on a bias is finite and not negative); write a number of at least 0, in the units of the reward",
			},
		},
		{
			"infinite threshold", "threshold: 0.02",
			"threshold: inf",
			[]string{
				"p.yaml:32:61: claims[1].threshold is inf (a bound on a bias is finite and not negative); write a number of at least 0, in the units of the reward",
			},
		},
		{
			"all and others", "arms: all",
			"arms: [all, blue]",
			[]string{
				"p.yaml:32:73: claims[1].arms names all and others (all includes them); write arms: all",
			},
		},
		{
			"arms of a claim", "arms: all",
			"arms: [bleu]",
			[]string{
				`p.yaml:32:74: claims[1].arms[0] is "bleu" (no arm has that label; the nearest is "blue"); write a label of arms`,
			},
		},
		{
			"arm of a claim twice", "arms: all",
			"arms: [blue, blue]",
			[]string{
				`p.yaml:32:80: claims[1].arms[1] is "blue" again (entries must differ, and claims[1].arms[0] is the same); delete one of them`,
			},
		},
		{
			"threshold of a total", "kind: privacy.total",
			"kind: privacy.total, threshold: 1",
			[]string{
				"p.yaml:31:46: claims[0].threshold does not belong here (a claim of kind privacy.total has no threshold); delete the key",
			},
		},
		{
			"hypothesis without a test", "test: H1, ",
			"",
			[]string{
				"p.yaml:33:5: claims[2].test is missing (the claim is about a declared test); add test: ID",
			},
		},
		{
			"hypothesis of an unknown test", "test: H1, finding",
			"test: H3, finding",
			[]string{
				`p.yaml:33:38: claims[2].test is "H3" (no test has that id; the nearest is "H1"); write the id of a declared test`,
			},
		},
		{
			"hypothesis of one arm of a test", "test: H1, finding",
			"test: H1/blue, finding",
			[]string{
				`p.yaml:33:38: claims[2].test is "H1/blue" (a claim names a test by its declared id, and holds only if the test is rejected for every arm that it covers); write "H1", or declare a test of that arm alone, with an id of its own`,
			},
		},
		{
			"hypothesis without a finding", ", finding: rejected",
			"",
			[]string{
				"p.yaml:33:5: claims[2].finding is missing (the claim is about what the test found); add finding: rejected",
			},
		},
		{
			"finding", "finding: rejected",
			"finding: accepted",
			[]string{
				`p.yaml:33:51: claims[2].finding is "accepted" (it must be one of: rejected; the nearest is rejected); write rejected`,
			},
		},
		{
			"total without privacy", "privacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}\n",
			"",
			[]string{
				"p.yaml:30:20: claims[0].kind claims something that is not declared (no privacy is declared); declare privacy: {epsilon: NUMBER}, or delete the claim",
			},
		},
		{
			"conformance without a policy", "policy:\n  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\nprivacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}\nanalysis:\n  chosen: before\n  alpha: 0.05\n  multiplicity: holm\n  control: control\n  correction: {method: conditional, beta: best}\n  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]\n  tests:\n    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}\n    - {id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}\nclaims:\n  - {id: P1, kind: privacy.total",
			"privacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}\nanalysis:\n  chosen: before\n  alpha: 0.05\n  multiplicity: holm\n  control: control\n  correction: {method: conditional, beta: best}\n  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]\n  tests:\n    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}\n    - {id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}\nclaims:\n  - {id: P1, kind: policy.conformance",
			[]string{
				"p.yaml:25:20: claims[0].kind claims something that is not declared (no policy is declared); declare policy, or delete the claim",
			},
		},
		{
			"noise without released values", "kind: privacy.total",
			"kind: privacy.noise",
			[]string{
				"p.yaml:31:20: claims[0].kind claims something that is not declared (no released values are logged, and noise is found in nothing else); name the column in log.released_by_arm, or delete the claim",
			},
		},
		{
			"total twice", "  - {id: T1, kind: hypothesis, test: H1, finding: rejected}",
			"  - {id: T1, kind: privacy.total}",
			[]string{
				`p.yaml:33:20: claims[2].kind is "privacy.total" again (it is claimed in claims[0].kind, and two verdicts on it would be the same); keep one of them`,
			},
		},
		{
			"allocation without a propensity", "  propensity: p\n  context: [age, {column: country, levels: [DE, FR], baseline: DE}]\n  missing_reward: error\narms: [control, blue, green]\nreward: {range: [0, 1], out_of_range: error}\npolicy:\n  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\nprivacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}\nanalysis:\n  chosen: before\n  alpha: 0.05\n  multiplicity: holm\n  control: control\n  correction: {method: conditional, beta: best}\n  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]\n  tests:\n    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}\n    - {id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}\nclaims:\n  - {id: P1, kind: privacy.total",
			"  context: [age, {column: country, levels: [DE, FR], baseline: DE}]\n  missing_reward: error\narms: [control, blue, green]\nreward: {range: [0, 1], out_of_range: error}\npolicy:\n  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\ncounter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\nprivacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}\nanalysis:\n  chosen: before\n  alpha: 0.05\n  multiplicity: holm\n  control: control\n  correction: {method: conditional, beta: best}\n  regressions: [{name: main, arms: each, covariance: HC3, intercept: true}]\n  tests:\n    - {id: H1, arm: most-pulled, mean: 0.5, test: exact}\n    - {id: H2, arm: blue, mean: 0.4, test: z, sigma: 0.5}\nclaims:\n  - {id: P1, kind: allocation.matches_propensity",
			[]string{
				"p.yaml:30:20: claims[0].kind claims something that is not declared (no propensity is logged); name the column in log.propensity, or delete the claim",
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}
