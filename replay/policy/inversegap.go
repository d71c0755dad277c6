package policy

import (
	"math"
	"math/rand/v2"
	"strconv"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

var _ Policy = (*InverseGap)(nil)

// InverseGap plays by State.Scores, numbers of the round that somebody else has made. With
// b the eligible arm of the largest score, eligible arm i ≠ b of m has the probability
//
//	p_i = 1/(m + γ_t·(s_b − s_i)),
//
// and b has what is left to 1: Abe and Long (ICML 1999); SquareCB of Foster and Rakhlin
// (ICML 2020) and FALCON of Simchi-Levi and Xu (2021). Every p_i is at most 1/m, so that b
// has 1/m at least. γ_t is a number, or scale·n^exponent of a clock that shows n; 0 where
// n < 1. In floating point
//
//	p_i = 1 ⊘ (m ⊕ γ_t ⊗ (s_b ⊖ s_i)),  p_b = max(0, 1 ⊖ Σ p_i)
//
// summed in index order, with n^exponent = √n of the exponent ½ and otherwise
// Exp(exponent ⊗ Ln(n)) of package scalar. Which of equal arms is b, its ties say, and
// where they are drawn the propensity of each of n is ((n − 1) ⊘ m ⊕ p_b) ⊘ n. Every round
// takes one word (see categorical), beside the one of drawn ties. It reads no sums: the
// scores may.
type InverseGap struct {
	gamma Gamma
	turn  bool // the smallest score is the best
	ties  ties
	src   rand.Source

	scores, probs []float64
}

// Gamma is the γ of InverseGap: Scale, or Scale·n^Exponent of what the clock shows where
// Grows. Scale is finite and not negative, Exponent from 0 to 1.
type Gamma struct {
	Scale, Exponent float64
	Grows           bool
	Clock           Clock
}

// at returns γ in the round of s.
func (g *Gamma) at(s *State) float64 {
	if !g.Grows {
		return g.Scale
	}
	n := float64(g.Clock.at(s))
	switch {
	case n < 1:
		return 0
	case g.Exponent == 0.5:
		return float64(g.Scale * math.Sqrt(n))
	}
	return float64(g.Scale * bitexact.Exp(float64(g.Exponent*bitexact.Ln(n))))
}

// NewInverseGap returns the policy over k ≥ 1 arms; turn says that the smallest score is
// the best.
func NewInverseGap(k int, gamma Gamma, turn bool, d Draws) *InverseGap {
	return &InverseGap{gamma: gamma, turn: turn, ties: ties{src: d.Ties}, src: d.Choice, scores: make([]float64, k), probs: make([]float64, k)}
}

// Select draws one arm.
func (p *InverseGap) Select(s *State) int {
	p.turned(s)
	p.rule(s, p.ties.argmax(s, p.scores))
	return categorical(p.src, s, p.probs)
}

// Observe does nothing.
func (*InverseGap) Observe(*State, int) {}

// Propensities writes p_i.
func (p *InverseGap) Propensities(s *State, dst []float64) {
	p.turned(s)
	first, n := largest(s, p.scores)
	if p.ties.src == nil {
		first = p.ties.foremost(s, p.scores, first, n)
	}
	p.rule(s, first)
	copy(dst, p.probs)
	if p.ties.src == nil || n == 1 {
		return
	}
	each := (float64(n-1)/float64(eligible(s)) + p.probs[first]) / float64(n)
	for i, score := range p.scores {
		if s.CanPlay(i) && score == p.scores[first] {
			dst[i] = each
		}
	}
}

// turned writes the scores of the round, the larger the better; 0 where there are none,
// of which a run makes an error.
func (p *InverseGap) turned(s *State) {
	clear(p.scores)
	copy(p.scores, s.Scores)
	if p.turn {
		for i, score := range p.scores {
			p.scores[i] = -score
		}
	}
}

// rule writes the probabilities where best is played by what is left.
func (p *InverseGap) rule(s *State, best int) {
	gamma, m := p.gamma.at(s), float64(eligible(s))
	for i, score := range p.scores {
		p.probs[i] = 0
		if s.CanPlay(i) && i != best {
			p.probs[i] = 1 / (m + float64(gamma*(p.scores[best]-score)))
		}
	}
	sum := 0.0
	for _, q := range p.probs {
		sum += q
	}
	p.probs[best] = max(0, 1-sum)
}

// Random returns true.
func (*InverseGap) Random() bool { return true }

// ReadsRewards returns false: what the scores were made of is not the policy's to say.
func (*InverseGap) ReadsRewards() bool { return false }

// The keys of inverse-gap.
const (
	scaleKey    = "scale"
	exponentKey = "exponent"
	minimiseKey = "minimise"
)

func describeInverseGap() Descriptor {
	return Descriptor{
		Policy: param.Policy{
			Name: "inverse-gap", Doc: "arm i with probability 1/(m + γ·gap) of its logged score to the best, which has the rest", Reads: param.Nothing,
			Keys: inverseGapKeys(), Scores: true, Compares: true, Defaults: withGamma,
		},
		NoFloor: true, Unbounded: anyReward,
		Start: func(Scene) map[string]string { return map[string]string{gammaKey: "20"} },
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			return func(d Draws) Policy {
				p := NewInverseGap(b.Arms, declaredGamma(v), v.Flag(minimiseKey), d)
				p.ties.place = b.Places
				return p
			}
		},
		Tunable:  []Refit{{Key: gammaKey, Words: "γ is %s and not %s", Curves: gapCurves}},
		Variants: []Variant{{Keys: "gamma: 20", Text: "arm i with probability 1/(m + γ·gap), γ = 20, of scores that are logged"}},
	}
}

