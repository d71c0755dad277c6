// Package ope reads rewards weighed by the propensities of the arms that were played:
// the weighted means of arms and of their differences, what another policy would have
// earned, and wagers on pairs of arms. Where propensities are taken from, the log, a
// declared policy or its replay, is said in one place, for all of them.
//
// # Add an estimator
//
// A weighted estimator is its mean in analyze/stat/ipw and a value of estimators (estimates.go).
// Its name stands in schemas/results.go, its formula in report/sources, numbers of a second
// program in testdata/reference.
package ope

import (
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/schemas"
)

// Subject is a log whose rewards are weighed, with what was found of it before.
type Subject struct {
	Sample   *rewards.Sample
	Validity allocation.Validity
	Facts    *publiclog.Facts
	Protocol *schemas.Protocol

	Verdict schemas.Verdict      // of policy.conformance
	Why     string               // it is that
	Replay  *schemas.Conformance // nil where none was run
	Faulty  bool                 // logged propensities are no probabilities (check H04)
	Asked   Asked
}

// Asked is what tests ask of the wagers.
type Asked struct {
	Pairs   []Pair // that tests are about
	Every   bool   // a test is about all arms
	AnyTime bool   // and is declared to be decided by wagers on rewards, which for many arms take long
}

// Estimates is what the rewards say with their propensities.
type Estimates struct {
	*weighted // nil where no propensity is logged, nor drawn with by a declared policy
	Subject   *Subject
	Facts     *publiclog.Facts
	Protocol  *schemas.Protocol

	Wagers *Wagers
}

// EffectMissing says what a missing reward counts as in wagers over all rounds: with 0 in
// both directions they hold whatever missing depends on. Under exclude-independent the
// known rounds alone would do, narrower, only if missing does not depend on the arm either
// (formula sheet 22.1 and 24.5): by arm, 1/p is no weight of a round that is known.
func (s *Subject) EffectMissing() string {
	return s.Sample.IfMissing(" (a reward that is missing counts as 0 for the wagers in both directions)")
}

// AgainstMeans says why the weighted means of arms are not given, or of which rounds they
// are; "" where they are of all.
func (s *Estimates) AgainstMeans() string {
	switch {
	case s.weighted == nil:
		return "ipw_mean needs the propensity of the logged action (log.propensity)"
	case s.refused != "":
		return "ipw_mean and the weighted estimates are NOT APPLICABLE: " + s.refused
	case s.partial != "":
		return "ipw_mean is not given: " + s.partial
	case s.by != "":
		return "ipw_mean is not given: " + s.by
	case !s.Facts.Pub.Always():
		return "ipw_mean is over the rounds in which the arm could be played; not every arm always could"
	}
	return ""
}
