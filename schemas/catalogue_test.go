package schemas

import (
	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas/param"
)

// standard is the catalogue of this program. Package analyze, which has what can
// be asked, cannot be imported here; a test there holds this list against its own.
func standard() *Catalogue {
	return &Catalogue{
		Mechanisms: param.Mechanisms{Policies: policy.Formats(policy.All()), Counters: counter.Formats(counter.All()), Likes: policy.Libraries()},
		Asked: param.Asked{
			Tests: []param.Test{
				{Name: "exact", Binary: true, OfMean: true, OfDifference: true},
				{Name: "t", OfMean: true, OfDifference: true, Approximate: true},
				{Name: "z", Sigma: true, OfMean: true, OfDifference: true},
				{Name: "welch", OfDifference: true, Approximate: true},
				{Name: "hoeffding", OfMean: true, OfDifference: true},
				{Name: "bets", OfMean: true, OfDifference: true, Constant: true},
				{Name: "bernstein", OfMean: true, OfDifference: true},
			},
			Methods: []param.Method{{Name: "corrected"}, {Name: "rerun"}, {Name: "assignment"}, {Name: "any-time"}, {Name: "adaptive"}, {Name: "batch-exact"}},
			Corrections: []param.Correction{
				{Name: "conditional", Headline: true, Selective: true},
				{Name: "recursion", Headline: true},
				{Name: "best", Headline: true},
				{Name: "theorem20", Headline: true},
				{Name: AlsoZCDP, Also: true},
				{Name: AlsoApproximate, Also: true},
			},
			Claims: []param.Claim{
				{Kind: KindDataQuality},
				{Kind: KindAllocation, Needs: []param.Need{param.NeedPropensity}},
				{Kind: KindConformance, Needs: []param.Need{param.NeedPolicy}},
				{Kind: KindPrivacyTotal, Needs: []param.Need{param.NeedPrivacy}},
				{Kind: KindPrivacyNoise, Needs: []param.Need{param.NeedReleased, param.NeedNoise}},
				{Kind: KindPrivacyLower, Needs: []param.Need{param.NeedPrivacy}, Unsupported: true},
				{Kind: KindBiasBound, Keys: []string{"comparator", "threshold", "arms"}, Many: true},
				{Kind: KindHypothesis, Keys: []string{"test", "finding"}, Many: true},
				{Kind: KindCommitted},
			},
		},
	}
}
