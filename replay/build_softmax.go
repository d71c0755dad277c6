package replay

import (
	"errors"
	"strconv"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildSoftmax returns the maker of softmax policies.
func buildSoftmax(p *schemas.Protocol, k int, _ counter.Counter) (func(policy.Draws) policy.Policy, error) {
	faults := append(foreign(p.Policy, "eta"), needsCounter(p)...)
	eta := value(p.Policy.Eta)
	switch {
	case p.Policy.Eta == nil:
		faults = append(faults, &Fault{"policy.eta", "not given", "softmax plays arm i with a probability proportional to exp(η·S_i)", "write eta: 0.1"})
	case !(eta > 0) || !finite(eta):
		faults = append(faults, &Fault{"policy.eta", strconv.FormatFloat(eta, 'g', -1, 64), "it must be finite and above 0", "write eta: 0.1"})
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return func(d policy.Draws) policy.Policy { return policy.NewSoftmax(k, eta, d.Choice) }, nil
}
