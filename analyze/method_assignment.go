package analyze

import (
	"cmp"
	"context"
	"math"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	"banditaudit/analyze/stat/eprocess"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// byAssignment decides by wagers on which of two arms was played, given the reward
// ([eprocess.Assignment]). What it tests is that arms pay alike in every round, and no
// difference of means.
func byAssignment(_ context.Context, a *answers, t *answer) (methodAnswer, error) {
	const method = schemas.MethodAssignment
	w := a.weighed.Wagers
	pay, why := a.payPair(t)
	if why = cmp.Or(w.Against, w.Shares, a.againstKept(t), a.missingByArm(), why); why != "" {
		return notBy(method, why), nil
	}
	if why = a.unplayed(t); why != "" {
		out := notBy(method, why)
		out.cannot = why // another method that is asked only then would need a share of the level
		return out, nil
	}
	if why = a.leftToNoChance(t); why != "" {
		out := notBy(method, why)
		if m := a.facts.Mechanism; m == nil || m.Random() { // else that was known beforehand, and takes no share of the level
			out.cannot = why
		}
		return out, nil
	}
	out := methodAnswer{result: schemas.TestResult{Method: method, ValidFor: anyTimeValid, Applicable: true}, about: math.NaN()}
	var rounds int64
	side := "; it names no side"
	switch {
	case t.arm < 0 && w.All == nil:
		return notBy(method, a.weighed.TooMany()), nil
	case t.arm < 0:
		out.logP, out.logE = -w.All.ByArm.Largest(), w.All.ByArm.LogE()
		rounds = w.Played(a.facts.K())
	default:
		pair := ope.Pair{t.arm, t.against}
		e := w.Arm[pair].Evidence()
		if rounds = w.Arm[pair].Rounds(); w.ByUnit && t.kind == schemas.TestDifference {
			out.about = w.Reward[pair].Estimate() * publiclog.RangeWidth(a.protocol)
		}
		out.logP, out.logE = -sideOf(t.alt, e.Largest), sideOf(t.alt, e.Sides())
		if t.alt != hypothesis.TwoSided {
			side = "; of its side it is valid where one arm pays stochastically no more than the other in every round"
		}
	}
	if w.ByUnit { // else the rounds of the raw test enter
		out.over = w.Over
		a.sample.enters(&out, rounds, false)
	}
	out.validIf = publiclog.Joined(w.ValidIf, a.sample.rewards.IfMissing(schemas.ValidIfMissing))
	out.result.Reason = publiclog.Joined(w.With("that the arms pay alike in every round, over "+w.Over+" that played one of them"+a.sample.rewards.IfMissing(" and whose reward is known")+side), a.sample.rewards.IfMissing(schemas.ValidIfMissing)) + pay.words
	pay.charge(&out)
	return out, nil
}

// againstKept is why it is not known with which probabilities rows of the arms of a test are
// in the log; "" where it is, or no row was dropped by its arm.
func (a *answers) againstKept(t *answer) string {
	arms := []int{t.arm, t.against}
	if t.arm < 0 {
		arms = publiclog.EachArm(a.facts.K())
	}
	return a.facts.Sampled.AgainstArms(arms...)
}

// unplayed says that no rounds of two arms are there to be held against each other; ""
// where they are. The wagers would stand, and p = 1 would say nothing.
func (a *answers) unplayed(t *answer) string {
	played := 0
	for arm, n := range a.facts.Pub.Pulls {
		switch {
		case n > 0:
			played++
		case arm == t.arm || arm == t.against && t.arm >= 0:
			return "arm " + a.facts.Name(arm) + " was never played, and nothing is known of what it pays (analysis.tests names it)"
		}
	}
	if played < 2 {
		return "fewer than two arms were played, and nothing is known of what another one pays (analysis.tests asks whether all pay alike)"
	}
	return ""
}

// leftToNoChance says that no round whose reward is known could have played the other of
// two arms, of all arms of no pair; "" where one could. The wagers would stand, and p = 1
// would say nothing.
func (a *answers) leftToNoChance(t *answer) string {
	w := a.weighed.Wagers
	if t.arm >= 0 {
		if w.Arm[ope.Pair{t.arm, t.against}].Open() > 0 {
			return ""
		}
		return "in no round whose reward is known could either of the two arms have been played, by their propensities: which of them was played was left to no chance, and tells nothing of what they pay (log.propensity_by_arm, log.eligible)"
	}
	if w.All == nil {
		return ""
	}
	for _, pair := range w.Arm {
		if pair.Open() > 0 {
			return ""
		}
	}
	return "in no round whose reward is known could more than one arm have been played, by their propensities: which one was played was left to no chance, and tells nothing of what they pay (log.propensity_by_arm, log.eligible)"
}

// sideOf is the number of an alternative.
func sideOf(alt hypothesis.Alternative, s eprocess.Sides) float64 {
	switch alt {
	case hypothesis.Greater:
		return s.Up
	case hypothesis.Less:
		return s.Down
	case hypothesis.TwoSided:
	}
	return s.Both
}

// charge lets an answer pay for the questions among which its own may have been
// chosen, and writes its p.
func (c toll) charge(m *methodAnswer) {
	m.logP, m.logE = math.Min(0, m.logP+c.log), m.logE-c.log
	setP(&m.result, m.logP)
}

// toll is what an answer pays where its question may have been chosen after looking: p
// is multiplied by the number of questions there were, and the interval is at the level
// divided by it.
type toll struct {
	log   float64 // ln of that number
	sides int     // that it counts for each arm or pair; 0 where nothing was chosen
	words string
}

// payPair is what a question about two arms pays, or about all; or why no price makes
// it valid.
func (a *answers) payPair(t *answer) (toll, string) {
	switch chosen := a.protocol.Analysis.Chosen; {
	case t.arm < 0 && chosen == schemas.ChosenAfterRewards:
		return toll{}, "the test was thought of after the rewards were seen (analysis.chosen), and no number of questions is known among which it was chosen"
	case t.arm < 0 || chosen == schemas.ChosenBefore:
		return toll{}, ""
	}
	return a.pay(t, a.facts.K()*(a.facts.K()-1)/2, "the number of pairs of arms, from which this one may have been chosen by looking (analysis.chosen)"), ""
}

// pay returns the toll of one question among number questions. Where the question names a
// side, the side may have been chosen by looking too, and there are twice as many.
func (a *answers) pay(t *answer, number int, among string) toll {
	out := toll{log: math.Log(float64(number)), sides: 1}
	var by []string
	if number > 1 {
		by = append(by, among)
	}
	if t.alt != hypothesis.TwoSided && a.protocol.Analysis.Chosen != schemas.ChosenBefore {
		out.log, out.sides = out.log+math.Ln2, 2
		by = append(by, "2, for its side may have been chosen by looking (analysis.chosen)")
	}
	if by != nil {
		out.words = "; p is multiplied by " + strings.Join(by, ", and by ") + ", and an interval is at alpha divided by it"
	}
	return out
}
