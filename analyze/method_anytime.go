package analyze

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/eprocess"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/schemas"
)

// anyTime decides by wagers on rewards, whose interval holds at any time.
func anyTime(_ context.Context, a *answers, t *answer) (methodAnswer, error) {
	if why := a.facts.Sampled.ByRewards(); why != "" {
		return notBy(schemas.MethodAnyTime, why), nil
	}
	switch t.kind {
	case schemas.TestMean:
		return a.anyTimeMean(t), nil
	case schemas.TestEqual:
		return a.anyTimeEqual(t), nil
	}
	return a.anyTimeDifference(t), nil
}

// anyTimeMean is the answer of fixed bets on the rewards of one arm ([hypothesis.Bets]),
// which need nothing of how its rounds were chosen.
func (a *answers) anyTimeMean(t *answer) methodAnswer {
	const method = schemas.MethodAnyTime
	if why := a.sample.noRewards(t.arm); why != "" {
		return notBy(method, why)
	}
	pay, why := a.payArm(t)
	if why != "" {
		return notBy(method, why)
	}
	r, logE := a.sample.rewards.BetsOn(t.arm, onesample.Null{Value: *t.spec.Mean, Alternative: t.alt, LogAlpha: publiclog.LogAlpha(a.protocol) - pay.log})
	if rewards.FitsNone(&r) {
		return notBy(method, rewards.NoMeanFits)
	}
	out := a.answered(t, r)
	out.logE = logE
	out.given, out.validIf = true, publiclog.Joined(schemas.ValidIfGiven, a.facts.Sampled.KeptIf(false))
	if a.sample.rewards.IsRunning(t.arm) {
		out.validIf = publiclog.Joined(schemas.ValidIfDeclared, out.validIf)
	}
	out.validIf = publiclog.Joined(a.ofUnits(), out.validIf)
	if a.sample.rewards.Missing[t.arm] > 0 && a.protocol.Log.MissingReward == schemas.MissingExclude {
		out.over, out.rounds, out.about = "all "+a.facts.Sampled.Rounds()+" played", a.facts.Pub.Pulls[t.arm], math.NaN() // no mean over these is known
	}
	out.result.Reason = publiclog.Joined(out.result.Reason, "of what was to be expected of the reward of each round that played the arm, given everything before it"+a.openWords()+a.sample.rewards.RunningWords(t.arm))
	out.result.Reason = publiclog.Joined(out.result.Reason, a.facts.Sampled.KeptIf(false)) + pay.words
	pay.charge(&out)
	return out
}

// ofUnits says that an answer by rounds is about the units of the log; "" where each owns one
// round, or none is declared.
func (a *answers) ofUnits() string {
	if !publiclog.Repeated(a.facts.Slice) {
		return ""
	}
	return schemas.ValidIfUnits
}

// openWords say over which rounds it is where rewards are missing.
func (a *answers) openWords() string {
	out := ""
	switch {
	case a.sample.rewards.MissingRows() == 0:
	case a.protocol.Log.MissingReward == schemas.MissingExclude:
		out = "; a reward that is missing counts as 0 for the wagers in both directions, so that the interval is for all rounds that played the arm, whatever missing depends on"
	default:
		out = "; over the rounds whose reward is known"
	}
	if publiclog.Repeated(a.facts.Slice) {
		out += "; a unit (log.unit) owns several rows, and what was to be expected of one is given the unit's earlier ones"
	}
	return out
}

// payArm is what a question about one arm pays, or why no price makes it valid.
func (a *answers) payArm(t *answer) (toll, string) {
	selected := t.spec.Arm == schemas.SelectMostPulled || t.spec.Arm == schemas.SelectLeastPulled
	switch {
	case !selected && a.protocol.Analysis.Chosen == schemas.ChosenBefore:
		return toll{}, ""
	case selected && !a.facts.Manifest.Declared:
		return toll{}, "the arm is chosen by its pulls (" + t.spec.Arm + "), and the arms are not declared: among how many it was chosen is not known (arms)"
	}
	by := "by its pulls"
	if !selected {
		by = "by looking (analysis.chosen)"
	}
	return a.pay(t, a.facts.K(), "the number of arms, from which this one is chosen "+by), ""
}

// answered is the answer of a test that holds at every number of rows.
func (a *answers) answered(t *answer, r hypothesis.Result) methodAnswer {
	if math.IsNaN(r.LogP) {
		return notBy(schemas.MethodAnyTime, publiclog.Joined("", "there is no wager on these rewards: "+fmt.Sprint(r.Warnings)))
	}
	return methodAnswer{
		result: schemas.TestResult{Method: schemas.MethodAnyTime, ValidFor: anyTimeValid, Applicable: true, CI: t.clip(r.Lo, r.Hi)},
		logP:   r.LogP, logE: -r.LogP,
	}
}

