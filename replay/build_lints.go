package replay

import (
	"errors"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildLinTS returns the maker of LinTS policies. theta_bound may stand beside
// its parameters, and says nothing about a policy that has a prior instead.
func buildLinTS(p *schemas.Protocol, k int, _ counter.Counter) (func(policy.Draws) policy.Policy, error) {
	var spec policy.LinTSSpec
	faults := foreign(p.Policy, "lambda", "theta_bound", "noise_sd", "context_l1")
	faults = append(faults, needed(p, "lambda", p.Policy.Lambda, &spec.Lambda)...)
	faults = append(faults, needed(p, "noise_sd", p.Policy.NoiseSD, &spec.NoiseSD)...)
	faults = append(faults, faultsOf(spec.Validate())...)
	faults = append(faults, needsCounter(p)...)
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return func(d policy.Draws) policy.Policy { return policy.NewLinTS(k, spec, d.Choice) }, nil
}
