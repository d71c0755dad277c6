package replay

import (
	"errors"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// buildThompson returns the maker of Thompson policies: for rewards of 0 and 1
// where the prior is a Beta, for rewards with normal noise where it is normal.
func buildThompson(p *schemas.Protocol, k int, _ counter.Counter) (func(policy.Draws) policy.Policy, error) {
	faults := append(foreign(p.Policy, "prior"), needsCounter(p)...)
	prior := schemas.Prior{}
	if p.Policy.Prior != nil {
		prior = *p.Policy.Prior
	}
	beta, normal := betaPrior(prior), gaussianPrior(prior)
	wrong := wholePrior(prior)
	switch {
	case len(wrong) > 0:
	case beta != nil:
		wrong = faultsOf(beta.Validate())
	default:
		wrong = faultsOf(normal.Validate())
	}
	if err := errors.Join(append(faults, wrong...)...); err != nil {
		return nil, err
	}
	if beta != nil {
		return func(d policy.Draws) policy.Policy { return policy.NewBetaThompson(k, *beta, d.Choice) }, nil
	}
	return func(d policy.Draws) policy.Policy { return policy.NewGaussianThompson(k, *normal, d.Choice) }, nil
}

// wholePrior returns a fault for every number that is missing from the prior,
// or one for a prior that is of both kinds or of none.
func wholePrior(p schemas.Prior) []error {
	const rule = "a prior is a Beta of alpha and beta, or a normal of mean, variance and noise"
	const mend = "write {alpha: 1, beta: 1} for rewards of 0 and 1, or {mean: 0.5, variance: 1, noise: 0.25}"
	beta, normal := p.Alpha != nil || p.Beta != nil, p.Mean != nil || p.Variance != nil || p.Noise != nil
	switch {
	case beta && normal:
		return []error{&Fault{"policy.prior", "of two kinds", rule, mend}}
	case !beta && !normal:
		return []error{&Fault{"policy.prior", "not given", rule, mend}}
	}
	var faults []error
	for _, v := range []struct {
		name, mend string
		x          *float64
		mine       bool
	}{
		{"alpha", "write 1", p.Alpha, beta},
		{"beta", "write 1", p.Beta, beta},
		{"mean", "write 0.5, the middle of rewards rescaled to [0,1]", p.Mean, normal},
		{"variance", "write 1, for rewards rescaled to [0,1]", p.Variance, normal},
		{"noise", "write 0.25, the largest variance of a reward rescaled to [0,1]", p.Noise, normal},
	} {
		if v.mine && v.x == nil {
			faults = append(faults, &Fault{"policy.prior." + v.name, "not given", rule, v.mend})
		}
	}
	return faults
}

// betaPrior returns the Beta prior; nil where it is not one.
func betaPrior(p schemas.Prior) *policy.BetaPrior {
	if p.Alpha == nil || p.Beta == nil {
		return nil
	}
	return &policy.BetaPrior{Alpha: *p.Alpha, Beta: *p.Beta}
}

// gaussianPrior returns the normal prior; nil where it is not one.
func gaussianPrior(p schemas.Prior) *policy.GaussianPrior {
	if p.Mean == nil || p.Variance == nil || p.Noise == nil {
		return nil
	}
	return &policy.GaussianPrior{Mean: *p.Mean, Variance: *p.Variance, Noise: *p.Noise}
}
