package analyze

import (
	"testing"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
)

// What contradicts the allocation takes known odds from under a comparison; what tells
// of the rounds that arms met takes A3 too, whichever wager of H17 it is.
func TestFooting(t *testing.T) {
	t.Parallel()
	margin := &check.Propensities{}
	margin.Allocation.Rejected = true
	split := &check.Splits{Looked: []check.Split{{Name: "s", Sides: [2]string{"of one kind", "of the other"}}}}
	split.Result.Rejected = true
	again := &check.Splits{Again: &check.Again{Result: adaptive.RepeatsResult{Rejected: true}}}
	odds := &check.Splits{Odds: &check.Odds{Looked: true, Result: adaptive.OddsResult{Rejected: true}}}
	for name, c := range map[string]struct {
		of                 allocation
		misplayed, follows bool
	}{
		"nothing looked at":            {allocation{}, false, false},
		"nothing found":                {allocation{propensities: &check.Propensities{}, splits: &check.Splits{}}, false, false},
		"H05":                          {allocation{propensities: margin, splits: &check.Splits{}}, true, false},
		"H17, a split":                 {allocation{propensities: &check.Propensities{}, splits: split}, true, true},
		"H17, the unit's round before": {allocation{propensities: &check.Propensities{}, splits: again}, true, true},
		"H17, the likelier arm":        {allocation{propensities: &check.Propensities{}, splits: odds}, true, true},
	} {
		if got := c.of.footing([]string{"a", "b"}); got.misplayed != c.misplayed || (got.follows != "") != c.follows {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
