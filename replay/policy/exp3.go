package policy

import (
	"math"
	"math/big"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

var _ Weighing = (*Exp3)(nil)

// Exp3 plays eligible arm i of m with probability
//
//	p_i = (1 − γ)·w_i/Σ_j w_j + γ/m,   j over the eligible arms,
//
// where w_i = 1 at first, and a reward x of [0, 1] that was earned by playing arm a in a
// round with probability p_a multiplies w_a by exp(γ·(x/p_a)/K), K the number of all arms
// (Auer, Cesa-Bianchi, Freund and Schapire, SIAM J. Comput. 32, 2002, figure 1). p_a comes
// from the rule above in the round that was played, whenever the reward becomes known, and
// also where a start, an opening or a floor chose instead of the rule. In floating point a
// reward x of a round has the weight 1 ⊘ p_a (0 of an arm that was not eligible),
// State.Weighed is S_a ← S_a ⊕ (1 ⊘ p_a) ⊗ x, and
//
//	e_i = exp((γ ⊗ (S_i ⊖ max S_j)) ⊘ K),   the maximum over the eligible arms
//	p_i = (1 ⊖ γ) ⊗ (e_i ⊘ Σ e_j) ⊕ γ ⊘ m,   summed in index order
//
// with the exponential of package scalar, so that no weight overflows. Every round takes
// one word (see categorical). Where the start has arms without rows come before others,
// these are played first (see Start); the policy's own word is taken all the same.
type Exp3 struct {
	gamma float64
	start Start
	src   rand.Source
	probs []float64
	ready bool // probs are up to date: of all arms, by the present weights
}

// NewExp3 returns the policy over k ≥ 1 arms with a γ of (0, 1] that draws from src.
func NewExp3(k int, gamma float64, start Start, src rand.Source) *Exp3 {
	return &Exp3{gamma: gamma, start: start, src: src, probs: make([]float64, k)}
}

// Select draws one arm.
func (p *Exp3) Select(s *State) int {
	arm := categorical(p.src, s, p.rule(s))
	if first := p.start.next(s); first >= 0 {
		return first
	}
	return arm
}

// Observe has the probabilities computed again.
func (p *Exp3) Observe(*State, int) { p.ready = false }

// Propensities writes p_i, or what the start plays.
func (p *Exp3) Propensities(s *State, dst []float64) {
	if !p.start.chances(s, dst) {
		copy(dst, p.rule(s))
	}
}

// Weights writes 1/p_i, and 0 for arms that are not eligible.
func (p *Exp3) Weights(s *State, dst []float64) {
	for i, q := range p.rule(s) {
		dst[i] = 0
		if q > 0 {
			dst[i] = 1 / q
		}
	}
}

// rule returns p_i of every arm, and 0 of those that are not eligible.
func (p *Exp3) rule(s *State) []float64 {
	all := len(s.Eligible) == 0
	if all && p.ready {
		return p.probs
	}
	largest := math.Inf(-1)
	for i, sum := range s.Weighed {
		if sum > largest && s.CanPlay(i) {
			largest = sum
		}
	}
	for i, sum := range s.Weighed {
		p.probs[i] = 0
		if s.CanPlay(i) {
			p.probs[i] = bitexact.Exp(float64(p.gamma*(sum-largest)) / float64(len(p.probs)))
		}
	}
	normalise(s, p.probs, p.probs)
	each := p.gamma / float64(eligible(s))
	for i, share := range p.probs {
		if s.CanPlay(i) {
			p.probs[i] = float64((1-p.gamma)*share) + each
		}
	}
	p.ready = all
	return p.probs
}

// Random returns true.
func (*Exp3) Random() bool { return true }

// ReadsRewards returns true.
func (*Exp3) ReadsRewards() bool { return true }

const (
	gammaKey = "gamma"
	gammaDoc = "of exp3, the part of every choice that is even, and how fast weights grow; of inverse-gap, how rare a gap of scores makes an arm"
)

func describeExp3() Descriptor {
	return Descriptor{
		Policy: param.Policy{
			Name: "exp3", Doc: "arm i with probability (1 − γ)·w_i/Σw + γ/K; a reward x multiplies the weight of its arm by exp(γ·(x/p)/K), p that of the round that was played", Reads: param.Sums,
			Keys:     exp3Keys(),
			Exact:    func(param.Values) string { return gammaKey },
			Defaults: exp3Defaults,
		},
		Unbounded: anyReward,
		Loss:      exp3Loss,
		Start:     func(Scene) map[string]string { return map[string]string{gammaKey: "0.1"} },
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			return func(d Draws) Policy {
				start := declaredStart(v, StartNone)
				start.place, start.src = b.Order, d.Start
				return NewExp3(b.Arms, v.Float(gammaKey), start, d.Choice)
			}
		},
		Variants: []Variant{{Keys: "gamma: 0.1", Text: "arm i with probability (1 − γ)·w_i/Σw + γ/K, γ = 0.1"}},
	}
}

// leastGamma is the smallest γ: 1/p is at most K/γ.
const leastGamma = 1e-12

// exp3Keys are the keys of exp3.
func exp3Keys() []param.Key {
	start, all := openingKey(), []string{StartNone, StartInOrder, StartRandom}
	if form, ok := start.Form.(param.Choice); ok {
		form.Words = all
		start.Form = form
	}
	start.Near = func(v param.Values) []param.Values {
		if now := v.Word(startKey); now != "" {
			return words(v, startKey, now, all...)
		}
		return nil
	}
	return []param.Key{
		{
			Name: gammaKey, Needed: true, Doc: gammaDoc,
			Form: param.Number{Lo: leastGamma, Hi: 1, Mend: "write a number above 0, and at most 1"},
			Why:  "plays arm i with probability (1 − γ)·w_i/Σw + γ/K", Mend: "add gamma: NUMBER",
		},
		start,
	}
}

// exp3Loss is ln(1 + K(1−γ)/γ): the probabilities of a decision lie in [γ/m, 1 − γ + γ/m]
// for m ≤ K arms that can be played, whatever the weights are. nil where K is not known.
func exp3Loss(v param.Values, k int) *Loss {
	gamma := v.Literal(gammaKey)
	if k == 0 {
		return nil
	}
	excess := new(big.Rat).Sub(big.NewRat(1, 1), gamma)
	excess.Mul(excess, big.NewRat(int64(k), 1))
	return &Loss{Excess: excess.Quo(excess, gamma)}
}

// exp3Defaults declares the start where it is not declared: every arm has the weight 1.
func exp3Defaults(v param.Values) param.Values {
	if !v.Has(startKey) {
		return v.With(startKey, StartNone)
	}
	return v
}
