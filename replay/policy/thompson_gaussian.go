package policy

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay/policy/scalar"
	"banditaudit/replay/policy/winner"
)

// GaussianPrior is the prior of an arm's mean reward, Normal(Mean, Variance),
// for rewards rescaled to [0,1], and the variance Noise that one such reward has
// around its arm's mean. Mean is from −10⁶ to 10⁶, the others are from 10⁻¹² to
// 10¹².
type GaussianPrior struct{ Mean, Variance, Noise float64 }

var _ Policy = (*GaussianThompson)(nil)

// GaussianThompson is Thompson sampling for rewards with normal noise of a
// known variance (Agrawal and Goyal, AISTATS 2013): it draws a mean for every
// arm from its posterior and plays the arm whose draw is largest,
//
//	θ_i ~ Normal(m_i, v_i),  1/v_i = 1/V + N_i/σ²,  m_i = v_i·(m/V + S_i/σ²),
//
// with the prior Normal(m, V), the variance σ² of one reward, N_i rows in arm
// i's released sum and S_i that sum, all for rewards rescaled to [0,1]. S_i is
// clamped to [0, N_i], where the exact sum lies: what is done to a released sum
// costs no privacy. In floating point, with q = V ⊘ σ²,
//
//	m_i = (m ⊕ q ⊗ S_i) ⊘ (1 ⊕ q ⊗ N_i),   √v_i = √(V ⊘ (1 ⊕ q ⊗ N_i)).
//
// In every round each eligible arm, in index order, takes a normal variable z
// from the stream (see scalar.Normal) for θ = m_i ⊕ √v_i ⊗ z, also where only one arm
// is eligible; arms that are not eligible take nothing. The largest is played,
// of equal ones the first.
//
// Propensities are P(θ_i is the largest) by a quadrature that draws nothing
// (see winner.Gaussian), within 10⁻⁹ of the truth and with the same bits on every
// architecture. An arm whose mass above some other arm is below 10⁻¹² may have
// the propensity 0.
type GaussianThompson struct {
	prior    GaussianPrior
	src      rand.Source
	mean, sd []float64
	theta    []float64 // drawn in the round
	best     *winner.Gaussian
	memory   remembered

	unbounded bool // rewards may lie outside the range, and sums outside [0, N]
}

// NewGaussianThompson returns the policy over k ≥ 1 arms that draws from src.
// The prior must have passed Check of param.Policy.
func NewGaussianThompson(k int, prior GaussianPrior, src rand.Source) *GaussianThompson {
	p := &GaussianThompson{
		prior: prior, src: src, mean: make([]float64, k), sd: make([]float64, k),
		theta: make([]float64, k), best: winner.NewGaussian(k),
	}
	for i := range p.mean {
		p.mean[i], p.sd[i] = prior.Mean, math.Sqrt(prior.Variance)
	}
	return p
}

// Select draws a mean for every eligible arm and returns the arm with the
// largest.
func (p *GaussianThompson) Select(s *State) int {
	for i, m := range p.mean {
		if s.CanPlay(i) {
			p.theta[i] = m + float64(p.sd[i]*scalar.Normal(p.src))
		}
	}
	arm, _ := largest(s, p.theta)
	return arm
}

// Observe takes up arm's posterior.
func (p *GaussianThompson) Observe(s *State, arm int) {
	n := float64(s.Pulls[arm])
	sum := s.Sums[arm]
	if !p.unbounded {
		sum = min(max(sum, 0), n)
	}
	q := p.prior.Variance / p.prior.Noise
	weight := 1 + float64(q*n)
	p.mean[arm] = (p.prior.Mean + float64(q*sum)) / weight
	p.sd[arm] = math.Sqrt(p.prior.Variance / weight)
	p.memory.forget()
}

// Propensities writes the probability that each arm's draw is the largest.
func (p *GaussianThompson) Propensities(s *State, dst []float64) {
	if p.memory.recall(s, dst) {
		return
	}
	p.best.Best(p.mean, p.sd, s.Eligible, dst)
	p.memory.keep(s, dst)
}

// Random returns true.
func (*GaussianThompson) Random() bool { return true }

// ReadsRewards returns true.
func (*GaussianThompson) ReadsRewards() bool { return true }
