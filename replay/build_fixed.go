package replay

import (
	"errors"
	"slices"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildFixed returns the maker of fixed policies, which read no sums.
func buildFixed(p *schemas.Protocol, k int, _ counter.Counter) (func(policy.Draws) policy.Policy, error) {
	faults := foreign(p.Policy, "probabilities")
	probs := slices.Clone(p.Policy.Probabilities)
	faults = append(faults, faultsOf(policy.ValidateProbabilities(probs, k))...)
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return func(d policy.Draws) policy.Policy { return policy.NewFixed(probs, d.Choice) }, nil
}
