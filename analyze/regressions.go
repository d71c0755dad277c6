package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/regression"
	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/regress"
	"banditaudit/schemas"
)

// ErrMemory is wrapped by the error that says that the declared regressions, or
// runs of the declared policy, would take more memory than Input.Memory allows.
var ErrMemory = publiclog.ErrMemory

// fits are the declared regressions, and the findings about them.
type fits struct {
	sample   *sample
	facts    *publiclog.Facts
	protocol *schemas.Protocol
	evidence *validity.Evidence
	warnings
	fitted  *regression.Fits
	records []schemas.Regression
}

// fitRegressions fits every declared regression.
func fitRegressions(ctx context.Context, s *sample) (*fits, error) {
	f := &fits{sample: s, facts: s.facts, protocol: s.protocol, evidence: s.evidence}
	var err error
	squares := s.accounts.Accounting.SumSquaredCosts
	if f.fitted, err = regression.All(ctx, s.rewards, regression.Costs{Bounded: s.evidence.Bounds.OK(), Unmoved: squares != nil && *squares == 0, Units: s.accounts.CostsOf(corrections.UnitBlocks).Of, Batches: s.accounts.CostsOf(corrections.BatchBlocks).Of}); err != nil {
		return nil, err
	}
	f.warnings = f.fitted.Warnings
	f.records, err = f.regressionRecords(ctx)
	return f, err
}

// regressionRecords are the findings about every fitted regression.
func (f *fits) regressionRecords(ctx context.Context) ([]schemas.Regression, error) {
	out := []schemas.Regression{}
	for _, r := range f.fitted.Regressions {
		for i, m := range r.Models {
			if m == nil {
				continue
			}
			rec, err := f.regressionRecord(ctx, r, i)
			if err != nil {
				return nil, fmt.Errorf("regression %s: %w", r.Spec.Name, err)
			}
			out = append(out, rec)
		}
	}
	f.warnRegressions(len(out))
	return out, nil
}

// warnRegressions says what holds for the numbers of all regressions.
func (f *fits) warnRegressions(n int) {
	if n == 0 {
		return
	}
	f.warn("regressions are descriptive: their coefficients are in no family of tests, and p_corrected and ci_corrected, over errors that hold as the rows or clusters grow in number, are approximate")
	if app := f.evidence.Bounds; !app.OK() {
		f.warn("regressions: bias_bound, bias_rms, bias_worst, p_corrected and ci_corrected are NOT APPLICABLE: " + app.Reason())
	} else if app := f.evidence.Corrections; !app.OK() {
		f.warn("regressions: p_corrected and ci_corrected of coefficients are NOT APPLICABLE: " + app.Reason())
	} else if app.Note != "" {
		f.warn("regressions: bounds on biases and corrected numbers are " + app.Note)
	}
	for _, r := range f.fitted.Regressions {
		if _, ok := regressionBlock(f.facts.Log, r.Spec.Name); !ok && !publiclog.UnitsAtHand(f.facts.Slice) {
			f.warn("regressions: std_error, statistic, p and ci of coefficients, f_statistic and f_p are NOT APPLICABLE: " + validity.NoUnits().String())
		} else if !ok {
			f.warn("regressions: " + corrections.Dependent("").String() + "; std_error, statistic, p and ci of coefficients, corrected numbers, and f_statistic, f_p are therefore not given; write covariance: {cluster: unit}")
		}
	}
}

// regressionRecord is the finding about one model.
func (f *fits) regressionRecord(ctx context.Context, r *regression.Regression, i int) (schemas.Regression, error) {
	m, t := r.Models[i], &r.Tables[i]
	f.warnFit(r, i)
	out := schemas.Regression{
		Name: r.Spec.Name, Arm: r.Arm(i), N: m.N, Columns: m.Columns, Dropped: append([]string{}, m.Dropped...), Rank: m.Rank,
		ConditionNumber: schemas.Finite(m.ConditionNumber), Covariance: string(t.Kind), DFResidual: m.DFResidual,
		RSquared: schemas.Finite(m.RSquared), AdjRSquared: schemas.Finite(m.AdjRSquared), Sigma2: schemas.Finite(m.Sigma2),
		MaxLeverage: schemas.Finite(t.MaxLeverage), Coefficients: []schemas.Coefficient{},
	}
	if arm := r.Arm(i); arm >= 0 {
		out.Label = f.facts.Manifest.Arms[arm]
	}
	_, sound := regressionBlock(f.facts.Log, r.Spec.Name)
	if sound {
		f.slopes(&out, t)
	}
	bounds := f.biasRecord(&out, r, i)
	fixed, err := f.coefficientCorrections(ctx, &out, r, i, sound)
	if err != nil {
		return out, err
	}
	for j, c := range t.Coefficients {
		rec := schemas.Coefficient{Name: c.Name, Estimate: schemas.Finite(c.Estimate)}
		if bounds != nil {
			rec.BiasBound = schemas.Finite(float64(publiclog.RangeWidth(f.protocol) * bounds.Coefficients[j]))
		}
		if sound {
			given, err := f.given(ctx, fixed, r.Arm(i), c.Name)
			if err != nil {
				return out, err
			}
			coefficient(&rec, c, given, publiclog.LogAlpha(f.protocol))
		}
		out.Coefficients = append(out.Coefficients, rec)
	}
	return out, nil
}

