package analyze

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/schemas"
)

// armFindings are those about every arm.
type armFindings struct {
	sample   *sample
	facts    *publiclog.Facts
	protocol *schemas.Protocol
	warnings
	records  []schemas.Arm
	steering *schemas.Steering // that arms follow a context; nil where nothing says so
}

// describeArms comes to the findings about every arm.
func describeArms(ctx context.Context, s *sample) (*armFindings, error) {
	a := &armFindings{sample: s, facts: s.facts, protocol: s.protocol, records: make([]schemas.Arm, s.facts.K())}
	app := a.sample.evidence.Bounds
	if !app.OK() {
		a.warn(schemas.ArmsNotApplicable + app.Reason())
	} else if app.Note != "" {
		a.warn("arms: bias_bound, sigma and ci_corrected are " + app.Note)
	}
	if !a.facts.Manifest.Declared {
		a.warn("arms were found in the log, none was declared: their number is a lower bound, and every statement about all arms is about those that were played, and the confidence sequences hold jointly only if no other arm could be played")
	}
	a.warnArms()
	a.warnType()
	for arm := range a.records {
		var err error
		if a.records[arm], err = a.armRecord(ctx, arm, app.OK()); err != nil {
			return nil, err
		}
	}
	var err error
	a.steering, err = a.facts.Steering(ctx)
	return a, err
}

// warnArms says why numbers are missing of every arm.
func (a *armFindings) warnArms() {
	if why := a.sample.weighed.AgainstMeans(); why != "" {
		a.warn("arms: " + why)
	}
	if a.sample.rewards.MissingRows() > 0 {
		a.warn("arms: pulls counts every round; mean and everything beside it rest on the rounds whose reward is known, all but " + schemas.Grouped(a.sample.rewards.MissingRows()))
	}
	if n := a.facts.Clipped(); n > 0 {
		text := schemas.Counted(n, "reward") + " outside the declared range were clipped to it"
		if a.facts.Slice.Schema().RewardByArm {
			text += ", those of arms not played counted too"
		}
		a.warn(text + ": estimates, tests and regressions are about the clipped reward")
	}
	if publiclog.Repeated(a.facts.Slice) {
		a.warnUnits()
	}
}

// warnType says that the column's type keeps rewards of 0 and 1 from their tests. That they
// are is seen from the sums that are printed as means, and changes nothing but this note:
// what is tested, and how, follows from type and declaration.
func (a *armFindings) warnType() {
	const within = 1e-9
	rows, rest := 0.0, 0.0 // rest is the sum of the rewards other than 1, none of which is below 0
	for arm, s := range a.sample.rewards.Scalar {
		rows += float64(s.N)
		rest += float64(float64(s.N)*s.Mean) - float64(a.sample.rewards.Ones[arm])
	}
	if a.facts.CastHint() != "" && rows > 0 && math.Abs(rest) < within*rows {
		a.warn("arms: all rewards that are known are 0 or 1, and the type of their column holds others: " + schemas.CastRewards)
	}
}

// warnUnits says what is counted by unit where a unit owns several rows.
func (a *armFindings) warnUnits() {
	owns := fmt.Sprintf("a unit (log.unit) owns several rows (%s, the largest with %s)", schemas.Counted(a.sample.units.Count, "unit"), schemas.Counted(a.sample.units.Largest, "row"))
	if a.sample.byUnits == nil {
		a.warn("arms: std_error and ci are not given: " + owns + ", and the units of the tableau are not at hand")
	} else {
		a.warn("arms: " + owns + "; std_error, ci, ci_corrected, bias_bound and sigma take units as independent, not rows")
	}
	if a.protocol.Analysis.Sequence != schemas.SequenceBets {
		a.warn("arms: confidence_sequence is NOT APPLICABLE: " + rewards.SequenceByUnit)
	}
	if p := a.protocol.Privacy; p != nil && p.Unit != schemas.UnitUser {
		a.warn(fmt.Sprintf("privacy is accounted per round's reward; what concerns a unit with %s is up to %s times that", schemas.Counted(a.sample.units.Largest, "round"), schemas.Grouped(a.sample.units.Largest)))
	}
}

