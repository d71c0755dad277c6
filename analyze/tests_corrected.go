package analyze

import (
	"context"
	"math"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/schemas"
)

// correctedResults are the headline and the other corrections of one raw p that
// hold given the actions.
type correctedResults struct {
	headline schemas.TestResult
	others   []schemas.TestResult
	logP     float64 // of the headline
}

func (a *answers) correctedResults(ctx context.Context, t *answer, raw rawTest, app validity.Precondition) (correctedResults, error) {
	if !app.OK() {
		return uncorrected(a.accounts, raw, app), nil
	}
	c, err := a.accounts.CorrectionsOf(ctx, t.rows)
	if err != nil {
		return correctedResults{}, err
	}
	out := correctedResults{headline: noResult(schemas.MethodCorrected, c.Against.String(), false), logP: math.NaN()}
	if !c.Against.Stands() {
		out.headline = a.correct(t, raw, c.Headline)
		out.headline.Method, out.headline.Reason = schemas.MethodCorrected, publiclog.Joined(app.Note, c.Note)
		if out.headline.Conditional { // averaged corrections do not use it
			out.headline.Sigma = schemas.Ext(c.Sigma)
		}
		out.logP = c.Headline.Apply(raw.LogP)
	}
	for _, d := range a.accounts.Beside(c.Blocks) {
		r := a.correct(t, raw, c.Given[d.Name])
		r.Method, r.Reason = d.Method, app.Note
		if d.Sigma {
			r.Sigma = schemas.Ext(c.Sigma)
		}
		out.others = append(out.others, r)
	}
	return out, nil
}

// uncorrected says of every correction why it does not exist.
func uncorrected(a *corrections.Accounts, raw rawTest, app validity.Precondition) correctedResults {
	out := correctedResults{headline: noResult(schemas.MethodCorrected, app.Reason(), a.Headline().Average == nil), logP: math.NaN()}
	blocks := raw.N
	if raw.Units > 0 {
		blocks = raw.Units
	}
	for _, d := range a.Beside(blocks) {
		out.others = append(out.others, noResult(d.Method, app.Reason(), true))
	}
	return out
}

// noResult is the place of a correction that there is not.
func noResult(method, reason string, conditional bool) schemas.TestResult {
	return schemas.TestResult{Method: method, ValidFor: "selected-arm", Conditional: conditional, Reason: reason}
}

// correct is the answer of one correction. Its interval is the raw one at the
// raw level that the correction turns into α. Over a raw p that holds for many
// rows only, it holds for many rows only.
func (a *answers) correct(t *answer, raw rawTest, c maxinfo.Correction) schemas.TestResult {
	out := schemas.TestResult{Correction: c.Name(), ValidFor: "selected-arm", Applicable: true, Approximate: !raw.Exact}
	_, out.Conditional = c.(maxinfo.Conditional)
	logP := c.Apply(raw.LogP)
	wide := t.raw(c.Level(publiclog.LogAlpha(a.protocol)))
	out.CI = t.clip(wide.Lo, wide.Hi)
	out.Statistic, out.DF = schemas.Finite(raw.Statistic), schemas.Finite(raw.DF)
	out.Bits = schemas.Finite((logP - raw.LogP) / math.Ln2)
	out.Vacuous = logP >= 0
	setP(&out, logP)
	return out
}
