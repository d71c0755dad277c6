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
			"hash", "  ties: first",
			"  draw: {hash: growthbook-v2, seed: s}",
			[]string{
				"p.yaml:17:16: policy.draw.hash is declared (this version does not recompute arms from a hash of the unit; it has: {by: round} and {by: unit}); write policy.draw: {by: unit} and the column of units in log.unit: a unit that is assigned by its hash keeps its arm",
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
			"privacy.lower_bound", "kind: privacy.total",
			"kind: privacy.lower_bound",
			[]string{
				`p.yaml:31:20: claims[0].kind is "privacy.lower_bound" (this version does not check that claim; it has: data.quality, allocation.matches_propensity, policy.conformance, privacy.total, privacy.noise, bias.bound, hypothesis); write one of those`,
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}
