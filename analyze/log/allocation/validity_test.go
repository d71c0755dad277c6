package allocation

import (
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/stat/allocationtest"
)

// What contradicts the allocation takes known odds from under a comparison; what tells
// of the rounds that arms met takes A3 too, whichever wager of H17 it is.
func TestFooting(t *testing.T) {
	t.Parallel()
	margin := &check.Propensities{}
	margin.Allocation.Rejected = true
	split := &check.Splits{Looked: []check.Split{{Name: "s", Sides: [2]string{"of one kind", "of the other"}}}}
	split.Result.Rejected = true
	again := &check.Splits{Again: &check.RepeatedArms{Result: allocationtest.RepeatsResult{Rejected: true}}}
	odds := &check.Splits{Odds: &check.Odds{Looked: true, Result: allocationtest.OddsResult{Rejected: true}}}
	for name, c := range map[string]struct {
		of                 Allocation
		misplayed, follows bool
	}{
		"nothing looked at":            {Allocation{}, false, false},
		"nothing found":                {Allocation{Propensities: &check.Propensities{}, Splits: &check.Splits{}}, false, false},
		"H05":                          {Allocation{Propensities: margin, Splits: &check.Splits{}}, true, false},
		"H17, a split":                 {Allocation{Propensities: &check.Propensities{}, Splits: split}, true, true},
		"H17, the unit's round before": {Allocation{Propensities: &check.Propensities{}, Splits: again}, true, true},
		"H17, the likelier arm":        {Allocation{Propensities: &check.Propensities{}, Splits: odds}, true, true},
	} {
		if got := c.of.Footing([]string{"a", "b"}); got.Misplayed != c.misplayed || (got.Follows != "") != c.follows {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
