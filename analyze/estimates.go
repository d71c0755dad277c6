package analyze

import (
	"math"

	"banditaudit/schemas"
)

// estimates are those that need the logged propensities: per arm the weighted
// mean over the rounds in which it could be played, whatever was played in them.
func (a *analysis) estimates() []schemas.Estimate {
	out := []schemas.Estimate{}
	if !a.weightable() {
		return out
	}
	over, could := "over all rounds", "every arm could always be played"
	if !a.pub.always() {
		over, could = "over the rounds in which it could be played", "the log says in which rounds an arm could be played"
	}
	valid := "the logged propensity is the probability, given the past, with which the action was played, and " + could
	if a.contradicted() {
		valid = "nothing here: the logged propensities are contradicted by check H05, so this mean is not to be relied on; it would need that " + valid
	}
	for arm := range a.Manifest.Arms {
		if a.pub.pulls[arm] == 0 {
			continue
		}
		mean, stdErr := a.sums.weighted.Mean(arm, a.pub.playable(arm))
		if a.repeated() {
			stdErr = math.NaN()
		}
		out = append(out, schemas.Estimate{
			Target: "mean " + a.rewardWord() + " of arm " + a.name(arm) + " " + over, Estimator: "ipw",
			Estimate: schemas.Finite(mean), StdError: schemas.Finite(stdErr), ESS: schemas.Finite(a.sums.weighted.ESS(arm)),
			ValidUnder: valid,
		})
	}
	return out
}

// weightable reports whether weighted means can be given. With rewards missing
// they would need the probability that a reward is known: of those that are,
// 1/p weights another population.
func (a *analysis) weightable() bool { return a.sums.weighted != nil && a.missing() == 0 }
