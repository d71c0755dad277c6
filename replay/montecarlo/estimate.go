package montecarlo

import (
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// Estimate is how many draws shares look like.
//
//	N̂ = ν/(ΣQ − R), from [χ²_{ν,.025}, χ²_{ν,.975}]/(ΣQ − R)
//
// R = Στ²/(3p) is about what rounding to decimals adds to ΣQ (Sheppard). That holds
// where shares of N draws spread over more than a decimal. Where R is more than a
// quarter of ΣQ the decimals hide how many draws there were: N̂ and its upper end are
// +Inf, and the lower end is χ²_{ν,.025} over the larger of ΣQ and 4R.
type Estimate struct {
	N, Low, High float64 // of 95 %; N is +Inf where the shares are their law
	Degrees      int     // ν over all updates
	Sum          float64 // ΣQ
	Rounding     float64 // R
}

// hidden is the part of ΣQ that rounding may have for N to be estimated.
const hidden = 0.25

// estimateOf returns the estimate of ν degrees of freedom.
//
// Special cases are:
//
//	ν = 0: NaN
func estimateOf(degrees int, sum, rounding float64) Estimate {
	e := Estimate{Degrees: degrees, Sum: sum, Rounding: rounding, N: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if degrees == 0 {
		return e
	}
	half := float64(degrees) / 2
	if rounding > float64(hidden*sum) {
		e.N, e.High = math.Inf(1), math.Inf(1)
		e.Low = 2 * gammaQuantile(half, .025) / max(sum, rounding/hidden)
		return e
	}
	e.N = float64(degrees) / (sum - rounding)
	e.Low = 2 * gammaQuantile(half, .025) / (sum - rounding)
	e.High = 2 * gammaQuantile(half, .975) / (sum - rounding)
	return e
}

// Plain is ν/ΣQ: the number of draws with rounding taken for chance, by which the
// other laws are scored.
func (e *Estimate) Plain() float64 { return float64(e.Degrees) / e.Sum }

// Narrow reports whether the estimate says anything: N̂ ≥ 30, and an interval
// within a factor 4.
func (e *Estimate) Narrow() bool { return e.N >= 30 && e.High <= 4*e.Low }

// chiTail returns P(χ²_d ≥ x).
func chiTail(x float64, d int) float64 { return bitexact.Exp(tail.LogChiSquare(x, float64(d))) }

// gammaQuantile returns x with P(G ≤ x) = p for G that is gamma with a shape and scale 1, and p
// not beside 1.
func gammaQuantile(shape, p float64) float64 {
	ln, far := math.Log(p), 2*shape+1000
	return tail.FirstTrue(far, func(x float64) bool { return tail.LogChiSquareBelow(2*x, 2*shape) >= ln })
}
