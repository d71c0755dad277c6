package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Approximate is what Theorem 20 says at one β.
type Approximate struct {
	LogP float64 // ln of the corrected p-value, or of the raw level γ(α); at most 0
	Beta float64 // the β used, a probability; NaN where none helps
	Nats float64 // k_β, the β-approximate max-information, in nats
	Bits float64 // the same in bits
}

// MaxInformation returns Theorem 20's bound on the β-approximate
// max-information between n independent rows and the output of an ε-
// differentially private algorithm,
//
//	k_β = ε²·n/2 + ε·√(n·ln(2/β)/2) nats, times log2(e) in bits
//
// for ε ≥ 0, n ≥ 0 and β in (0, 1]. Source: Dwork et al. 2015 (arXiv
// 1506.02629), Theorem 20; the logarithm inside the root is natural. Special
// cases are:
//
//	MaxInformation(0, n, β)    = 0, 0
//	MaxInformation(ε, 0, β)    = 0, 0
//	MaxInformation(+Inf, n, β) = +Inf, +Inf for n > 0
//	MaxInformation(ε, n, 0)    = +Inf, +Inf for ε, n > 0
//	MaxInformation(ε, n, β)    = NaN, NaN if ε < 0, n < 0, β is outside [0, 1] or an argument is NaN
func MaxInformation(eps float64, n int64, beta float64) (nats, bits float64) {
	if !(eps >= 0) || n < 0 || !(beta >= 0 && beta <= 1) {
		return math.NaN(), math.NaN()
	}
	nats = informationAt(eps, n, math.Log(beta))
	return nats, nats * math.Log2E
}

// informationAt is MaxInformation in nats at β = e^logBeta.
func informationAt(eps float64, n int64, logBeta float64) float64 {
	if eps == 0 || n == 0 {
		return 0
	}
	rows := float64(n)
	return float64(float64(eps*eps)*rows/2) + float64(eps*math.Sqrt(rows*(math.Ln2-logBeta)/2))
}

// Theorem20At corrects p at one given β,
//
//	p_corr = min(1, β + e^{k_β}·p)
//
// β must have been fixed before the data were seen. Special cases are the same as in
// [MaxInformation], and:
//
//	p_corr = 1 if p = 1 or k_β is infinite
//	LogP   = NaN if logP > 0 or an argument is NaN or outside its domain
func Theorem20At(logP, eps float64, n int64, beta float64) Approximate {
	nats, bits := MaxInformation(eps, n, beta)
	if !(logP <= 0) || math.IsNaN(nats) {
		return Approximate{LogP: math.NaN(), Beta: beta, Nats: nats, Bits: bits}
	}
	if math.IsInf(nats, 1) {
		return Approximate{LogP: 0, Beta: beta, Nats: nats, Bits: bits}
	}
	return Approximate{LogP: min(0, logAddExp(math.Log(beta), nats+logP)), Beta: beta, Nats: nats, Bits: bits}
}

// Theorem20GammaAt returns the raw level that gives the corrected level α at
// one given β,
//
//	γ(α) = max( (α − β)·e^{−k_β}, 0 )
//
// The corollary printed in Neel & Roth 2018 (arXiv 1806.02329) lost the −β.
// Special cases are the same as in [MaxInformation], and:
//
//	LogP = -Inf if β ≥ α or k_β is infinite
//	LogP = NaN if logAlpha > 0 or an argument is NaN or outside its domain
func Theorem20GammaAt(logAlpha, eps float64, n int64, beta float64) Approximate {
	nats, bits := MaxInformation(eps, n, beta)
	r := Approximate{LogP: math.NaN(), Beta: beta, Nats: nats, Bits: bits}
	switch logBeta := math.Log(beta); {
	case !(logAlpha <= 0) || math.IsNaN(nats):
	case logBeta >= logAlpha || math.IsInf(nats, 1):
		r.LogP = math.Inf(-1)
	default:
		r.LogP = logAlpha + math.Log1p(-bitexact.Exp(logBeta-logAlpha)) - nats
	}
	return r
}

// logAddExp returns ln(e^a + e^b).
func logAddExp(a, b float64) float64 {
	hi, lo := max(a, b), min(a, b)
	if math.IsInf(hi, -1) {
		return hi
	}
	return hi + math.Log1p(bitexact.Exp(lo-hi))
}
