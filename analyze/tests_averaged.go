package analyze

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"banditaudit/analyze/facts"
	"banditaudit/analyze/maxinfo"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// correctPublished is the name of Theorem 20 as the headline.
const correctPublished = "theorem20"

// headlinePublished is the correction by Theorem 20 at the declared β.
func headlinePublished(a *accounts, kind blockKind) (maxinfo.Correction, objection) {
	theorem, against := a.published(kind, declaredBeta(a.Protocol))
	if against.stands() {
		return nil, against
	}
	return theorem, against
}

// declaredBeta is the declared β of Theorem 20, nil for the best one.
func declaredBeta(p *schemas.Protocol) *float64 {
	beta, err := strconv.ParseFloat(p.Analysis.Correction.Beta, 64)
	if err != nil { // the word best; the protocol's checks refuse others
		return nil
	}
	return &beta
}

// published is the correction by Theorem 20, or why it does not exist. It takes
// ε of the declared mechanism and n = T rounds; where a unit owns several rows,
// those of a unit together and as many as there are units.
func (a *accounts) published(kind blockKind, beta *float64) (theorem maxinfo.Theorem, against objection) {
	loss, why := a.publishedLoss(kind)
	if why != "" {
		return theorem, objection{"A4", "Theorem 20 is of independent rows or units, and " + why}
	}
	eps, n := loss.Up(), a.Pub.Rounds
	if facts.Repeated(a.Slice) {
		n = a.Slice.UnitCount()
	}
	if beta != nil {
		return maxinfo.PublishedAt(eps, n, *beta), objection{}
	}
	return maxinfo.Published(eps, n), objection{}
}

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

// ofRows stands where a form of rows would correct a p of rows that are not
// independent.
func ofRows(why string) objection {
	return objection{"A4", "this form is of independent rows, and " + why}
}

// stoppedByReleases stands against forms whose allowance grows with the number
// of rounds and must be a number fixed before the data.
func stoppedByReleases() objection {
	return objection{"A8", "this form's allowance, ρ of a round times the number of rounds, must be fixed before the data, and the experiment was stopped by released values (experiment.stopping)"}
}

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

// concentrated is the correction from mutual information: at most Σ ρ_t ≤ T·ρ
// nats of the mechanism's ρ, over all rounds, since the hypothesis may have been
// chosen from all actions.
func (a *accounts) concentrated(kind blockKind) (maxinfo.Correction, objection) {
	rho := ledger.Concentrated(a.law)
	switch {
	case kind == batchBlocks:
		return nil, ofRows(byBatches)
	case facts.Repeated(a.Slice):
		return nil, ofRows("a unit (log.unit) owns several")
	case math.IsInf(rho, 1):
		return nil, objection{"A1", fmt.Sprintf("ρ of %s is infinite", a.law.Name())}
	case a.Protocol.Experiment.Stopping == schemas.StoppingReleased:
		return nil, stoppedByReleases()
	}
	return maxinfo.Information(up(float64(a.Pub.Rounds) * rho)), objection{}
}

// approximated is the correction of (ε, δ)-differential privacy, with the ε of
// the mechanism at the claimed δ.
func (a *accounts) approximated(kind blockKind) (maxinfo.Correction, objection) {
	if kind == batchBlocks {
		return nil, ofRows(byBatches)
	}
	eps, against := a.epsilonAtDelta()
	if against.stands() {
		return nil, against
	}
	return maxinfo.ApproximateDP(eps, *a.Protocol.Privacy.Delta, a.Pub.Rounds), objection{}
}

// epsilonAtDelta is the ε of the mechanism at the claimed δ for one round's
// reward, or why there is none.
func (a *accounts) epsilonAtDelta() (eps float64, against objection) {
	p := a.Protocol.Privacy
	switch {
	case p == nil || p.Definition != definitionApproximate || p.Delta == nil:
		return 0, objection{"A1", "this form needs a claim of (ε, δ) (privacy: {definition: approximate, delta: ...})"}
	case facts.Repeated(a.Slice):
		return 0, ofRows("a unit (log.unit) owns several")
	}
	eps = min(a.law.Epsilon().Up(), ledger.Approximate(ledger.Concentrated(a.law), *p.Delta))
	if math.IsInf(eps, 1) {
		return 0, objection{"A1", fmt.Sprintf("ε of %s at δ = %g is infinite", a.law.Name(), *p.Delta)}
	}
	return eps, objection{}
}

// up is the next larger number: what bounds from above is rounded up.
func up(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
