package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Information returns the correction by mutual information, for policies whose
// noise has no pointwise bound (concentrated differential privacy),
//
//	p_corr = sup{ q : kl(q‖p) ≤ I },  kl(q‖p) = q·ln(q/p) + (1−q)·ln((1−q)/(1−p))
//
// with I ≥ 0 nats between the rows and the actions, a number fixed before the
// data: for a policy whose round t costs ρ_t, I ≤ Σ_t ρ_t over ALL rounds, with
// each ρ_t a supremum over paths (Bun & Steinke 2016, arXiv 1605.02065). It is
// the best that follows from I alone, by data processing; it holds on average
// over the actions, not given them. Source: own derivation, internally
// reviewed. Special cases are:
//
//	I = 0: Apply(p) = p, Level(α) = α
//	I = +Inf: Apply(p) = 1, Level(α) = 0 for α < 1
//	I below 0 or NaN: Apply and Level are NaN
//	Apply(0) = 0, Apply(1) = 1, Level(0) = 0, Level(1) = 1
//	Level(α) = 0 where I/α is beyond the largest number
func Information(nats float64) Correction { return information{nats} }

type information struct{ nats float64 }

// Name returns what it is, in words.
func (information) Name() string { return "mutual information, averaged over the actions" }

// Apply returns ln p_corr, rounded up.
func (i information) Apply(logP float64) float64 {
	if q, done := plain(logP, i.nats); done {
		return q
	}
	if -logP <= i.nats { // kl(1‖p) = ln(1/p)
		return 0
	}
	_, hi := halved(logP, 0, func(mid float64) bool { return i.within(mid, logP) })
	return hi
}

// Level returns the ln of the largest raw level that Apply takes to α, rounded
// down.
func (i information) Level(logAlpha float64) float64 {
	if g, done := plainLevel(logAlpha, i.nats); done {
		return g
	}
	// kl(α‖p) ≥ α·ln(1/p) − ln 2.
	lo, hi := logAlpha-float64(2*(i.nats+1)*bitexact.Exp(-logAlpha)), logAlpha
	if math.IsInf(lo, -1) {
		return lo
	}
	lo, _ = halved(lo, hi, func(mid float64) bool { return !i.within(logAlpha, mid) })
	return settled(downward(lo), logAlpha, i.Apply)
}

// within reports kl(q‖p) ≤ I, and where rounding leaves it open too. q is at
// least p.
func (i information) within(logQ, logP float64) bool {
	q, rest := bitexact.Exp(logQ), -math.Expm1(logQ)
	kl, size := float64(q*(logQ-logP)), -float64(q*(logQ+logP))
	if rest > 0 {
		l, r := log1mExp(logQ), log1mExp(logP)
		kl += float64(rest * (l - r))
		size -= float64(rest * (l + r))
	}
	return kl-float64(slack*size) <= i.nats
}

// halved closes in on where below, true at lo and false at hi, turns.
func halved(lo, hi float64, below func(mid float64) bool) (left, right float64) {
	for range 200 {
		mid := 0.5 * (lo + hi)
		if mid == lo || mid == hi {
			break
		}
		if below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, hi
}
