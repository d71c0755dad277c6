package draws

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Estimate is how many draws shares look like.
//
//	N̂ = ν/ΣQ, from [χ²_{ν,.025}, χ²_{ν,.975}]/ΣQ
type Estimate struct {
	N, Low, High float64 // of 95 %; N is +Inf where the shares are their law
	Degrees      int     // ν over all updates
	Sum          float64 // ΣQ
}

// estimateOf returns the estimate of ν degrees of freedom.
//
// Special cases are:
//
//	ν = 0: NaN
func estimateOf(degrees int, sum float64) Estimate {
	e := Estimate{Degrees: degrees, Sum: sum, N: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if degrees == 0 {
		return e
	}
	half := float64(degrees) / 2
	e.N = float64(degrees) / sum
	e.Low = 2 * mathext.GammaIncRegInv(half, .025) / sum
	e.High = 2 * mathext.GammaIncRegInv(half, .975) / sum
	return e
}

// Narrow reports whether the estimate says anything: N̂ ≥ 30, and an interval
// within a factor 4.
func (e *Estimate) Narrow() bool { return e.N >= 30 && e.High <= 4*e.Low }

// chiTail returns P(χ²_d ≥ x).
func chiTail(x float64, d int) float64 { return mathext.GammaIncRegComp(float64(d)/2, x/2) }
