package evidence

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/allocation"
	"banditaudit/schemas"
)

// unlikeRecomputed says how H05 and H17 contradict the recomputed propensities: the
// declared policy draws its arms with these, whatever else was known before a round.
func (e *Evidence) unlikeRecomputed(al *allocation.Allocation) string {
	var found []string
	if s := al.Splits; s.Rejected() {
		found = append(found, fmt.Sprintf("check H17: %s (%s, level %.3g)", s.Contradictions(e.Names()), schemas.PIs(s.P()), e.Whole().SplitsLevel()))
	}
	if m := al.Margin; m != nil && m.Allocation.Rejected {
		found = append(found, fmt.Sprintf("check H05: %s (%s, level %.3g)", m.Deciding(e.Names()), schemas.PIs(math.Exp(m.Allocation.LogP)), e.MarginLevel()))
	}
	return "the arms were not played with the recomputed propensities in all rounds: " + strings.Join(found, "; ") + ": " + e.FalseDraws(e.Whole().CommonLevel())
}