func inverseGapKeys() []param.Key {
	clock := clockKeys()
	clock[0] = param.Key{Name: clockKey, Doc: "what is counted: the round that is decided, or the plays before it", Form: param.Word{Words: []string{ClockRound, ClockPlays}}, Near: func(v param.Values) []param.Values {
		return words(v, clockKey, v.Word(clockKey), ClockRound, ClockPlays)
	}}
	return []param.Key{
		{
			Name: gammaKey, Needed: true, Doc: gammaDoc,
			Why: "plays arm i with probability 1/(m + γ·gap)", Mend: "add gamma: NUMBER, or gamma: {scale: 10, exponent: 0.5, clock: plays} for 10·√n",
			Form: param.Either{
				Number: param.Number{Hi: extreme, Mend: "write a number from 0 on, in the units of the scores"},
				Group: param.Group{Keys: append([]param.Key{
					{Name: scaleKey, Needed: true, Doc: "γ over n^exponent", Form: param.Number{Hi: extreme}},
					{Name: exponentKey, Doc: "power of what the clock shows, n", Form: param.Probability()},
				}, clock...), Whole: wholeGamma},
				Want: "a number, or a mapping of scale, exponent and clock", Mend: "write gamma: 20, or gamma: {scale: 10, exponent: 0.5, clock: plays}",
			},
		},
		{
			Name: minimiseKey, Doc: "whether the smallest score is the best", Form: param.Flag{},
			Near: func(v param.Values) []param.Values { return []param.Values{v.With(minimiseKey, !v.Flag(minimiseKey))} },
		},
	}
}

// wholeGamma judges whether a γ that grows says from what.
func wholeGamma(j param.Judge, path string, v param.Values) bool {
	if v.Has(scaleKey) {
		return true
	}
	j.Fail(path+"."+scaleKey, "is missing", "γ is scale·n^exponent", "add scale: NUMBER")
	return false
}

// withGamma declares the exponent and the clock of a γ that grows, and which score is best.
func withGamma(v param.Values) param.Values {
	if !v.Has(minimiseKey) {
		v = v.With(minimiseKey, false)
	}
	g := v.Group(gammaKey)
	if g == nil {
		return v
	}
	if !g.Has(exponentKey) {
		g = g.With(exponentKey, 0.5)
	}
	return v.With(gammaKey, withClock(g))
}

func declaredGamma(v param.Values) Gamma {
	g := withGamma(v).Group(gammaKey)
	if g == nil {
		return Gamma{Scale: v.Float(gammaKey)}
	}
	return Gamma{Scale: g.Float(scaleKey), Exponent: g.Float(exponentKey), Grows: true, Clock: declaredClock(g)}
}

// mostGamma bounds the γ that is tried over the declared one.
const mostGamma = 1000

// gapCurves is another γ, or another scale of one that grows: γ·gap = 1/p − m of all arms
// but the best.
func gapCurves(v param.Values) []Curve {
	g := declaredGamma(v)
	if g.Scale == 0 {
		return nil
	}
	shown, settles := "%s", "policy.gamma: %s"
	if g.Grows {
		shown, settles = "%s·n^"+strconv.FormatFloat(g.Exponent, 'g', -1, 64), "policy.gamma.scale: %s"
	}
	return []Curve{{
		Tried: "another γ", Declared: &g.Scale, Variants: shown, Settles: settles,
		Most: func(int64) float64 { return mostGamma * g.Scale },
		At: func(s *State, from []float64, x float64, dst []float64) {
			best, _ := largest(s, from)
			m, sum := float64(eligible(s)), 0.0
			for a, p := range from {
				dst[a] = 0
				if s.CanPlay(a) && a != best && p > 0 {
					dst[a] = 1 / (m + float64(x/g.Scale*max(0, 1/p-m)))
					sum += dst[a]
				}
			}
			dst[best] = 1 - sum
		},
	}}
}
