package conformance

import (
	"fmt"

	"banditaudit/schemas"
)

// uniformRows says that a share of the rounds is played uniformly over the
// eligible arms, and the rest by the declared policy. All rounds are looked at,
// and not a sample.
func (c *comparison) uniformRows() []schemas.Hypothesis {
	if c.uniform == 0 {
		return nil
	}
	r := &c.out
	t := tally{rows: r.Rounds, explained: r.Matched + c.uniform, beyond: r.Rounds - r.Matched, mended: c.uniform}
	share := float64(c.uniform) / float64(r.Rounds)
	h := t.says("uniform-rows", fmt.Sprintf("%s of %s rounds (%.3g %%) carry exactly uniform propensities where the policy's are others: a fallback to a uniform choice", schemas.Grouped(c.uniform), schemas.Grouped(r.Rounds), 100*share), "")
	h.Value, h.Largest = new(share), nil
	return []schemas.Hypothesis{h}
}
