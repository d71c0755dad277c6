package replay

import (
	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildUCB returns the maker of UCB policies.
func buildUCB(p *schemas.Protocol, k int, sums counter.Counter) (func(policy.Draws) policy.Policy, error) {
	width, bonus, err := buildIndex(p, k, sums)
	if err != nil {
		return nil, err
	}
	return func(d policy.Draws) policy.Policy { return policy.NewUCB(k, width, bonus, d.Ties) }, nil
}