func (a *armFindings) armRecord(ctx context.Context, arm int, bounded bool) (schemas.Arm, error) {
	s := a.sample.rewards.Scalar[arm]
	rec := schemas.Arm{Arm: arm, Label: a.facts.Manifest.Arms[arm], Pulls: a.facts.Pub.Pulls[arm], Vacuous: []string{}}
	switch {
	case rec.Pulls == 0:
		a.warn("arm " + a.facts.Name(arm) + " was never played, so it has no estimates")
		return rec, nil
	case s.N == 0:
		a.warn("arm " + a.facts.Name(arm) + " has no reward that is known, so it has no estimates")
		return rec, nil
	}
	rec.Mean, rec.Units = schemas.Finite(s.Mean), a.sample.armUnits(arm)
	raw := a.sample.baseMean(arm, publiclog.LogAlpha(a.protocol))
	rec.StdError, rec.CI = schemas.Finite(s.StdErr()), a.facts.Clip(raw.Lo, raw.Hi)
	if publiclog.Repeated(a.facts.Slice) {
		rec.StdError = schemas.Finite(a.sample.unitError(arm))
	}
	if rec.CI != nil {
		rec.Interval = a.sample.questions.base("", schemas.TestMean).Interval
	}
	a.warnInterval(&rec, raw)
	a.sequenceOf(&rec, arm)
	rec.IPWMean = a.sample.weighed.Mean(arm)
	if !bounded {
		return rec, nil
	}
	err := a.bound(ctx, &rec, arm)
	return rec, err
}

// armUnits is the number of independent units among the rows of an arm, nil
// where no unit is declared.
func (s *sample) armUnits(arm int) *int64 {
	if s.facts.Slice.Schema().Unit && !publiclog.Repeated(s.facts.Slice) {
		return &s.rewards.Scalar[arm].N
	}
	return s.unitsOf(arm)
}

// bound fills in what the ledger gives.
func (a *armFindings) bound(ctx context.Context, rec *schemas.Arm, arm int) error {
	c, err := a.sample.accounts.CorrectionsOf(ctx, rowsOfArms(a.facts.Slice, arm))
	if err != nil {
		return err
	}
	eps, _ := a.sample.accounts.PublishedLoss(corrections.UnitBlocks)
	rec.BiasBound = schemas.Finite(float64(publiclog.RangeWidth(a.protocol) * a.sample.biasOf(arm)))
	rec.BiasBoundPaper = schemas.Finite(float64(publiclog.RangeWidth(a.protocol) * bias.Paper(eps.Up())))
	a.boundApproximately(rec)
	rec.Sigma = schemas.Ext(c.Sigma)
	a.warn(a.sample.accounts.Without(c, "arms: ci_corrected")...)
	wide := a.sample.baseMean(arm, c.Headline.Level(publiclog.LogAlpha(a.protocol)))
	rec.CICorrected = a.facts.Clip(wide.Lo, wide.Hi)
	if rec.BiasBound != nil && *rec.BiasBound >= publiclog.RangeWidth(a.protocol) {
		rec.Vacuous = append(rec.Vacuous, "bias_bound")
	}
	if rec.BiasBoundPaper == nil {
		a.warn("arms: bias_bound_paper, e^ε − 1, is beyond the largest number")
	}
	if rec.BiasBoundPaper == nil || *rec.BiasBoundPaper >= publiclog.RangeWidth(a.protocol) {
		rec.Vacuous = append(rec.Vacuous, "bias_bound_paper")
	}
	if c := rec.CICorrected; c != nil && c[1]-c[0] >= publiclog.RangeWidth(a.protocol) {
		rec.Vacuous = append(rec.Vacuous, "ci_corrected")
	}
	return nil
}

