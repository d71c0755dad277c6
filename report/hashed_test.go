package report

import (
	"testing"

	"banditaudit/schemas"
)

// Which rows play the arm of the hash of their unit stands beside the checks.
func TestHashed(t *testing.T) {
	t.Parallel()
	const one = schemas.HashGrowthBook1
	for _, c := range []struct {
		x    schemas.Hashed
		want string
	}{
		{schemas.Hashed{Hash: one, Positions: 1000, Coverage: 1, Weights: schemas.WeightsLogged, Rows: 2000, Matched: 2000}, "(growthbook-v1, 1,000 positions, coverage 1) and the logged propensities of all arms: 2,000 of 2,000 rows play the arm of their hash."},
		{schemas.Hashed{Hash: one, Positions: 1000, Coverage: .5, Weights: schemas.WeightsPolicy, Rows: 2000, Matched: 1900, Within: 60, Window: .0005, Outside: 7, Unlike: 3}, "coverage 0.5) and the declared policy's weights: 1,900 of 2,000 rows play the arm of their hash; 60 more do if a weight is off by 0.0005, within its decimals; 40 do not, 7 of them at a position that no range holds; in 3 the logged propensity is not the policy's."},
		{schemas.Hashed{Hash: one, Positions: 1000, Coverage: 1}, "the weights of all arms are not known, and no row was looked at."},
	} {
		r := openBandit()
		r.Experiments[0].Data.Hashed = &c.x
		contains(t, markdownOf(t, r), c.want)
	}
}
