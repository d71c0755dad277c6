package analyze

import (
	"fmt"

	"banditaudit/analyze/adaptive"
	"banditaudit/schemas"
)

// mixture tries a floor that every arm is mixed with.
func (x *explainer) mixture() *schemas.Hypothesis {
	return x.floor("floor", "every arm was given a floor of %.3g and what was left shared out as logged, p = f + (1 − K·f)·logged, which is the same as a uniform action in %.3g %% of rounds", adaptive.Mixture)
}

// clipped tries a floor to which propensities are raised; it needs those of all
// arms.
func (x *explainer) clipped() *schemas.Hypothesis {
	if !x.exact {
		return nil
	}
	return x.floor("clipped-floor", "propensities below %.3g were raised to it and all were divided by their sum (at most %.3g %% of a round over all arms)", adaptive.Clipped)
}

// floor fits a floor of a kind and tests it. It fits only where its confidence
// interval does not reach 0.
func (x *explainer) floor(name, words string, of func(f float64) adaptive.Explanation) *schemas.Hypothesis {
	fit := adaptive.FitFloor(x.rounds, x.arms, of)
	share := min(100, float64(100*fit.Value)*float64(x.arms))
	text := fmt.Sprintf(words+"; %s", fit.Value, share, lead(fit.Gain))
	h := x.hypothesis(name, text, fit.Gain, of(fit.Value))
	h.Value, h.Lo, h.Hi = schemas.Finite(fit.Value), schemas.Finite(fit.Lo), schemas.Finite(fit.Hi)
	h.Fits = h.Fits && fit.Lo > 0
	return h
}
