package replay

import (
	"errors"
	"strconv"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildEpsilonGreedy returns the maker of epsilon-greedy policies.
func buildEpsilonGreedy(p *schemas.Protocol, k int, _ counter.Counter) (func(policy.Draws) policy.Policy, error) {
	faults := append(foreign(p.Policy, "explore", "ties"), needsCounter(p)...)
	explore, err := buildExplore(p.Policy.Explore)
	if err = errors.Join(append(faults, faultsOf(err)...)...); err != nil {
		return nil, err
	}
	return func(d policy.Draws) policy.Policy { return policy.NewEpsilonGreedy(k, explore, d) }, nil
}

// buildExplore returns the declared exploration.
func buildExplore(e *schemas.Explore) (policy.Explore, error) {
	switch {
	case e == nil || e.Constant == nil && e.Decay == nil:
		return policy.Explore{}, &Fault{"policy.explore", "not given", "epsilon-greedy explores with a declared probability", "write explore: 0.1, or explore: {decay: 5}"}
	case e.Constant != nil && e.Decay != nil:
		return policy.Explore{}, &Fault{"policy.explore", "given twice", "a number is constant, decay is not", "keep one of them"}
	case e.Decay != nil && !(*e.Decay > 0):
		return policy.Explore{}, &Fault{"policy.explore.decay", strconv.FormatFloat(*e.Decay, 'g', -1, 64), "it must be finite and above 0", "write {decay: 5}"}
	}
	explore := policy.Explore{Constant: value(e.Constant), Decay: value(e.Decay)}
	return explore, explore.Validate()
}
