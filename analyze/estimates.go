package analyze

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// estimates are those that need the logged propensities: per arm the weighted
// mean over the rounds in which it could be played, whatever was played in them.
func (s *sample) estimates(contradicting string) []schemas.Estimate {
	out := []schemas.Estimate{}
	if !s.weightable() {
		return out
	}
	over, could := "over all rounds", "every arm could always be played"
	if !s.pub.always() {
		over, could = "over the rounds in which it could be played", "the log says in which rounds an arm could be played"
	}
	valid := "the logged propensity is the probability, given the past, with which the action was played, and " + could
	if s.oneMore() {
		valid = s.oneMoreValid()
		if !s.pub.always() {
			over = "over the rounds in which its share is above 0"
		}
	}
	if contradicting != "" {
		valid = "nothing here: the logged propensities are contradicted by " + contradicting + ", so this mean is not to be relied on; it would need that " + valid
	}
	for arm := range s.Manifest.Arms {
		if s.pub.pulls[arm] == 0 {
			continue
		}
		mean, stdErr := s.sums.weighted.Mean(arm, s.pub.playable(arm))
		if s.repeated() {
			stdErr = math.NaN()
		}
		out = append(out, schemas.Estimate{
			Target: "mean " + s.rewardWord() + " of arm " + s.name(arm) + " " + over, Estimator: "ipw",
			Estimate: schemas.Finite(mean), StdError: schemas.Finite(stdErr), ESS: schemas.Finite(s.sums.weighted.ESS(arm)),
			ValidUnder: valid,
		})
	}
	return out
}

// oneMoreValid says what a weighted mean rests on where actions were drawn by one more
// draw.
func (s *sample) oneMoreValid() string {
	out := "nothing exactly: the logged propensity p is a share of N draws, and the action was drawn by one more, so that 1/p is too large by about (1−p)/(N·p) of it"
	if n := s.pub.zero; n > 0 {
		out += fmt.Sprintf("; %s in which it is 0 %s left out", plural(n, "round"), isAre(n))
	}
	return out
}

// weightable reports whether weighted means can be given. With rewards missing
// they would need the probability that a reward is known: of those that are,
// 1/p weights another population.
func (s *sample) weightable() bool { return s.sums.weighted != nil && s.missing() == 0 }
