package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Theorem20 corrects p by Theorem 20 at the β that is best for this p,
//
//	p_corr = inf_{0<β≤1} ( β + e^{k_β}·p )
//
// with k_β from [MaxInformation]: ε is the ε of the declared mechanism and n the number of
// rounds. Optimising β is allowed, because P(p ≤ x) ≤ β + e^{k_β}·x holds for every β at
// once. The objective is convex in β, so its only stationary point is found by halving ln
// β. Special cases are:
//
//	ε = 0 or n = 0 gives p itself at β = 0 and 0 bits
//	p = 1, or ε = +Inf with n > 0, gives p_corr = 1 with Beta NaN
//	p_corr ≥ 1 at every β gives p_corr = 1 with the β of the search
//	p = 0 gives p_corr = 0 at β = 0 with infinite bits
//	LogP = NaN if logP > 0, ε < 0, n < 0 or an argument is NaN
func Theorem20(logP, eps float64, n int64) Approximate {
	switch {
	case !(logP <= 0) || !(eps >= 0) || n < 0:
		return Approximate{LogP: math.NaN(), Beta: math.NaN(), Nats: math.NaN(), Bits: math.NaN()}
	case eps == 0 || n == 0:
		return Approximate{LogP: logP}
	case logP == 0 || math.IsInf(eps, 1):
		return Approximate{Beta: math.NaN(), Nats: math.Inf(1), Bits: math.Inf(1)}
	case math.IsInf(logP, -1):
		return Approximate{LogP: logP, Nats: math.Inf(1), Bits: math.Inf(1)}
	}
	logBeta := stationary(logP+min(0, halfLogSlope(eps, n))-100, func(b float64) float64 {
		return b - logP - informationAt(eps, n, b) - halfLogSlope(eps, n) + float64(0.5*math.Log(math.Ln2-b))
	})
	nats := informationAt(eps, n, logBeta)
	return Approximate{
		LogP: max(logP, min(0, logAddExp(logBeta, nats+logP))),
		Beta: bitexact.Exp(logBeta), Nats: nats, Bits: nats * math.Log2E,
	}
}

// Theorem20Gamma returns the raw level that gives the corrected level α at the
// β that is best for this α,
//
//	γ(α) = sup_{0<β<α} (α − β)·e^{−k_β}
//
// It is the inverse of [Theorem20] where that is below 1. Special cases are:
//
//	ε = 0 or n = 0 gives α itself at β = 0
//	ε = +Inf with n > 0 gives LogP = -Inf with Beta NaN
//	α = 0 gives LogP = -Inf with Beta 0
//	LogP = NaN if logAlpha > 0, ε < 0, n < 0 or an argument is NaN
func Theorem20Gamma(logAlpha, eps float64, n int64) Approximate {
	switch {
	case !(logAlpha <= 0) || !(eps >= 0) || n < 0:
		return Approximate{LogP: math.NaN(), Beta: math.NaN(), Nats: math.NaN(), Bits: math.NaN()}
	case eps == 0 || n == 0:
		return Approximate{LogP: logAlpha}
	case math.IsInf(eps, 1):
		return Approximate{LogP: math.Inf(-1), Beta: math.NaN(), Nats: math.Inf(1), Bits: math.Inf(1)}
	case math.IsInf(logAlpha, -1):
		return Approximate{LogP: logAlpha, Nats: math.Inf(1), Bits: math.Inf(1)}
	}
	// d/dβ ln((α−β)e^{−k}) = 0: β = (α−β)·slope/√ln(2/β).
	logBeta := stationary(logAlpha+min(0, halfLogSlope(eps, n))-100, func(b float64) float64 {
		gap := logAlpha + math.Log(-math.Expm1(b-logAlpha))
		return b - gap - halfLogSlope(eps, n) + float64(0.5*math.Log(math.Ln2-b))
	})
	nats := informationAt(eps, n, logBeta)
	return Approximate{
		LogP: logAlpha + math.Log(-math.Expm1(logBeta-logAlpha)) - nats,
		Beta: bitexact.Exp(logBeta), Nats: nats, Bits: nats * math.Log2E,
	}
}

// halfLogSlope returns ln( ε·√(n/2)/2 ): −dk/dβ = e^halfLogSlope/(β·√ln(2/β)).
func halfLogSlope(eps float64, n int64) float64 {
	return math.Log(eps) + float64(0.5*math.Log(float64(n)/2)) - math.Ln2
}

// stationary returns the root in [lo, 0] of a function of ln β that is negative
// below the root and positive or NaN above it, or the end next to it.
func stationary(lo float64, g func(logBeta float64) float64) float64 {
	hi := 0.0
	for range 200 {
		mid := float64(0.5 * (lo + hi))
		if mid == lo || mid == hi {
			break
		}
		if g(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
