package plan

import (
	"math"
	"strconv"

	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/tail"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// point returns what follows from ε and the number of rounds alone.
func (q *Question) point(eps float64) documents.PlanPoint {
	sigma, logP, logAlpha := sigmaOf(eps, q.Rounds), math.Log(q.P), math.Log(q.Alpha)
	corrected := bitexact.Exp(maxinfo.Corrected(logP, sigma))
	return documents.PlanPoint{
		Epsilon: eps, Sigma: sigma,
		BiasBound:       float64(q.width() * bias.Row(eps)),
		BiasBoundPaper:  schemas.Extended(q.width() * bias.Paper(eps)),
		PCorrected:      corrected,
		PCorrectedPaper: bitexact.Exp(maxinfo.Theorem20(logP, eps, q.Rounds).LogP),
		Inflation:       corrected / q.P,
		Z:               twoSided(maxinfo.GammaLog(logAlpha, sigma)),
		ZPaper:          schemas.Finite(twoSided(maxinfo.Theorem20Gamma(logAlpha, eps, q.Rounds).LogP)),
	}
}

// sigmaOf returns ε·√T/2, the σ of a test which reads all T rows, each of cost ε.
func sigmaOf(eps float64, rounds int64) float64 { return float64(eps * math.Sqrt(float64(rounds)) / 2) }

// twoSided returns the z beyond which a two-sided normal p is at most e^logP.
func twoSided(logP float64) float64 { return tail.NormalQuantile(logP - math.Ln2) }

// biasLimit returns the ε at which the bias bound is b, on the scale of rewards,
//
//	ε = 4·artanh(b/(hi − lo))
//
// and +Inf where b is the range or more.
func (q *Question) biasLimit(b float64) float64 {
	if b >= q.width() {
		return math.Inf(1)
	}
	return 4 * math.Atanh(b/q.width())
}

// inflationLimit returns the ε at which p_corr is f times p,
//
//	ε = 2σ/√T,  σ = √(2·ln(1/p)) − √(2·ln(1/(f·p)))
//
// and +Inf where f·p is 1 or more, which no p_corr exceeds.
func (q *Question) inflationLimit(f float64) float64 {
	if float64(f*q.P) >= 1 {
		return math.Inf(1)
	}
	// The difference of the roots as a quotient, which does not cancel.
	a, b := math.Sqrt(-2*math.Log(q.P)), math.Sqrt(-2*math.Log(float64(f*q.P)))
	sigma := 2 * math.Log(f) / (a + b)
	return 2 * sigma / math.Sqrt(float64(q.Rounds))
}

// limitDigits is the precision of an ε that a wish leads to.
const limitDigits = 4

// below writes the largest number of few digits, and of at most 8 decimals,
// which is what counters take, that is not above v; "" where that is 0 or v is
// infinite.
func below(v float64) string {
	if !(v > 0) || math.IsInf(v, 1) {
		return ""
	}
	decimals := min(8, limitDigits-1-int(math.Floor(math.Log10(v))))
	scale := bitexact.Pow(10, float64(decimals))
	n := math.Floor(v * scale)
	for n > 0 && n/scale > v {
		n--
	}
	if n <= 0 {
		return ""
	}
	return strconv.FormatFloat(n/scale, 'f', -1, 64)
}