// boundApproximately fills in the bound of (ε, δ), where the protocol asks for
// it. The bound holds for an arm that may have been chosen from the actions because it was
// played: δ counts for all arms.
func (a *armFindings) boundApproximately(rec *schemas.Arm) {
	analysis := &a.protocol.Analysis
	if !slices.Contains(analysis.Correction.Also, schemas.AlsoApproximate) {
		return
	}
	eps, against := a.sample.accounts.EpsilonAtDelta()
	if against.Stands() {
		a.warn("arms: bias_bound_approximate is not given: " + against.String())
		return
	}
	a.warn("arms: bias_bound_approximate is averaged over the actions, unlike bias_bound, and the two must not be combined")
	rounds := int64(a.facts.K()) * a.facts.Pub.Rounds
	rec.BiasBoundDelta = schemas.Finite(float64(publiclog.RangeWidth(a.protocol) * bias.Approximate(eps, *a.protocol.Privacy.Delta, rounds, 1)))
	if rec.BiasBoundDelta == nil || *rec.BiasBoundDelta >= publiclog.RangeWidth(a.protocol) {
		rec.Vacuous = append(rec.Vacuous, "bias_bound_approximate")
	}
}

// biasOf bounds the bias of an arm's mean for rewards in [0, 1]. A row of a unit
// with several is revealed with all of them, at the cost of all. Of rows whose
// reward is missing the ledger knows the costs and not which they are: then the
// others are taken for the most expensive ones.
func (s *sample) biasOf(arm int) float64 {
	if publiclog.Repeated(s.facts.Slice) {
		return s.byUnits.tanh[arm] / float64(s.rewards.Scalar[arm].N)
	}
	return bias.ArmMean(mostExpensive(s.accounts.Levels[arm], s.rewards.Scalar[arm].N))
}

// mostExpensive are the n rows with the largest costs.
func mostExpensive(levels []maxinfo.Level, n int64) []maxinfo.Level {
	out := slices.Clone(levels)
	slices.SortFunc(out, func(x, y maxinfo.Level) int { return cmp.Compare(y.Cost, x.Cost) })
	for i := range out {
		out[i].Rows = min(out[i].Rows, n)
		n -= out[i].Rows
	}
	slices.Reverse(out)
	return out
}

// warnInterval says why an arm that was played has no interval, or one that
// leans on what its rows do not show.
func (a *armFindings) warnInterval(rec *schemas.Arm, raw hypothesis.Result) {
	if rec.StdError == nil && !publiclog.Repeated(a.facts.Slice) {
		a.warn("arm " + schemas.Named(rec.Label) + ": std_error needs at least two rows")
	}
	for _, w := range raw.Warnings {
		a.warn("arm " + schemas.Named(rec.Label) + ", ci and ci_corrected: " + w)
	}
}

// unitError is the standard error of an arm's mean where a unit owns several rows,
// NaN where the units are not at hand.
func (s *sample) unitError(arm int) float64 {
	if s.byUnits == nil {
		return math.NaN()
	}
	return hypothesis.Clustered(s.byUnits.arms[arm], s.rewards.Scalar[arm].Mean, hypothesis.TwoSided, publiclog.LogAlpha(s.protocol)).StdErr
}

// baseMean is the two-sided interval of an arm's mean at level 1 − e^logAlpha, by
// the test that is the default of a mean.
func (s *sample) baseMean(arm int, logAlpha float64) hypothesis.Result {
	value := s.rewards.Scalar[arm].Mean
	return s.testMean(arm, "", onesample.Null{Value: value, Alternative: hypothesis.TwoSided, LogAlpha: logAlpha}).Result
}

// sequenceOf fills in the confidence sequence of an arm, or says why it has none; where
// that holds of every arm, [armFindings.warnUnits] says it.
func (a *armFindings) sequenceOf(rec *schemas.Arm, arm int) {
	why := a.sample.rewards.AgainstSequence(arm)
	if why == "" {
		if rec.ConfidenceSequence = a.sample.rewards.Sequence(arm); rec.ConfidenceSequence == nil && a.sample.rewards.IsRunning(arm) {
			why = rewards.NoMeanFits
		}
	}
	if why != "" && !publiclog.Repeated(a.facts.Slice) {
		a.warn("arm " + schemas.Named(rec.Label) + ": confidence_sequence is NOT APPLICABLE: " + why)
	}
}
