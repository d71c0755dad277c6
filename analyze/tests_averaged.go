package analyze

import (
	"fmt"
	"slices"

	"banditaudit/analyze/facts"
	"banditaudit/schemas"
)

// paperResult is the published route: Theorem 20 at the best β, with ε of the
// declared mechanism and n = T. It is averaged over the actions and is never
// combined with one that holds given them. Where the protocol gives a β for no
// headline, it is used here.
func (a *answers) paperResult(t *answer, raw rawTest, app applicable) schemas.TestResult {
	out := schemas.TestResult{Method: schemas.MethodPaper, ValidFor: "selected-arm", Reason: app.reason()}
	if !app.ok() {
		return out
	}
	beta := declaredBeta(a.Protocol)
	if a.headline().Name == correctPublished {
		beta = nil
	}
	p, against := a.published(t.rows.block, beta)
	if against.stands() {
		out.Reason = facts.Joined(against.String(), app.note)
		return out
	}
	out = a.correct(t, raw, p)
	out.Method, out.Reason = schemas.MethodPaper, app.note
	if a.headline().Name == correctPublished && declaredBeta(a.Protocol) == nil {
		out.Reason = facts.Joined(app.note, "the same as the headline")
	}
	at := p.At(raw.LogP)
	out.Beta, out.Bits = schemas.Finite(at.Beta), schemas.Finite(at.Bits)
	return out
}

// warnBeta says where a given β leaves no test a chance: a p corrected by
// Theorem 20 at a fixed β is never below it.
func (a *answers) warnBeta() {
	beta, tests := declaredBeta(a.Protocol), len(a.tests)
	if tests == 0 || beta == nil || a.headline().Name != correctPublished {
		return
	}
	factor := 1.0 // of the smallest p
	switch a.Protocol.Analysis.Multiplicity {
	case adjustNone:
	case adjustBY:
		factor = 0
		for i := range tests {
			factor += 1 / float64(i+1)
		}
	default:
		factor = float64(tests)
	}
	if alpha := a.Protocol.Analysis.Alpha; *beta*factor >= alpha {
		a.warn(fmt.Sprintf("tests: no test can be rejected: a p corrected by Theorem 20 at a given β (analysis.correction.beta) is above it, and β = %g adjusted for %s is %.4g, not below alpha = %g; write a smaller beta, or best",
			*beta, plural(int64(tests), "test"), min(1, *beta*factor), alpha))
	}
}

// onRequest heads the forms that are printed on request only.
const onRequest = "own proof, internally reviewed; averaged over the actions; loose"

// requestedResults are the corrections that rest on other notions of privacy
// than the ledger's, where the protocol asks for them.
func (a *answers) requestedResults(t *answer, raw rawTest, app applicable) []schemas.TestResult {
	var out []schemas.TestResult
	for i := range a.kinds {
		d := &a.kinds[i]
		if d.Asked != byAlso || !slices.Contains(a.Protocol.Analysis.Correction.Also, d.Name) {
			continue
		}
		r := schemas.TestResult{Method: d.Method, ValidFor: "selected-arm", Reason: app.reason()}
		if app.ok() {
			c, against := d.Average(a.accounts, t.rows.block)
			r.Reason = against.String()
			if !against.stands() {
				r = a.correct(t, raw, c)
				r.Method, r.Reason = d.Method, facts.Joined(onRequest, app.note)
			}
		}
		out = append(out, r)
	}
	return out
}
