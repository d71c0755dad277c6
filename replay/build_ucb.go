package replay

import (
	"errors"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildUCB returns the maker of UCB policies.
func buildUCB(p *schemas.Protocol, k int, sums counter.Counter) (func(policy.Draws) policy.Policy, error) {
	faults := foreign(p.Policy, "width", "bonus", "ties")
	width, err := buildWidth(p)
	faults = append(append(faults, faultsOf(err)...), needsCounter(p)...)
	bonus, err := buildBonus(p, k, sums, width)
	if err = errors.Join(append(faults, err)...); err != nil {
		return nil, err
	}
	return func(d policy.Draws) policy.Policy { return policy.NewUCB(k, width, bonus, d.Ties) }, nil
}
