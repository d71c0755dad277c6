package analyze

import (
	"context"
	"math"

	"banditaudit/analyze/maxinfo"
	"banditaudit/schemas"
)

// correctedResults are the headline and the other corrections of one raw p that
// hold given the actions.
type correctedResults struct {
	headline schemas.TestResult
	others   []schemas.TestResult
	logP     float64 // of the headline
}

func (a *answers) correctedResults(ctx context.Context, t *answer, raw rawTest, app applicable) (correctedResults, error) {
	if !app.ok() {
		return uncorrected(a.Protocol, raw, app), nil
	}
	c, err := a.correctionsOf(ctx, t.rows)
	if err != nil {
		return correctedResults{}, err
	}
	out := correctedResults{headline: noResult(a.Protocol, schemas.MethodCorrected, c.against.String()), logP: math.NaN()}
	if !c.against.stands() {
		out.headline = a.correct(t, raw, c.headline)
		out.headline.Method, out.headline.Reason = schemas.MethodCorrected, joined(app.note, c.note)
		if out.headline.Conditional { // averaged corrections do not use it
			out.headline.Sigma = schemas.Ext(c.sigma)
		}
		out.logP = c.headline.Apply(raw.LogP)
	}
	of := map[string]maxinfo.Conditional{
		schemas.MethodConditional: c.renyi, schemas.MethodMoments: c.moments, schemas.MethodRecursion: c.recursion, schemas.MethodAnyLaw: c.anyLaw,
	}
	for _, method := range otherMethods(a.Protocol, c.blocks) {
		r := a.correct(t, raw, of[method])
		r.Method, r.Reason = method, app.note
		if method == schemas.MethodConditional {
			r.Sigma = schemas.Ext(c.sigma)
		}
		out.others = append(out.others, r)
	}
	return out, nil
}

// otherMethods are the corrections that hold given the actions and that the
// headline is not, for a test that reads a number of rows, units or batches.
func otherMethods(p *schemas.Protocol, blocks int64) []string {
	few := blocks <= maxinfo.RecursionRows
	switch method := correctionMethod(p); {
	case method == correctConditional:
		return []string{schemas.MethodMoments, schemas.MethodAnyLaw}
	case method == correctRecursion && !few: // the headline is that by moments
		return []string{schemas.MethodConditional, schemas.MethodAnyLaw}
	case method == correctBest && few:
		return []string{schemas.MethodConditional, schemas.MethodMoments, schemas.MethodRecursion, schemas.MethodAnyLaw}
	}
	return []string{schemas.MethodConditional, schemas.MethodMoments, schemas.MethodAnyLaw}
}

// uncorrected says of every method why it does not exist.
func uncorrected(p *schemas.Protocol, raw rawTest, app applicable) correctedResults {
	out := correctedResults{headline: noResult(p, schemas.MethodCorrected, app.reason()), logP: math.NaN()}
	blocks := raw.N
	if raw.Units > 0 {
		blocks = raw.Units
	}
	for _, method := range otherMethods(p, blocks) {
		out.others = append(out.others, noResult(p, method, app.reason()))
	}
	return out
}

// noResult is the place of a correction that there is not.
func noResult(p *schemas.Protocol, method, reason string) schemas.TestResult {
	conditional := method != schemas.MethodCorrected || correctionMethod(p) != correctPublished
	return schemas.TestResult{Method: method, ValidFor: "selected-arm", Conditional: conditional, Reason: reason}
}

// correct is the answer of one correction. Its interval is the raw one at the
// raw level that the correction turns into α. Over a raw p that holds for many
// rows only, it holds for many rows only.
func (a *answers) correct(t *answer, raw rawTest, c maxinfo.Correction) schemas.TestResult {
	out := schemas.TestResult{Correction: c.Name(), ValidFor: "selected-arm", Applicable: true, Approximate: !raw.Exact}
	_, out.Conditional = c.(maxinfo.Conditional)
	logP := c.Apply(raw.LogP)
	wide := t.raw(c.Level(a.logAlpha()))
	out.CI = t.clip(wide.Lo, wide.Hi)
	out.Statistic, out.DF = schemas.Finite(raw.Statistic), schemas.Finite(raw.DF)
	out.Bits = schemas.Finite((logP - raw.LogP) / math.Ln2)
	out.Vacuous = logP >= 0
	setP(&out, logP)
	return out
}

// joined puts remarks beside each other.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
