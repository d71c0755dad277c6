package analyze

import (
	"fmt"
	"slices"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// paperResult is the published route: Theorem 20 at the best β, with ε of the
// declared mechanism and n = T. It is averaged over the actions and is never
// combined with one that holds given them. Where the protocol gives a β for no
// headline, it is used here.
func (a *answers) paperResult(t *answer, raw rawTest, app validity.Precondition) schemas.TestResult {
	out := schemas.TestResult{Method: schemas.MethodPaper, ValidFor: "selected-arm", Reason: app.Reason()}
	if !app.OK() {
		return out
	}
	beta := corrections.DeclaredBeta(a.protocol)
	if a.accounts.Headline().Name == corrections.Theorem20 {
		beta = nil
	}
	p, against := a.accounts.Published(t.rows.Block, beta)
	if against.Stands() {
		out.Reason = publiclog.Joined(against.String(), app.Note)
		return out
	}
	out = a.correct(t, raw, p)
	out.Method, out.Reason = schemas.MethodPaper, app.Note
	if a.accounts.Headline().Name == corrections.Theorem20 && corrections.DeclaredBeta(a.protocol) == nil {
		out.Reason = publiclog.Joined(app.Note, "the same as the headline")
	}
	at := p.At(raw.LogP)
	out.Beta, out.Bits = schemas.Finite(at.Beta), schemas.Finite(at.Bits)
	return out
}

// warnBeta says where a given β leaves no test a chance: a p corrected by
// Theorem 20 at a fixed β is never below it.
func (a *answers) warnBeta() {
	beta, tests := corrections.DeclaredBeta(a.protocol), len(a.tests)
	if tests == 0 || beta == nil || a.accounts.Headline().Name != corrections.Theorem20 {
		return
	}
	factor := 1.0 // of the smallest p
	switch a.protocol.Analysis.Multiplicity {
	case schemas.AdjustNone:
	case schemas.AdjustBY:
		factor = 0
		for i := range tests {
			factor += 1 / float64(i+1)
		}
	default:
		factor = float64(tests)
	}
	if alpha := a.protocol.Analysis.Alpha; *beta*factor >= alpha {
		a.warn(fmt.Sprintf("tests: no test can be rejected: a p corrected by Theorem 20 at a given β (analysis.correction.beta) is above it, and β = %g adjusted for %s is %.4g, not below alpha = %g; write a smaller beta, or best",
			*beta, schemas.Counted(int64(tests), "test"), min(1, *beta*factor), alpha))
	}
}

// onRequest heads the forms that are printed on request only.
const onRequest = "own proof, internally reviewed; averaged over the actions; loose"

// requestedResults are the corrections that rest on other notions of privacy
// than the ledger's, where the protocol asks for them.
func (a *answers) requestedResults(t *answer, raw rawTest, app validity.Precondition) []schemas.TestResult {
	var out []schemas.TestResult
	declared := &a.protocol.Analysis.Correction
	for i := range a.accounts.Kinds {
		d := &a.accounts.Kinds[i]
		if d.Asked != corrections.ByAlso || !slices.Contains(declared.Also, d.Name) {
			continue
		}
		r := schemas.TestResult{Method: d.Method, ValidFor: "selected-arm", Reason: app.Reason()}
		if app.OK() {
			c, against := d.Average(a.accounts, t.rows.Block)
			r.Reason = against.String()
			if !against.Stands() {
				r = a.correct(t, raw, c)
				r.Method, r.Reason = d.Method, publiclog.Joined(onRequest, app.Note)
			}
		}
		out = append(out, r)
	}
	return out
}
