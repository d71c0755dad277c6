package hypothesis

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/convex"
	"banditaudit/analyze/stat/moments"
	"banditaudit/replay/policy/bitexact"
)

const betsAssumes = "Sixteen fixed bets on the rewards: rewards within the declared range, of any law and not necessarily of one law, " +
	"each independent of the others or with its expectation given those before it; exact at every N, for the mean of the rows' expectations, " + fixedActions + "."

// Betted is what fixed bets need of an arm: what they gained on its rewards, their
// mean, and the range [Lo, Hi] of every reward, declared and not read off them.
type Betted struct {
	moments.Bets

	Mean   float64
	Lo, Hi float64
}

// Bets tests the mean of bounded rewards against a value by what sixteen fixed
// bets would have won. With rewards rescaled to x in [0,1] and m the value,
//
//	E_low(m)  = (1/16)·Σ_j Π(1 + θ_j·x)/(1 + θ_j·m)^N,   θ_j = e^(2^(j−12)) − 1, j = 0 … 15
//	E_high(m) = (1/16)·Σ_j Π(1 + θ_j·(1−x))/(1 + θ_j·(1−m))^N
//	two-sided: p = min(1, 1/e), e = (E_low + E_high)/2
//	greater:   p = min(1, 1/E_low);  less: p = min(1, 1/E_high)
//
// Where m is the mean of the rewards' expectations, each given the rewards before
// it, ln(1 + θ·m) is at least the mean of the logarithms of 1 + θ times those (it is
// concave), so that E is at most an average of non-negative martingales with mean 1,
// and P(1/E ≤ α) ≤ α by Markov's inequality at every N (own proof, internally
// reviewed; mixtures of constant bets: Orabona & Jun 2021,
// https://arxiv.org/abs/2110.14099). The interval at level 1 − α, α = e^logAlpha,
// holds the values with p > α; e is convex in m and at most 1 at the mean of the
// rewards, so that it is an interval and never empty. Its ends are rounded outwards
// by 10⁻¹² of the range.
//
// Assumes: every reward in [Lo, Hi]; laws in any difference. Valid at every N, for
// the mean of the rows' expectations, for arms fixed in advance, or with the action
// sequence held fixed. Statistic is mean − value; StdErr and DF are NaN. Special
// cases are:
//
//	N = 0: p = 1, interval [Lo, Hi], estimate NaN, with a warning
//	value outside [Lo, Hi], a reward outside it, Lo ≥ Hi, an infinite range, logAlpha > 0, NaN among them: p and interval are NaN, with a warning
func Bets(b *Betted, value float64, alt Alternative, logAlpha float64) Result {
	r := undefined(b.N)
	r.Exact, r.Assumes = true, betsAssumes
	switch fault := b.fault(); {
	case fault != "":
		r.Warnings = []string{"bets " + fault}
		return r
	case !(value >= b.Lo && value <= b.Hi) || !(logAlpha <= 0):
		r.Estimate, r.Warnings = b.Mean, []string{"bets need a value that the declared range of rewards allows and a level of at most 1"}
		return r
	case b.N == 0:
		r.LogP, r.Lo, r.Hi = 0, b.Lo, b.Hi
		r.Warnings = []string{"bets: there are no rewards, so nothing can be rejected"}
		return r
	}
	g := newStakes(&b.Bets)
	r.Estimate, r.Statistic = b.Mean, b.Mean-value
	r.LogP = min(0, -g.log(alt, b.unit(value)))
	lo, hi := inverted(0, 1, b.unit(b.Mean), alt, func(m float64) bool { return g.log(alt, m) < -logAlpha })
	r.Lo, r.Hi = b.scaled(lo), b.scaled(hi)
	return r
}

// fault says what is wrong with the numbers of an arm; "" if nothing is.
func (b *Betted) fault() string {
	switch w := b.Hi - b.Lo; {
	case !(w > 0) || math.IsInf(w, 1):
		return "need a declared range of rewards, finite and with lo < hi"
	case b.Outside > 0:
		return fmt.Sprintf("need all rewards within the declared range, and %d are not", b.Outside)
	}
	return ""
}

// unit rescales a mean to [0,1].
func (b *Betted) unit(y float64) float64 { return min(max((y-b.Lo)/(b.Hi-b.Lo), 0), 1) }

// scaled takes a mean in [0,1] back to the range.
func (b *Betted) scaled(m float64) float64 {
	return min(max(b.Lo+float64((b.Hi-b.Lo)*m), b.Lo), b.Hi)
}

// stakes are the gains of the bets on one arm, against which a mean is held.
type stakes struct {
	n         float64
	low, high [moments.BetCount]float64
	size      [moments.BetCount]float64
}

func newStakes(b *moments.Bets) *stakes {
	s := &stakes{n: float64(b.N), low: b.Low(), high: b.High()}
	for j := range s.size {
		s.size[j] = moments.BetSize(j)
	}
	return s
}

// logLow is ln E_low(m); logHigh is ln E_high(m).
func (s *stakes) logLow(m float64) float64  { return logAverage(s.fortunes(&s.low, m)) }
func (s *stakes) logHigh(m float64) float64 { return logAverage(s.fortunes(&s.high, 1-m)) }

// log is ln of the evidence against m on the side of an alternative.
func (s *stakes) log(alt Alternative, m float64) float64 {
	switch alt {
	case Greater:
		return s.logLow(m)
	case Less:
		return s.logHigh(m)
	case TwoSided:
	}
	return logHalf(s.logLow(m), s.logHigh(m))
}

// fortunes are the logarithms of what each bet has, had every reward cost m.
func (s *stakes) fortunes(gains *[moments.BetCount]float64, m float64) [moments.BetCount]float64 {
	out := *gains
	for j, size := range &s.size {
		out[j] -= float64(s.n * math.Log1p(float64(size*m)))
	}
	return out
}

// logAverage is the logarithm of the average of e^x.
func logAverage(x [moments.BetCount]float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range x {
		top = max(top, v)
	}
	for _, v := range x {
		sum += bitexact.Exp(v - top)
	}
	return top + math.Log(sum/moments.BetCount)
}

// logHalf is the logarithm of the average of e^a and e^b.
func logHalf(a, b float64) float64 {
	top := max(a, b)
	return top + math.Log1p(bitexact.Exp(min(a, b)-top)) - math.Ln2
}

// inverted is the interval around inside, within [from, to], of the values that are
// kept; from and to stand at an open end of a one-sided one. What is kept is an
// interval that has inside in it.
func inverted(from, to, inside float64, alt Alternative, kept func(m float64) bool) (lo, hi float64) {
	lo, hi = from, to
	if alt != Less && !kept(from) {
		lo = max(from, convex.Edge(from, inside, kept)-convex.Outward)
	}
	if alt != Greater && !kept(to) {
		hi = min(to, convex.Edge(to, inside, kept)+convex.Outward)
	}
	return lo, hi
}
