package hypothesis

import (
	"math"

	"banditaudit/analyze/stat/convex"
	"banditaudit/analyze/stat/moments"
	"banditaudit/replay/policy/bitexact"
)

const betsDifferenceAssumes = "Fixed bets on the rewards of both arms, for the worst of the means that the difference allows: rewards within the declared range, of any law and not necessarily of one law; " +
	"exact at every N, for the difference of the means of the rows' expectations, each over the rounds its arm was played, " + fixedActions + "."

// BettedPair is two arms whose means are compared, A less B.
type BettedPair struct{ A, B Betted }

// BetsDifference tests the difference of two arms' means, A − B, against a value δ.
// Evidence that it is more is
//
//	E_more(δ) = inf_m Σ_{j,k} w_jk · Π_A (1+θ_j·x)/(1+θ_j·(m+δ))^N_A · Π_B (1+θ_k·(1−x))/(1+θ_k·(1−m))^N_B
//	w_jk = 1/(1+|j−k|), divided by their sum;  m in [max(0, −δ), min(1, 1−δ)]
//
// with the bets of [Bets]; evidence that it is less, with the arms exchanged and −δ.
// The infimum's logarithm is rounded down, by 10⁻⁹ + 10⁻¹⁴·(N_A + N_B).
//
//	two-sided: p = min(1, 1/e), e = (E_more + E_less)/2;  greater, less: 1/E of that side
//
// Every summand is, at the true means, at most a product of two martingales of which
// each row moves one, and is convex in (m, δ) in its logarithm: so P(p ≤ α) ≤ α at
// every N, and what is not rejected is an interval (own proof, internally reviewed).
//
// The two means are each over the rounds that their arm was played. Where both
// arms' expectations drift alike, that difference is not 0 though the arms are equal
// in every round.
//
// Special cases are the same as in [Bets], with the differences that the range allows; they
// hold if one arm meets them.
func BetsDifference(p *BettedPair, value float64, alt Alternative, logAlpha float64) Result {
	r := undefined(p.A.N + p.B.N)
	r.Exact, r.Assumes = true, betsDifferenceAssumes
	width := p.A.Hi - p.A.Lo
	for _, arm := range []*Betted{&p.A, &p.B} {
		if fault := arm.fault(); fault != "" {
			r.Warnings = []string{"bets " + fault}
			return r
		}
	}
	switch {
	case p.A.Lo != p.B.Lo || p.A.Hi != p.B.Hi || !(math.Abs(value) <= width) || !(logAlpha <= 0):
		r.Estimate, r.Warnings = p.A.Mean-p.B.Mean, []string{"bets need a value that the declared range of rewards allows and a level of at most 1"}
		return r
	case p.A.N == 0 || p.B.N == 0:
		r.LogP, r.Lo, r.Hi = 0, -width, width
		r.Warnings = []string{"bets: an arm has no rewards, so nothing can be rejected"}
		return r
	}
	j := newJointStakes(p)
	r.Estimate = p.A.Mean - p.B.Mean
	r.Statistic = r.Estimate - value
	r.LogP = min(0, -j.log(alt, value/width))
	inside := min(max(p.A.unit(p.A.Mean)-p.B.unit(p.B.Mean), -1), 1)
	lo, hi := inverted(-1, 1, inside, alt, func(d float64) bool { return j.log(alt, d) < -logAlpha })
	r.Lo, r.Hi = max(lo*width, -width), min(hi*width, width)
	return r
}

// jointStakes are the gains of the bets on two arms.
type jointStakes struct {
	a, b   *stakes
	weight [moments.BetCount][moments.BetCount]float64 // that sum to 1
}

func newJointStakes(p *BettedPair) *jointStakes {
	out := &jointStakes{a: newStakes(&p.A.Bets), b: newStakes(&p.B.Bets)}
	sum := 0.0
	for j := range out.weight {
		for k := range out.weight[j] {
			out.weight[j][k] = 1 / (1 + math.Abs(float64(j-k)))
			sum += out.weight[j][k]
		}
	}
	for j := range out.weight {
		for k := range out.weight[j] {
			out.weight[j][k] /= sum
		}
	}
	return out
}

// log is ln of the evidence against a difference on the side of an alternative.
func (s *jointStakes) log(alt Alternative, d float64) float64 {
	switch alt {
	case Greater:
		return s.more(s.a, s.b, d)
	case Less:
		return s.more(s.b, s.a, -d)
	case TwoSided:
	}
	return logHalf(s.more(s.a, s.b, d), s.more(s.b, s.a, -d))
}

// The logarithm of an infimum that was searched for is rounded down by searched, and
// for what sums over rows lose by perRow for each.
const (
	searched = 1e-9
	perRow   = 1e-14
)

// more returns ln of the evidence that the mean of x exceeds the mean of y by more than d:
// the least over the means that y may have.
func (s *jointStakes) more(x, y *stakes, d float64) float64 {
	_, least := convex.Least(max(0, -d), min(1, 1-d), func(m float64) float64 {
		return s.product(x.fortunes(&x.low, min(m+d, 1)), y.fortunes(&y.high, 1-m))
	})
	return least - searched - float64(perRow*(x.n+y.n))
}

// product is ln Σ_jk w_jk·e^(x_j + y_k).
func (s *jointStakes) product(x, y [moments.BetCount]float64) float64 {
	topX, topY := math.Inf(-1), math.Inf(-1)
	for j := range x {
		topX, topY = max(topX, x[j]), max(topY, y[j])
	}
	for j := range x {
		x[j], y[j] = bitexact.Exp(x[j]-topX), bitexact.Exp(y[j]-topY)
	}
	sum := 0.0
	for j := range x {
		of := 0.0
		for k := range y {
			of += float64(s.weight[j][k] * y[k])
		}
		sum += float64(x[j] * of)
	}
	return topX + topY + math.Log(sum)
}
