package analyze

import (
	"fmt"
	"math"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/bias"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/maxinfo"
	"banditaudit/schemas"
)

// armRecords are the findings about every arm.
func (a *analysis) armRecords() []schemas.Arm {
	out := make([]schemas.Arm, a.k())
	app := a.ledgerApplicable()
	if !app.ok() {
		a.warn("arms: bias_bound, sigma and ci_corrected are NOT APPLICABLE: " + app.reason())
	} else if app.note != "" {
		a.warn("arms: bias_bound, sigma and ci_corrected are " + app.note)
	}
	if !a.Manifest.Declared {
		a.warn("arms were found in the log, none was declared: their number is a lower bound, and every statement about all arms is about those that were played, and the confidence sequences hold jointly only if no other arm could be played")
	}
	a.warnArms()
	for arm := range out {
		out[arm] = a.armRecord(arm, app.ok())
	}
	return out
}

// warnArms says why numbers are missing of every arm.
func (a *analysis) warnArms() {
	switch {
	case !a.Slice.HasPropensity():
		a.warn("arms: ipw_mean needs the propensity of the logged action (log.propensity)")
	case !a.weightable():
		a.warn(fmt.Sprintf("arms: ipw_mean is not given: the rewards of %s are missing, and a weighted mean would need the probability that a reward is known", rows(a.missing())))
	case !a.pub.always():
		a.warn("arms: ipw_mean is over the rounds in which the arm could be played; not every arm always could")
	}
	if a.missing() > 0 {
		a.warn("arms: pulls counts every round; mean and everything beside it rest on the rounds whose reward is known, all but " + schemas.Grouped(a.missing()))
	}
	if a.repeated() {
		a.warn(fmt.Sprintf("arms: std_error and ci are not given: %s (%s, the largest with %s)", dependent, plural(a.units.Count, "unit"), rows(a.units.Largest)))
		if p := a.Protocol.Privacy; p != nil && p.Unit != unitUser {
			a.warn(fmt.Sprintf("privacy is accounted per round's reward; what concerns a unit with %s is up to %s times that", plural(a.units.Largest, "round"), schemas.Grouped(a.units.Largest)))
		}
	}
}

func (a *analysis) armRecord(arm int, bounded bool) schemas.Arm {
	s := a.sums.scalar[arm]
	rec := schemas.Arm{Arm: arm, Label: a.Manifest.Arms[arm], Pulls: a.pub.pulls[arm], Vacuous: []string{}}
	switch {
	case rec.Pulls == 0:
		a.warn("arm " + a.name(arm) + " was never played, so it has no estimates")
		return rec
	case s.N == 0:
		a.warn("arm " + a.name(arm) + " has no reward that is known, so it has no estimates")
		return rec
	}
	rec.Mean = schemas.Finite(s.Mean)
	if !a.repeated() {
		rec.StdError = schemas.Finite(s.StdErr())
		rec.CI = a.interval(arm, a.logAlpha())
		a.warnInterval(&rec, arm)
	}
	lo, hi := adaptive.ConfidenceSequence(s.N, s.Mean, a.sequence())
	rec.ConfidenceSequence = a.clip(lo, hi)
	if a.weightable() {
		mean, _ := a.sums.weighted.Mean(arm, a.pub.playable(arm))
		rec.IPWMean = schemas.Finite(mean)
	}
	if bounded {
		a.bound(&rec, arm)
	}
	return rec
}

// bound fills in what the ledger gives.
func (a *analysis) bound(rec *schemas.Arm, arm int) {
	levels := a.levels(rec.Label)
	sigma := maxinfo.Sigma(levels)
	rec.BiasBound = schemas.Finite(float64(a.width() * bias.ArmMean(levels)))
	rec.BiasBoundPaper = schemas.Finite(float64(a.width() * bias.Paper(a.law.Epsilon().Up())))
	rec.Sigma = schemas.Ext(sigma)
	rec.CICorrected = a.interval(arm, maxinfo.GammaLog(a.logAlpha(), sigma))
	if rec.BiasBound != nil && *rec.BiasBound >= a.width() {
		rec.Vacuous = append(rec.Vacuous, "bias_bound")
	}
	if rec.BiasBoundPaper == nil {
		a.warn("arms: bias_bound_paper, e^ε − 1, is beyond the largest number")
	}
	if rec.BiasBoundPaper == nil || *rec.BiasBoundPaper >= a.width() {
		rec.Vacuous = append(rec.Vacuous, "bias_bound_paper")
	}
	if c := rec.CICorrected; c != nil && c[1]-c[0] >= a.width() {
		rec.Vacuous = append(rec.Vacuous, "ci_corrected")
	}
}

func (a *analysis) logAlpha() float64 { return math.Log(a.Protocol.Analysis.Alpha) }

// sequence is the confidence sequence of all declared arms.
func (a *analysis) sequence() adaptive.Sequence {
	r := a.Protocol.Reward.Range
	return adaptive.Sequence{Lo: r[0], Hi: r[1], K: a.k(), LogAlpha: a.logAlpha()}
}

// interval is the two-sided interval of an arm's mean at level 1 − e^logAlpha:
// Clopper–Pearson where rewards are binary, Student's t otherwise. It is cut
// to the declared range of the reward, in which the mean lies.
func (a *analysis) interval(arm int, logAlpha float64) *schemas.Interval {
	r := a.baseMean(arm, logAlpha)
	return a.clip(r.Lo, r.Hi)
}

// warnInterval says why an arm that was played has no interval.
func (a *analysis) warnInterval(rec *schemas.Arm, arm int) {
	if rec.StdError == nil {
		a.warn("arm " + a.name(arm) + ": std_error needs at least two rows")
	}
	if rec.CI == nil {
		for _, w := range a.baseMean(arm, a.logAlpha()).Warnings {
			a.warn("arm " + a.name(arm) + ", ci and ci_corrected: " + w)
		}
	}
}

func (a *analysis) baseMean(arm int, logAlpha float64) hypothesis.Result {
	s := a.sums.scalar[arm]
	if a.binary() {
		return hypothesis.Binomial(a.sums.ones[arm], s.N, 0.5, hypothesis.TwoSided, logAlpha)
	}
	return hypothesis.Student(s, s.Mean, hypothesis.TwoSided, logAlpha)
}

// levels are the cost levels of an arm, as the accounting gives them.
func (a *analysis) levels(label string) []maxinfo.Level {
	var out []maxinfo.Level
	for _, l := range a.account.Levels {
		if l.Arm == label {
			out = append(out, maxinfo.Level{Cost: float64(l.Cost), Rows: l.Rows})
		}
	}
	return out
}
