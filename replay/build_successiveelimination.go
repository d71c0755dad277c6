package replay

import (
	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildSuccessiveElimination returns the maker of successive elimination.
func buildSuccessiveElimination(p *schemas.Protocol, k int, sums counter.Counter) (func(policy.Draws) policy.Policy, error) {
	width, bonus, err := buildIndex(p, k, sums)
	if err != nil {
		return nil, err
	}
	return func(d policy.Draws) policy.Policy {
		return policy.NewSuccessiveElimination(k, width, bonus, d.Ties)
	}, nil
}
