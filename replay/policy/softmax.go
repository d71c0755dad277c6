package policy

import (
	"math"
	"math/rand/v2"

	"banditaudit/schemas/param"
)

var _ Policy = (*Softmax)(nil)

// Softmax plays eligible arm i with probability
//
//	π_i = exp(η·S_i) / Σ_j exp(η·S_j),   j over the eligible arms,
//
// where S_i is the released sum of arm i's rewards, rescaled to [0,1], noise
// included; 0 before the first. It is the exponential mechanism of McSherry and
// Talwar (FOCS 2007) on sums. In floating point the weight of an arm is
//
//	exp(η ⊗ (S_i ⊖ max S_j)),   the maximum over the eligible arms,
//
// with the exponential of exp.go, so that no weight overflows and the largest is
// 1; an arm whose weight underflows is never played. Every round takes one word
// (see categorical).
type Softmax struct {
	eta     float64
	src     rand.Source
	weights []float64
	ready   bool // weights are those of all arms and of the sums as they are
}

// NewSoftmax returns the policy over k ≥ 1 arms with a finite η > 0 that draws
// from src.
func NewSoftmax(k int, eta float64, src rand.Source) *Softmax {
	return &Softmax{eta: eta, src: src, weights: make([]float64, k)}
}

// Select draws one arm.
func (p *Softmax) Select(s *State) int { return categorical(p.src, s, p.weigh(s)) }

// Observe has the weights computed again.
func (p *Softmax) Observe(*State, int) { p.ready = false }

// Propensities writes π_i.
func (p *Softmax) Propensities(s *State, dst []float64) { normalise(s, p.weigh(s), dst) }

func (p *Softmax) weigh(s *State) []float64 {
	all := len(s.Eligible) == 0
	if all && p.ready {
		return p.weights
	}
	largest := math.Inf(-1)
	for i, sum := range s.Sums {
		if sum > largest && s.CanPlay(i) {
			largest = sum
		}
	}
	for i, sum := range s.Sums {
		p.weights[i] = 0
		if s.CanPlay(i) {
			p.weights[i] = exp(float64(p.eta * (sum - largest)))
		}
	}
	p.ready = all
	return p.weights
}

// Random returns true.
func (*Softmax) Random() bool { return true }

// ReadsRewards returns true.
func (*Softmax) ReadsRewards() bool { return true }

func describeSoftmax() Descriptor {
	const eta = "eta"
	return Descriptor{
		Policy: param.Policy{
			Name: "softmax", Doc: "arm i with probability proportional to exp(η·S_i)", Reads: param.Sums,
			Keys: []param.Key{{
				Name: eta, Needed: true, Form: param.Above0(), Doc: "how much a larger sum of rewards raises the probability of an arm",
				Why: "plays arm i with a probability proportional to exp(η·S_i)", Mend: "add eta: NUMBER",
			}},
		},
		Vanishes: true, Opposed: true, Unbounded: anyReward,
		Loss:  func(v param.Values, _ int) *Loss { return &Loss{Nats: v.Literal(eta)} },
		Start: func(Scene) map[string]string { return map[string]string{eta: "0.1"} },
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			return func(d Draws) Policy { return NewSoftmax(b.Arms, v.Float(eta), d.Choice) }
		},
		Refits: []Refit{{Key: eta, Words: "η is %s and not %s", Curves: temperedCurve}},
		Shown:  []Variant{{Keys: "eta: 0.01", Text: "arm i with probability proportional to exp(η·S_i), η = 0.01"}},
	}
}

// mostTempering bounds the η that is tried over the declared one.
const mostTempering = 1000

// temperedCurve is π_i^c/Σ π_j^c, which is softmax with the η that is c times the
// declared one.
func temperedCurve(v param.Values) []Curve {
	eta := v.Float("eta")
	return []Curve{{
		Tried: "another η", Declared: &eta, Shown: "%s", Settles: "policy.eta: %s",
		Most: func(int64) float64 { return mostTempering * eta },
		At:   func(s *State, from []float64, x float64, dst []float64) { temper(s, from, x/eta, dst) },
		Turn: func(s *State, from []float64, arm int) float64 { return float64(sharpest(s, from, arm) * eta) },
	}}
}

// temper writes π_i^c/Σ π_j^c for the eligible arms, 0 for the others.
func temper(s *State, pi []float64, c float64, dst []float64) {
	most, sum := 0.0, 0.0
	for a, p := range pi {
		if s.CanPlay(a) {
			most = max(most, p)
		}
	}
	for a, p := range pi {
		dst[a] = 0
		if s.CanPlay(a) && (p > 0 || c == 0) {
			dst[a] = math.Pow(p/most, c)
			sum += dst[a]
		}
	}
	for a := range dst {
		dst[a] /= sum
	}
}

// sharpest returns the c in [0, mostTempering] at which π^c gives an arm the largest
// propensity. It rises as long as ln π is above its mean under π^c, and that mean
// grows with c.
func sharpest(s *State, pi []float64, arm int) float64 {
	own := pi[arm]
	rises := func(c float64) bool {
		sum, mean := 0.0, 0.0
		for a, p := range pi {
			if s.CanPlay(a) && p > 0 {
				gap := math.Log(p / own)
				w := math.Exp(float64(c * gap))
				sum, mean = sum+w, mean+float64(w*gap)
			}
		}
		return mean < 0 && !math.IsInf(sum, 0)
	}
	switch {
	case own <= 0 || !rises(0):
		return 0
	case rises(mostTempering):
		return mostTempering
	}
	lo, hi := 0.0, float64(mostTempering)
	for {
		mid := lo + float64(0.5*(hi-lo))
		switch {
		case !(mid > lo && mid < hi):
			return lo
		case rises(mid):
			lo = mid
		default:
			hi = mid
		}
	}
}
