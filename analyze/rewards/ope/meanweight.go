package ope

import (
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/schemas"
)

// mostLacking is how many standard errors off 1 a mean weight may be.
const mostLacking = 5

// off reports whether the mean weight of a policy shows that its probabilities, or the
// propensities, are not what they are said to be, or which rewards are known.
func off(v *ipw.Value) bool { return math.Abs(v.Lacking()) > mostLacking }

// offWeight says that the mean weight of one policy is off; "" where nothing shows it.
func (s *Estimates) offWeight(v *ipw.Value) string {
	if !off(v) {
		return ""
	}
	return fmt.Sprintf("the mean weight is %.4g where 1 is to be expected: ", v.MeanWeight()) + s.whyOff(v.Lacking() > 0)
}

// whyOff says what can make mean weights what they are, of which some are low or none is.
func (s *Estimates) whyOff(low bool) string {
	why := "the probabilities of the policy, or the propensities, are wrong"
	if low {
		why = "in many rounds an arm that the policy plays could not be played, or its probabilities or the propensities are wrong"
	}
	if missing := s.unlikeMissing(); missing != "" {
		return missing + "; or " + why
	}
	return why
}

// unlikeMissing says in which arms rewards are missing most and least often; "" where they
// are as often in each. A round whose reward is missing has no weight: where it goes by the
// arm, the mean weight of the others is not 1, though everything is as declared.
func (s *Estimates) unlikeMissing() string {
	most, least := -1, -1
	rate := func(arm int) float64 { return float64(s.Subject.Sample.Missing[arm]) / float64(s.Facts.Pub.Pulls[arm]) }
	for arm := range s.Facts.K() {
		if s.Facts.Pub.Pulls[arm] == 0 {
			continue
		}
		if most < 0 || rate(arm) > rate(most) {
			most = arm
		}
		if least < 0 || rate(arm) < rate(least) {
			least = arm
		}
	}
	if most < 0 || !(rate(most) > rate(least)) {
		return ""
	}
	return fmt.Sprintf("rewards are missing in %.3g %% of the rounds of arm %s and %.3g %% of those of arm %s, and where one is missing a round has no weight",
		100*rate(most), s.Facts.Name(most), 100*rate(least), s.Facts.Name(least))
}

// OffWeights names the policies of which the mean weight shows that, for a caution.
func (s *Estimates) OffWeights() string {
	if !s.given() {
		return ""
	}
	var of []string
	low := false
	for _, e := range evaluations(s.Facts.Log) {
		if v := s.values[e.id]; v != nil && off(v) {
			of = append(of, fmt.Sprintf("%.4g of policy %s", v.MeanWeight(), schemas.Named(e.id)))
			low = low || v.Lacking() > 0
		}
	}
	if len(of) == 0 {
		return ""
	}
	return "the mean weight is " + schemas.FirstOf(of, publiclog.MostNamed) + " where 1 is to be expected: " + s.whyOff(low) +
		"; nothing that is said of what such a policy would have earned is to be relied on"
}
