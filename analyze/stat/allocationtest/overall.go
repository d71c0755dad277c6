package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// overallRoom is the least relative room that the joint evidence leaves: it rests
// on sums of ln p and 1/p over all rounds, in which what a program is off by adds
// up, round by round, to certainty.
const overallRoom = 1.01

// overall accumulates joint evidence against the logged action's propensities
// p_t. For any probability q_t of the actions that is fixed before the round,
// Π q_t(A_t)/p_t is a non-negative supermartingale, whatever the propensities of
// the other arms. Two kinds of q_t are used, with equal weights: the running
// shares of the arms (Krichevsky & Trofimov 1981, doi 10.1109/TIT.1981.1056331),
//
//	ln Γ(K/2)/Γ(T+K/2) + Σ_a ln Γ(N_a+½)/Γ(½) − Σ_t ln p_t
//
// which finds arms that were played with other constant shares than logged, and
// (1−λ)·p_t + λ/K, a wager that the mean of 1/p_t is above the number K of arms.
// In both p_t is the upper end of what was logged, and one per cent larger at least.
type overall struct {
	rounds int64
	logs   float64 // Σ ln p
	rest   float64 // product of the p that are not yet in logs
	even   *wager
}

func newOverall() *overall { return &overall{rest: 1, even: newWager()} }

// add takes up a round; arms is how many arms could be played, p the propensity, upper its
// upper end.
func (o *overall) add(arms int, p, upper float64) {
	const small = 1e-150
	p = max(float64(overallRoom*p), upper)
	if p < small { // a product of two could be 0
		o.logs += math.Log(p)
	} else if o.rest *= p; o.rest < small {
		o.logs += math.Log(o.rest)
		o.rest = 1
	}
	o.rounds++
	o.even.add(1 / (p * float64(arms)))
}

func (o *overall) merge(p *overall) {
	o.rounds += p.rounds
	o.logs += p.logs + math.Log(p.rest)
	o.even.merge(p.even)
}

// logE returns the logarithm of the evidence.
func (o *overall) logE(pulls []int64) float64 {
	k, t := float64(len(pulls)), float64(o.rounds)
	shares := logGamma(k/2) - logGamma(t+float64(k/2))
	for _, n := range pulls {
		shares += logGamma(float64(n)+0.5) - logGamma(0.5)
	}
	shares -= o.logs + math.Log(o.rest)
	return tail.LogMeanExp([]float64{shares, o.even.logE(o.rounds, 1)})
}

func logGamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}
