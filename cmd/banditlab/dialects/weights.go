package dialects

import (
	"math"
	"math/rand/v2"
)

// softmax plays arms with probability ∝ exp(value/τ).
type softmax struct {
	arms

	tau    float64
	sums   bool    // values are sums, and not means
	shrink float64 // rows of 0 beside each arm's
	unseen float64 // mean of an arm without rewards
	start  bool    // such arms are drawn first
}

func (s *softmax) chances(int) []float64 {
	if first := s.arms.unseen(); s.start && len(first) > 0 {
		return evenly(len(s.n), first)
	}
	v := make([]float64, len(s.n))
	for i := range v {
		switch {
		case s.sums:
			v[i] = s.sum[i] / s.tau
		case s.n[i] == 0:
			v[i] = s.unseen / s.tau
		default:
			v[i] = s.sum[i] / (s.n[i] + s.shrink) / s.tau
		}
	}
	return gibbs(v)
}

func (s *softmax) choose(t int, r *rand.Rand) int { return pick(r, s.chances(t)) }

// gibbs is exp(v) over its sum.
func gibbs(v []float64) []float64 {
	top, sum, p := math.Inf(-1), 0.0, make([]float64, len(v))
	for _, x := range v {
		top = max(top, x)
	}
	for i, x := range v {
		p[i] = math.Exp(x - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// exp3 keeps weights as products, divided by their sum after each reward.
type exp3 struct {
	arms

	gamma float64
	start bool // each arm is drawn once first
	w     []float64
}

func newExp3(k int, gamma float64, start bool) *exp3 {
	e := &exp3{arms: newArms(k), gamma: gamma, start: start, w: make([]float64, k)}
	for i := range e.w {
		e.w[i] = 1
	}
	return e
}

func (e *exp3) rule() []float64 {
	p, sum, k := make([]float64, len(e.w)), 0.0, float64(len(e.w))
	for _, w := range e.w {
		sum += w
	}
	for i, w := range e.w {
		p[i] = (1-e.gamma)*w/sum + e.gamma/k
	}
	return p
}

func (e *exp3) chances(int) []float64 {
	if first := e.unseen(); e.start && len(first) > 0 {
		return evenly(len(e.w), first)
	}
	return e.rule()
}

func (e *exp3) choose(t int, r *rand.Rand) int { return pick(r, e.chances(t)) }

func (e *exp3) learn(x earned) {
	e.arms.learn(x)
	e.w[x.arm] *= math.Exp(e.gamma * (x.y / x.p) / float64(len(e.w)))
	sum := 0.0
	for _, w := range e.w {
		sum += w
	}
	for i := range e.w {
		e.w[i] /= sum
	}
}

// fixed plays by odds that stand still.
type fixed []float64

func (f fixed) chances(int) []float64          { return f }
func (f fixed) choose(_ int, r *rand.Rand) int { return pick(r, f) }
func (fixed) learn(earned)                     {}
