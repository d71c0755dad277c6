package analyze

import (
	"fmt"
	"math"
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

// publishedLoss is ε of the declared mechanism as the published results have it:
// of rows that are revealed together, one row, or all of the largest unit where a
// unit owns several. why says why they have none for batches; "" elsewhere.
func (a *accounts) publishedLoss(kind blockKind) (eps ledger.Loss, why string) {
	switch {
	case kind == batchBlocks:
		why = byBatches
	case facts.Repeated(a.Slice):
		return a.law.Epsilon().Times(*a.account.LargestUnit), ""
	}
	return a.law.Epsilon(), why
}

// byBatches is why there is no number of independent rows or units.
const byBatches = "the regression takes batches as independent"

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
	case p == nil || p.Definition != schemas.DefinitionApproximate || p.Delta == nil:
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
