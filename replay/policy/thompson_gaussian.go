package policy

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
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
// from the stream (see bitexact.Normal) for θ = m_i ⊕ √v_i ⊗ z, also where only one arm
// is eligible; arms that are not eligible take nothing. The largest is played,
// of equal ones the first; or, where that is declared, one of the largest two (see contest).
//
// σ² may be each arm's own sample variance s² = D_i ⊘ (N_i − 1), D_i = Σ(y − ȳ)² of the rows
// in its sum (State.Spreads): that is q = V ⊘ s², and the prior alone where N_i < 2 or
// s² ≤ 10⁻²⁰⁰.
//
// Propensities are P(θ_i is the largest), or what contest makes of it, by a quadrature that draws nothing
// (see argmaxprob.Gaussian), within 10⁻⁹ + 10⁻⁷·p of the truth and with the same bits on every
// architecture. An arm whose mass above some other arm is below 2·10⁻¹¹ may have
// the propensity 0.
type GaussianThompson struct {
	tabled

	prior    GaussianPrior
	src      rand.Source
	mean, sd []float64
	theta    []float64 // drawn in the round
	rule     contest
	memory   remembered

	sampled   bool // σ² is each arm's own sample variance
	unbounded bool // rewards may lie outside the range, and sums outside [0, N]
}

// NewGaussianThompson returns the policy over k ≥ 1 arms that draws from src.
// The prior must have passed Check of param.Policy.
func NewGaussianThompson(k int, prior GaussianPrior, src rand.Source) *GaussianThompson {
	p := &GaussianThompson{
		prior: prior, src: src, mean: make([]float64, k), sd: make([]float64, k),
		theta: make([]float64, k),
	}
	for i := range p.mean {
		p.mean[i], p.sd[i] = prior.Mean, math.Sqrt(prior.Variance)
	}
	return p
}

// Select draws a mean for every eligible arm and plays by these (see contest).
func (p *GaussianThompson) Select(s *State) int {
	for i, m := range p.mean {
		if s.CanPlay(i) {
			p.theta[i] = m + float64(p.sd[i]*bitexact.Normal(p.src))
		}
	}
	return p.rule.choose(p.src, s, p.theta)
}

// Observe takes up arm's posterior.
func (p *GaussianThompson) Observe(s *State, arm int) {
	for i, to := p.rule.takes(s, arm); i < to; i++ {
		p.take(s, i)
	}
}

func (p *GaussianThompson) take(s *State, arm int) {
	n := float64(s.Pulls[arm])
	sum := s.Sums[arm]
	if !p.unbounded {
		sum = min(max(sum, 0), n)
	}
	noise := p.prior.Noise
	if p.sampled {
		noise = sampleVariance(s, arm)
	}
	q := p.prior.Variance / noise
	weight := 1 + float64(q*n)
	p.mean[arm] = (p.prior.Mean + float64(q*sum)) / weight
	p.sd[arm] = math.Sqrt(p.prior.Variance / weight)
	p.memory.forget()
}

// noScatter is a sample variance below which a sample counts as of equal rewards.
const noScatter = 1e-200

// sampleVariance returns s² of an arm's rewards, +Inf where it has fewer than two or they
// are all equal: they then say nothing.
func sampleVariance(s *State, arm int) float64 {
	n := s.Pulls[arm]
	if n < 2 || !(s.Spreads[arm]/float64(n-1) > noScatter) {
		return math.Inf(1)
	}
	return s.Spreads[arm] / float64(n-1)
}

// Propensities writes the probability that each arm is played.
func (p *GaussianThompson) Propensities(s *State, dst []float64) {
	if !p.memory.recall(s, dst) {
		p.normals(len(dst), p.rule.top).Best(p.mean, p.sd, s.Eligible, dst)
		p.memory.keep(s, dst)
	}
}

// Random returns true.
func (*GaussianThompson) Random() bool { return true }

// ReadsRewards returns true.
func (*GaussianThompson) ReadsRewards() bool { return true }
