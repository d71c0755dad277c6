package conformance

import (
	"fmt"

	"banditaudit/replay/period"
	"banditaudit/schemas"
)

const (
	// inferredLevel is that of a period which is tried: whether it explains
	// anything is decided by what it explains.
	inferredLevel = 0.05
	// inferredWork is about 50 ms.
	inferredWork = 1 << 24
)

// inferred is the schedule to which the logged propensities themselves keep, in
// whole rounds, where they keep to one that is not tried anyway.
func (e *explainer) inferred(known func(n, first int64) bool) (learns func(t int64) bool, words, settles string) {
	var changes period.Changes
	t, end := int64(0), e.end()
	for i := range e.s.Chunks() {
		c := e.s.Chunk(i)
		k := e.s.Arms()
		for row := 0; row < len(c.Arm) && t < end; row++ {
			t++
			if c.PropensityByArm != nil {
				changes.Add(-1, float64(t), c.PropensityByArm[row*k:row*k+k])
				continue
			}
			changes.Add(int64(c.Arm[row]), float64(t), c.Propensity[row:row+1])
		}
		if t == end || e.ctx.Err() != nil {
			break // who runs the voices sees the error
		}
	}
	found := changes.Whole(inferredLevel, inferredWork)
	first := found.First
	if found.Rounds == 0 || known(found.Rounds, first) {
		return nil, "", ""
	}
	words, settles = everyWords(found.Rounds), every(found.Rounds)
	if first != found.Rounds+1 {
		words, settles = words+", first before round "+schemas.Grouped(first), byBatch
	}
	own := &periods{every: found.Rounds, end: end + 1}
	return own.shifted((first - 1) % found.Rounds), words, settles
}

// everyWords say that a policy learns after every n rounds.
func everyWords(n int64) string {
	if n == 1 {
		return "the policy learns after every round"
	}
	return fmt.Sprintf("the policy learns after every %s rounds", schemas.Grouped(n))
}
