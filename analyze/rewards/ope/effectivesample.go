package ope

import (
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/schemas"
)

// Of weighted answers: the effective sample size below which they are weak, and the part
// of the rounds that have a weight below which it is.
const (
	leastWeights = 30
	leastPart    = 0.05
)

// thin reports whether weights are few for what they weigh.
func thin(weights *ipw.Mean) bool {
	ess := weights.ESS()
	return math.IsNaN(ess) || ess < leastWeights || ess < leastPart*float64(weights.N)
}

// Thin names the arms and policies whose estimates rest on few weights.
func (s *Estimates) Thin() string {
	var of []string
	if !s.given() {
		return ""
	}
	for arm := range s.Facts.K() {
		if thin(s.arms.SNIPW(arm)) {
			of = append(of, "arm "+s.Facts.Name(arm))
		}
	}
	for _, e := range evaluations(s.Facts.Log) {
		if v := s.values[e.id]; v != nil && thin(&v.SNIPS) {
			of = append(of, "policy "+schemas.Named(e.id))
		}
	}
	if len(of) == 0 {
		return ""
	}
	return fmt.Sprintf("the weights of %s have an effective sample size below %d, or below %g %% of the rounds that have a weight: what is estimated of them rests on few rounds", schemas.FirstOf(of, publiclog.MostNamed), leastWeights, 100*leastPart)
}
