package analyze

import (
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

func (a *analysis) correctedResults(d declaredTest, raw rawTest, app applicable) (correctedResults, error) {
	if !app.ok() {
		return a.uncorrected(app), nil
	}
	rows := d.reads()
	c, err := a.correctionsOf(rows)
	if err != nil {
		return correctedResults{}, err
	}
	var out correctedResults
	out.headline = a.correct(d, raw, c.headline)
	out.headline.Method = schemas.MethodCorrected
	out.headline.Reason = joined(app.note, c.note)
	out.logP = c.headline.Apply(raw.LogP)
	if a.method() == correctConditional {
		out.headline.Sigma = schemas.Ext(c.sigma)
	}
	for _, other := range []struct {
		method     string
		correction maxinfo.Conditional
	}{{schemas.MethodMoments, c.moments}, {schemas.MethodRecursion, c.recursion}, {schemas.MethodAnyLaw, c.anyLaw}} {
		if other.correction == nil {
			continue
		}
		r := a.correct(d, raw, other.correction)
		r.Method, r.Reason = other.method, app.note
		out.others = append(out.others, r)
	}
	return out, nil
}

// uncorrected says of every method why it does not exist.
func (a *analysis) uncorrected(app applicable) correctedResults {
	result := func(method string) schemas.TestResult {
		return schemas.TestResult{Method: method, ValidFor: "selected-arm", Conditional: true, Reason: app.reason()}
	}
	out := correctedResults{headline: result(schemas.MethodCorrected), logP: math.NaN()}
	out.headline.Conditional = a.method() != correctPublished
	out.others = []schemas.TestResult{result(schemas.MethodMoments), result(schemas.MethodAnyLaw)}
	return out
}

// correct is the answer of one correction. Its interval is the raw one at the
// raw level that the correction turns into α. Over a raw p that holds for many
// rows only, it holds for many rows only.
func (a *analysis) correct(d declaredTest, raw rawTest, c maxinfo.Correction) schemas.TestResult {
	out := schemas.TestResult{Correction: c.Name(), ValidFor: "selected-arm", Applicable: true, Approximate: !raw.Exact}
	_, out.Conditional = c.(maxinfo.Conditional)
	logP := c.Apply(raw.LogP)
	wide := d.raw(c.Level(a.logAlpha()))
	out.CI = d.clip(wide.Lo, wide.Hi)
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
