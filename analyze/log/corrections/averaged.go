package corrections

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Theorem20 is the name of Theorem 20 as the headline.
const Theorem20 = "theorem20"

// headlinePublished is the correction by Theorem 20 at the declared β.
func headlinePublished(a *Accounts, kind Kind) (maxinfo.Correction, NotApplicable) {
	theorem, against := a.Published(kind, DeclaredBeta(a.Protocol))
	if against.Stands() {
		return nil, against
	}
	return theorem, against
}

// DeclaredBeta is the declared β of Theorem 20, nil for the best one.
func DeclaredBeta(p *schemas.Protocol) *float64 {
	beta, err := strconv.ParseFloat(p.Analysis.Correction.Beta, 64)
	if err != nil { // the word best; the protocol's checks refuse others
		return nil
	}
	return &beta
}

// Published is the correction by Theorem 20, or why it does not exist. It takes
// ε of the declared mechanism and n = T rounds. Where a unit owns several rows, it takes
// the ε of all rows of a unit together, and n is the number of units.
func (a *Accounts) Published(kind Kind, beta *float64) (theorem maxinfo.Theorem, against NotApplicable) {
	loss, why := a.PublishedLoss(kind)
	if why != "" {
		return theorem, NotApplicable{"A4", "Theorem 20 is of independent rows or units, and " + why}
	}
	eps, n := loss.Up(), a.Facts.Pub.Rounds
	if publiclog.Repeated(a.Facts.Slice) {
		n = a.Facts.Slice.UnitCount()
	}
	if beta != nil {
		return maxinfo.PublishedAt(eps, n, *beta), NotApplicable{}
	}
	return maxinfo.Published(eps, n), NotApplicable{}
}

// PublishedLoss is ε of the declared mechanism as the published results have it:
// of rows that are revealed together, one row, or all of the largest unit where a
// unit owns several. why says why they have none for batches; "" elsewhere.
func (a *Accounts) PublishedLoss(kind Kind) (eps ledger.Loss, why string) {
	switch {
	case kind == BatchBlocks:
		why = byBatches
	case publiclog.Repeated(a.Facts.Slice):
		return a.unitLoss(), ""
	}
	return a.Ledger.Epsilon(), why
}

// unitLoss bounds what a unit loses from above over all sequences of actions: with who
// owns which round given, the mechanism is private for units with that ε.
func (a *Accounts) unitLoss() ledger.Loss {
	if u := a.Accounting.UserLoss; u != nil {
		if r, ok := new(big.Rat).SetString(u.AtMostExact); ok {
			return ledger.NewLoss(r)
		}
	}
	return a.Ledger.Epsilon().Times(*a.Accounting.LargestUnit)
}

// byBatches is why there is no number of independent rows or units.
const byBatches = "the regression takes batches as independent"

// ofRows stands where a form of rows would correct a p of rows that are not
// independent.
func ofRows(why string) NotApplicable {
	return NotApplicable{"A4", "this form is of independent rows, and " + why}
}

// stoppedByReleases stands against forms whose allowance grows with the number
// of rounds and must be a number fixed before the data.
func stoppedByReleases() NotApplicable {
	return NotApplicable{"A8", "this form's allowance, ρ of a round times the number of rounds, must be fixed before the data, and the experiment was stopped by released values (experiment.stopping)"}
}

// concentrated is the correction from mutual information: at most Σ ρ_t ≤ T·ρ
// nats of the mechanism's ρ, over all rounds, since the hypothesis may have been
// chosen from all actions.
func (a *Accounts) concentrated(kind Kind) (maxinfo.Correction, NotApplicable) {
	rho := ledger.Concentrated(a.Ledger)
	switch {
	case kind == BatchBlocks:
		return nil, ofRows(byBatches)
	case publiclog.Repeated(a.Facts.Slice):
		return nil, ofRows("a unit (log.unit) owns several")
	case math.IsInf(rho, 1):
		return nil, NotApplicable{"A1", fmt.Sprintf("ρ of %s is infinite", a.Ledger.Name())}
	case a.Protocol.Experiment.Stopping == schemas.StoppingReleased:
		return nil, stoppedByReleases()
	}
	return maxinfo.Information(up(float64(a.Facts.Pub.Rounds) * rho)), NotApplicable{}
}

// approximated is the correction of (ε, δ)-differential privacy, with the ε of
// the mechanism at the claimed δ.
func (a *Accounts) approximated(kind Kind) (maxinfo.Correction, NotApplicable) {
	if kind == BatchBlocks {
		return nil, ofRows(byBatches)
	}
	eps, against := a.EpsilonAtDelta()
	if against.Stands() {
		return nil, against
	}
	return maxinfo.ApproximateDP(eps, *a.Protocol.Privacy.Delta, a.Facts.Pub.Rounds), NotApplicable{}
}

// EpsilonAtDelta is the ε of the mechanism at the claimed δ for one round's
// reward, or why there is none.
func (a *Accounts) EpsilonAtDelta() (eps float64, against NotApplicable) {
	p := a.Protocol.Privacy
	switch {
	case p == nil || p.Definition != schemas.DefinitionApproximate || p.Delta == nil:
		return 0, NotApplicable{"A1", "this form needs a claim of (ε, δ) (privacy: {definition: approximate, delta: ...})"}
	case publiclog.Repeated(a.Facts.Slice):
		return 0, ofRows("a unit (log.unit) owns several")
	}
	eps = min(a.Ledger.Epsilon().Up(), ledger.Approximate(ledger.Concentrated(a.Ledger), *p.Delta))
	if math.IsInf(eps, 1) {
		return 0, NotApplicable{"A1", fmt.Sprintf("ε of %s at δ = %g is infinite", a.Ledger.Name(), *p.Delta)}
	}
	return eps, NotApplicable{}
}

// up is the next larger number: what bounds from above is rounded up.
func up(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
