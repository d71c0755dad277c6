package analyze

import "banditaudit/schemas"

// estimates are those that need the logged propensities: per arm the weighted
// mean over all rounds, whatever was played in them.
func (a *analysis) estimates() []schemas.Estimate {
	out := []schemas.Estimate{}
	if a.sums.weighted == nil {
		return out
	}
	for arm, label := range a.Manifest.Arms {
		if a.pub.pulls[arm] == 0 {
			continue
		}
		mean, stdErr := a.sums.weighted.Mean(arm)
		out = append(out, schemas.Estimate{
			Target: "mean reward of arm " + label + " over all rounds", Estimator: "ipw",
			Estimate: schemas.Finite(mean), StdError: schemas.Finite(stdErr), ESS: schemas.Finite(a.sums.weighted.ESS(arm)),
			ValidUnder: "the logged propensity is the probability, given the past, with which the action was played, and every arm could always be played",
		})
	}
	return out
}