// anyTimeDifference is about two arms: over all rounds by propensities, and without them
// over the rounds that each was played, which are about the arms only where their means
// are constant.
func (a *answers) anyTimeDifference(t *answer) methodAnswer {
	const method = schemas.MethodAnyTime
	pay, why := a.payPair(t)
	if why != "" {
		return notBy(method, why)
	}
	over := cmp.Or(a.weighed.Wagers.Against, a.weighed.Wagers.Effects)
	if over == "" {
		return a.effect(t, pay)
	}
	if why = a.sample.noRewards(t.arm, t.against); why != "" {
		return notBy(method, why)
	}
	both := hypothesis.BettedPair{A: *a.sample.rewards.Betted(t.arm), B: *a.sample.rewards.Betted(t.against)}
	out := a.answered(t, hypothesis.BetsDifference(&both, *t.spec.Value, t.alt, publiclog.LogAlpha(a.protocol)-pay.log))
	if !out.applies() {
		return out
	}
	played := "of two means, each over the rounds that its arm was played"
	switch moving := a.sample.rewards.Moving([]int{t.arm, t.against}); {
	case !rewards.MeansDeclared(a.protocol):
		why = "the arms were played at different times, and " + over + "; it would be the arms' own difference only if each arm's mean is constant (analysis.means: constant)"
	case moving != nil:
		why = "the mean of an arm moves (check H13: " + schemas.AndList(moving) + "), and " + over
	case a.sample.rewards.NotConstant() != "":
		why = a.sample.rewards.NotConstant() + ", and " + over
	}
	if why != "" {
		return notBy(method, fmt.Sprintf("%s; %s the interval of the difference is [%.4g, %.4g]", why, played, out.result.CI[0], out.result.CI[1]))
	}
	out.given, out.validIf = true, publiclog.Joined(schemas.ValidIfDeclared, publiclog.Joined(schemas.ValidIfGiven, a.facts.Sampled.KeptIf(false)))
	out.validIf = publiclog.Joined(a.ofUnits(), out.validIf)
	out.result.Reason = played + "; " + out.validIf + pay.words
	pay.charge(&out)
	return out
}

// effect is the difference of two arms over all rounds ([eprocess.DifferenceProcess]).
func (a *answers) effect(t *answer, pay toll) methodAnswer {
	w := a.weighed.Wagers
	e := w.Reward[ope.Pair{t.arm, t.against}]
	width := publiclog.RangeWidth(a.protocol)
	of := func(s eprocess.Sides) float64 { return sideOf(t.alt, s) }
	lo, hi, ok := e.Interval(publiclog.LogAlpha(a.protocol)-pay.log, of)
	if !ok {
		return notBy(schemas.MethodAnyTime, "no difference fits these rewards and propensities: the propensities, or the range of rewards (reward.range), are wrong")
	}
	out := methodAnswer{
		result: schemas.TestResult{Method: schemas.MethodAnyTime, ValidFor: anyTimeValid, Applicable: true, CI: t.clip(lo*width, hi*width)},
		logE:   of(e.Evidence(*t.spec.Value / width).Sides()),
	}
	out.logP = -out.logE
	out.given, out.validIf = true, publiclog.Joined(schemas.ValidIfGiven, w.ValidIf)
	if !w.ByUnit { // else each unit counts once
		out.validIf = publiclog.Joined(a.ofUnits(), out.validIf)
	}
	out.over, out.about = w.Over, e.Estimate()*width
	a.sample.enters(&out, e.Rounds(), true)
	out.result.Reason = w.With("of the difference of the arms, averaged over "+w.Over+a.weighed.Subject.EffectMissing()) + pay.words
	pay.charge(&out)
	return out
}

// anyTimeEqual is evidence against arms that pay alike in every round, by wagers that
// also are about the difference of means.
func (a *answers) anyTimeEqual(t *answer) methodAnswer {
	const method = schemas.MethodAnyTime
	w := a.weighed.Wagers
	if why := cmp.Or(w.Against, w.Effects); why != "" {
		return notBy(method, why)
	}
	pay, why := a.payPair(t)
	switch {
	case why != "":
		return notBy(method, why)
	case t.arm < 0 && w.All == nil:
		return notBy(method, a.weighed.TooMany())
	case t.arm < 0 && !w.All.Rewards:
		return notBy(method, "it was not carried out: the wagers on the arm can be, which are stronger; decide: any-time asks for it")
	}
	out := methodAnswer{result: schemas.TestResult{Method: method, ValidFor: anyTimeValid, Applicable: true}, about: math.NaN(), over: w.Over, validIf: w.ValidIf}
	pair := ope.Pair{0, 1} // all pairs are over the same rounds
	if t.arm < 0 {
		out.logP, out.logE = -w.All.ByReward.Largest(), w.All.ByReward.LogE()
	} else {
		pair = ope.Pair{t.arm, t.against}
		e := w.Reward[pair].NoDifference()
		out.logP, out.logE = -e.Largest.Both, e.Both
	}
	if e := w.Reward[pair]; e != nil {
		a.sample.enters(&out, e.Rounds(), true)
	}
	out.result.Reason = w.With("that the arms pay alike in every round, over "+w.Over+a.weighed.Subject.EffectMissing()+"; it names no side") + pay.words
	pay.charge(&out)
	return out
}