// warnFit hands the warnings of a fit on.
func (f *fits) warnFit(r *regression.Regression, i int) {
	title := r.Title(f.facts.Log, r.Arm(i)) + ": "
	warnings := slices.Concat(r.Models[i].Warnings, r.Tables[i].Warnings)
	if r.Bounds != nil {
		warnings = append(warnings, r.Bounds[i].Warnings...)
	}
	for _, w := range warnings {
		f.warn(title + w)
	}
}

// slopes fills in the test of all slopes, with the errors that the coefficients
// have. Warnings of single coefficients stand beside those.
func (f *fits) slopes(out *schemas.Regression, t *regress.Table) {
	if t.Clusters > 0 {
		out.Clusters = &t.Clusters
	}
	all := t.Slopes()
	if all.DF1 > 0 {
		for _, w := range all.Warnings {
			if !slices.ContainsFunc(t.Coefficients, func(c regress.Coefficient) bool { return slices.Contains(c.Warnings, w) }) {
				f.warn(regressionWords(f.facts.Log, out.Name, out.Arm) + ", F of all slopes: " + w)
			}
		}
	}
	if math.IsNaN(all.Statistic) {
		return
	}
	out.FStatistic, out.FP = schemas.Finite(all.Statistic), schemas.Probability(all.LogP)
	out.FDF1, out.FDF2 = schemas.Finite(all.DF1), schemas.Finite(all.DF)
	out.FLog2P = schemas.Ext(float64(all.LogP / math.Ln2))
}

// biasRecord fills in the bounds on biases, which are in units of the reward.
func (f *fits) biasRecord(out *schemas.Regression, r *regression.Regression, i int) *regress.Bounds {
	if r.Bounds == nil {
		return nil
	}
	b := &r.Bounds[i]
	out.BiasRMS = schemas.Finite(float64(publiclog.RangeWidth(f.protocol) * b.RMS))
	out.BiasWorst, out.BiasWorstForm = schemas.Finite(float64(publiclog.RangeWidth(f.protocol)*b.Worst)), string(b.Form)
	if b.Contexts >= 0 {
		out.Contexts = &b.Contexts
	}
	kind, _ := regressionBlock(f.facts.Log, r.Spec.Name)
	eps, why := f.sample.accounts.PublishedLoss(kind)
	if why != "" {
		f.warn("regression " + r.Spec.Name + ": bias_paper is not given: A4: the published bound is of independent rows or units, and " + why)
		return b
	}
	out.BiasPaper = schemas.Finite(float64(publiclog.RangeWidth(f.protocol) * bias.Paper(eps.Up())))
	return b
}

// coefficientCorrections are the corrections over the rows, units or batches of a
// model; nil where there are none.
func (f *fits) coefficientCorrections(ctx context.Context, out *schemas.Regression, r *regression.Regression, i int, sound bool) (*corrections.Made, error) {
	if !sound || !f.evidence.Corrections.OK() {
		return nil, nil //nolint:nilnil // there are none
	}
	c, err := f.sample.accounts.CorrectionsOf(ctx, fittedRows(f.facts.Log, r.Spec.Name, r.Arm(i)))
	if err != nil {
		return nil, err
	}
	out.Sigma = schemas.Ext(c.Sigma)
	if c.Against.Stands() {
		f.warn("regressions: p_corrected and ci_corrected of coefficients of " + schemas.Named(r.Spec.Name) + " are NOT APPLICABLE: " + c.Against.String())
		return nil, nil //nolint:nilnil // there are none
	}
	f.warn(f.sample.accounts.Without(c, "regressions: p_corrected and ci_corrected")...)
	return c, nil
}

// given are the corrections for a coefficient: none where it holds an arm against
// the control, and the mean of one of the two moves, or arms met other rounds than
// their propensities say.
func (f *fits) given(ctx context.Context, fixed *corrections.Made, arm int, name string) (*corrections.Made, error) {
	if fixed == nil || arm >= 0 {
		return fixed, nil
	}
	const none = "regressions: p_corrected and ci_corrected of coefficients that hold an arm against the control are NOT APPLICABLE"
	arms := againstControl(f.facts.Log, name)
	if arms != nil && f.sample.validity.Follows != "" {
		f.warn(none + ": A3: check H17: " + f.sample.validity.Follows)
		return nil, nil //nolint:nilnil // there are none
	}
	moving, err := f.sample.contradicted(ctx, arms)
	if err != nil || moving == nil {
		return fixed, err
	}
	f.warn(none + " where the mean of one of the two moves: A3: check H13: " + strings.Join(moving, ", "))
	return nil, nil //nolint:nilnil // there are none
}

// coefficient fills in the test of a coefficient being 0, raw and corrected.
func coefficient(out *schemas.Coefficient, c regress.Coefficient, fixed *corrections.Made, logAlpha float64) {
	r := c.Test(0, hypothesis.TwoSided, logAlpha)
	out.StdError, out.Statistic, out.CI = schemas.Finite(c.StdErr), schemas.Finite(r.Statistic), schemas.NewInterval(r.Lo, r.Hi)
	out.P, out.Log2P = schemas.Probability(r.LogP), schemas.Ext(float64(r.LogP/math.Ln2))
	if fixed == nil || math.IsNaN(r.LogP) {
		return
	}
	logP := fixed.Headline.Apply(r.LogP)
	wide := c.Test(0, hypothesis.TwoSided, fixed.Headline.Level(logAlpha))
	out.PCorrected, out.Log2PCorrected = schemas.Probability(logP), schemas.Ext(float64(logP/math.Ln2))
	out.CICorrected = schemas.NewInterval(wide.Lo, wide.Hi)
}
