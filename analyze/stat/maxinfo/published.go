package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Theorem is the published route, averaged over the actions: a [Correction]
// that also says at which β it was reached.
type Theorem struct {
	eps   float64
	n     int64
	beta  float64
	fixed bool
}

// Published returns the correction by Theorem 20 of Dwork et al. 2015
// (arXiv 1506.02629) at the β that is best for each p-value, for n independent
// rounds and an ε of the whole run; see [Theorem20] and [Theorem20Gamma]. It
// holds on average over the actions, not given them. Special cases are:
//
//	ε = 0 or n = 0: Apply(p) = p, Level(α) = α
//	ε = +Inf with n > 0: Apply(p) = 1, Level(α) = 0 for α < 1
//	ε < 0, n < 0 or ε NaN: Apply and Level are NaN
//	Apply(0) = 0, Apply(1) = 1, Level(0) = 0, Level(1) = 1
func Published(eps float64, n int64) Theorem { return Theorem{eps: eps, n: n} }

// PublishedAt is [Published] at one β in (0, 1] that was fixed before the data
// were seen; see [Theorem20At] and [Theorem20GammaAt]. Special cases are, beside
// the special cases of Published:
//
//	Apply(0) = β: with β fixed nothing smaller can come out
//	ε = 0 or n = 0: Apply(p) = min(1, β + p)
//	Level(α) = 0 for α ≤ β, and for β = 0 where ε, n > 0
//	β outside [0, 1] or NaN: Apply and Level are NaN
func PublishedAt(eps float64, n int64, beta float64) Theorem {
	return Theorem{eps: eps, n: n, beta: beta, fixed: true}
}

// Name returns which form it is.
func (t Theorem) Name() string {
	if t.fixed {
		return "Theorem 20 of Dwork et al. 2015 at a given β, averaged over the actions"
	}
	return "Theorem 20 of Dwork et al. 2015 at the best β, averaged over the actions"
}

// At returns what the theorem says of p-value e^logP, with the β used and the
// approximate max-information there; its LogP is not rounded up.
func (t Theorem) At(logP float64) Approximate {
	if t.fixed {
		return Theorem20At(logP, t.eps, t.n, t.beta)
	}
	return Theorem20(logP, t.eps, t.n)
}

// Apply returns ln p_corr, rounded up.
func (t Theorem) Apply(logP float64) float64 {
	if !(logP <= 0) {
		return math.NaN()
	}
	if !t.fixed && (t.eps == 0 || t.n == 0) {
		return t.At(logP).LogP
	}
	r := t.At(logP)
	share := bitexact.Exp(min(0, r.Nats+logP-r.LogP)) // of e^k·p in p_corr, the rest is β
	return min(0, r.LogP+t.margin(r, share))
}

// Level returns the ln of the largest raw level γ with Apply(γ) ≤ α, rounded
// down.
func (t Theorem) Level(logAlpha float64) float64 {
	var r Approximate
	if t.fixed {
		r = Theorem20GammaAt(logAlpha, t.eps, t.n, t.beta)
	} else {
		r = Theorem20Gamma(logAlpha, t.eps, t.n)
	}
	switch {
	case logAlpha == 0 && !math.IsNaN(r.LogP):
		return 0
	case math.IsNaN(r.LogP) || math.IsInf(r.LogP, -1):
		return r.LogP
	case !t.fixed && (t.eps == 0 || t.n == 0):
		return logAlpha
	}
	return settled(r.LogP-t.margin(r, 1), logAlpha, t.Apply)
}

// margin is what the sums that led to r may have lost; those in the exponent
// count by the given share.
func (Theorem) margin(r Approximate, share float64) float64 {
	lost := math.Abs(r.LogP)
	if share > 0 {
		lost += float64(share * (math.Abs(r.LogP) + 2*r.Nats))
	}
	if math.IsInf(lost, 1) || math.IsNaN(lost) {
		return 0
	}
	return float64(slack * lost)
}
