package policy

import "banditaudit/replay/policy/bitexact"

var _ Bonus = Paper(0)

// Paper is the confidence relaxation of PrivUCB as Neel and Roth print it
// (2018, appendix), the same for every number of rows:
//
//	γ = K·ln²T·ln(K·T·ln T/δ)/ε
//
// where ε is the ε of the printed algorithm, whose counters run at ε/K each: it is K times
// the ε of an arm's counter, so that γ = ln²T·ln(K·T·ln T/δ)/ε_arm. It is evaluated as
// (L ⊗ L) ⊗ ln(((K ⊗ T) ⊗ L) ⊘ δ) ⊘ ε_arm with L = ln T, from left to right and unfused. It
// is far wider than the noise needs: Quantile covers the same noise with a fraction of it.
type Paper float64

// NewPaper returns γ for k ≥ 1 arms, a horizon T ≥ 2, δ in (0,1) and ε > 0, the ε of each
// arm's counter. At a horizon of 1 ln T is 0, and the formula has no value: CheckBeside of
// param.Policy refuses it.
func NewPaper(k int, horizon int64, delta, epsilon float64) Paper {
	arms, t := float64(k), float64(horizon)
	l := bitexact.Ln(t)
	tail := bitexact.Ln(float64(float64(arms*t)*l) / delta)
	return Paper(float64(float64(l*l)*tail) / epsilon)
}

// Gamma returns γ.
func (p Paper) Gamma(int64) float64 { return float64(p) }
