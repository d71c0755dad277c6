package policy

import (
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
)

// BetaPrior is the prior of an arm's mean reward, Beta(Alpha, Beta); each is
// from 10⁻³ to 10⁹.
type BetaPrior struct{ Alpha, Beta float64 }

var _ Policy = (*BetaThompson)(nil)

// BetaThompson is Thompson sampling for rewards of 0 and 1 (Thompson 1933;
// Chapelle and Li, NeurIPS 2011): it draws a mean for every arm from its
// posterior and plays the arm whose draw is largest,
//
//	θ_i ~ Beta(α + S_i, β + N_i − S_i),
//
// with N_i rows in arm i's released sum and S_i that sum for rewards rescaled to
// [0,1], noise included and clamped to [0, N_i]: what is done to a released sum
// costs no privacy. Sums need not be whole.
//
// In every round each eligible arm, in index order, takes a draw of
// ln(θ/(1−θ)) from the stream (see bitexact.BetaLogit), also where only one arm is
// eligible; arms that are not eligible take nothing. The largest is played, of
// equal ones the first. Where it is declared the second largest is as likely (see contest).
//
// Propensities are P(θ_i is the largest), or what contest makes of it, by a quadrature that draws nothing
// (see argmaxprob.Beta), within 10⁻⁹ + 10⁻⁷·p of the truth and with the same bits on every
// architecture, for up to 10⁹ rows. An arm whose mass above some other arm is
// below 2·10⁻¹¹ may have the propensity 0.
type BetaThompson struct {
	tabled

	prior  BetaPrior
	src    rand.Source
	a, b   []float64 // of the posteriors
	theta  []float64 // logits drawn in the round
	rule   contest
	memory remembered
}

// NewBetaThompson returns the policy over k ≥ 1 arms that draws from src. The
// prior must have passed Check of param.Policy.
func NewBetaThompson(k int, prior BetaPrior, src rand.Source) *BetaThompson {
	p := &BetaThompson{prior: prior, src: src, a: make([]float64, k), b: make([]float64, k), theta: make([]float64, k)}
	for i := range p.a {
		p.a[i], p.b[i] = prior.Alpha, prior.Beta
	}
	return p
}

// Select draws a mean for every eligible arm and plays by these (see contest).
func (p *BetaThompson) Select(s *State) int {
	for i := range p.theta {
		if s.CanPlay(i) {
			p.theta[i] = bitexact.BetaLogit(p.src, p.a[i], p.b[i])
		}
	}
	return p.rule.choose(p.src, s, p.theta)
}

// Observe takes up arm's posterior.
func (p *BetaThompson) Observe(s *State, arm int) {
	for i, to := p.rule.takes(s, arm); i < to; i++ {
		p.take(s, i)
	}
}

func (p *BetaThompson) take(s *State, arm int) {
	n := float64(s.Pulls[arm])
	sum := min(max(s.Sums[arm], 0), n)
	p.a[arm], p.b[arm] = p.prior.Alpha+sum, p.prior.Beta+(n-sum)
	p.memory.forget()
}

// Propensities writes the probability that each arm is played. After one arm's update what
// the tables have of that arm is computed again, and the integrals.
func (p *BetaThompson) Propensities(s *State, dst []float64) {
	if !p.memory.recall(s, dst) {
		p.betas(len(dst), p.rule.top).Best(p.a, p.b, s.Eligible, dst)
		p.memory.keep(s, dst)
	}
}

// Random returns true.
func (*BetaThompson) Random() bool { return true }

// ReadsRewards returns true.
func (*BetaThompson) ReadsRewards() bool { return true }
