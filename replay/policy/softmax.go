package policy

import (
	"cmp"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
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
// with the exponential of package scalar, so that no weight overflows and the largest is
// 1; an arm whose weight underflows is never played. Every round takes one word
// (see categorical).
//
// Of means it is exp(η·m_i), with m_i = S_i ⊘ (N_i ⊕ Shrink) of N_i released rows, and that
// of the start where there are none; η is then 1/τ of a temperature τ (Sutton and Barto
// 2018, 2.8). Where the start has arms without rows come before others, these are played
// first (see Start); the policy's own word is taken all the same.
type Softmax struct {
	eta     float64
	means   bool    // weights are of means, not of sums
	shrink  float64 // rows of reward 0 beside an arm's own rows, of means
	start   Start
	values  []float64 // means, where they are asked for
	src     rand.Source
	weights []float64
	ready   bool // weights are up to date: of all arms, by the present sums
}

// NewSoftmax returns the policy over k ≥ 1 arms with a finite η > 0 that draws
// from src.
func NewSoftmax(k int, eta float64, src rand.Source) *Softmax {
	return &Softmax{eta: eta, src: src, weights: make([]float64, k), start: Start{Word: StartNone}}
}

// begin says that weights are of means, shrunk by shrink rows of reward 0, and how the
// policy begins, before its first round.
func (p *Softmax) begin(means bool, shrink float64, start Start) {
	p.means, p.shrink, p.start = means, shrink, start
	p.values = make([]float64, len(p.weights))
}

// Select draws one arm.
func (p *Softmax) Select(s *State) int {
	arm := categorical(p.src, s, p.weigh(s))
	if first := p.start.next(s); first >= 0 {
		return first
	}
	return arm
}

// Observe has the weights computed again.
func (p *Softmax) Observe(*State, int) { p.ready = false }

// Propensities writes π_i.
func (p *Softmax) Propensities(s *State, dst []float64) {
	if !p.start.chances(s, dst) {
		normalise(s, p.weigh(s), dst)
	}
}

// of returns what the weights are of, of every arm.
func (p *Softmax) of(s *State) []float64 {
	if !p.means {
		return s.Sums
	}
	for i, n := range s.Pulls {
		p.values[i] = p.start.Mean
		if n > 0 {
			p.values[i] = s.Sums[i] / (float64(n) + p.shrink)
		}
	}
	return p.values
}

func (p *Softmax) weigh(s *State) []float64 {
	all := len(s.Eligible) == 0
	if all && p.ready {
		return p.weights
	}
	largest, values := math.Inf(-1), p.of(s)
	for i, sum := range values {
		if sum > largest && s.CanPlay(i) {
			largest = sum
		}
	}
	for i, sum := range values {
		p.weights[i] = 0
		if s.CanPlay(i) {
			p.weights[i] = bitexact.Exp(float64(p.eta * (sum - largest)))
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
	return Descriptor{
		Policy: param.Policy{
			Name: "softmax", Doc: "arm i with probability proportional to exp(η·S_i), or to exp(η·S_i/N_i) of means", Reads: param.Sums,
			Keys: softmaxKeys(), Whole: wholeSoftmax, Defaults: withSoftmax,
		},
		NoFloor: true, CrossArmEffect: true, Unbounded: anyReward,
		AnyArm: func(v param.Values) bool {
			begins := declaredStart(v, StartNone)
			return !begins.waits()
		},
		Loss:  func(v param.Values, _ int) *Loss { return &Loss{Nats: exactEta(v)} },
		Start: func(Scene) map[string]string { return map[string]string{etaKey: "0.1"} },
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			eta, _ := exactEta(v).Float64()
			means, start := v.Word(ofKey) == ofMeans || cooled(v), declaredStart(v, StartNone)
			start.place = b.Order
			return func(d Draws) Policy {
				p, mine := NewSoftmax(b.Arms, eta, d.Choice), start
				mine.src = d.Start
				p.begin(means, v.Float(shrinkKey), mine)
				return p
			}
		},
		Tunable:  []Refit{{Key: etaKey, Words: "η is %s and not %s", Curves: temperedCurve}},
		Variants: []Variant{{Keys: "eta: 0.01", Text: "arm i with probability proportional to exp(η·S_i), η = 0.01"}},
	}
}

// mostTempering bounds the η that is tried over the declared one.
const mostTempering = 1000

// temperedCurve is π_i^c/Σ π_j^c, which is softmax with the η that is c times the
// declared one.
func temperedCurve(v param.Values) []Curve {
	eta, _ := exactEta(v).Float64()
	return []Curve{{
		Tried: "another η", Declared: &eta, Variants: "%s", Settles: "policy.eta: %s",
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
			dst[a] = bitexact.Pow(p/most, c)
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
				w := bitexact.Exp(float64(c * gap))
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

// The keys of softmax.
const (
	etaKey         = "eta"
	temperatureKey = "temperature"
	tauKey         = "tau"
	ofKey          = "of"
	ofSums         = "sums"
	ofMeans        = "means"
	shrinkKey      = "shrink"
)

// softmaxKeys are the keys of softmax.
func softmaxKeys() []param.Key {
	start := openingKey()
	if form, ok := start.Form.(param.Choice); ok {
		form.Words = []string{StartNone, StartInOrder, StartRandom}
		start.Form = form
		start.Near = func(v param.Values) []param.Values {
			if v.Group(startKey) != nil {
				return nil
			}
			return words(maps.Clone(v), startKey, cmp.Or(v.Word(startKey), StartNone), form.Words...)
		}
	}
	return []param.Key{
		{
			Name: etaKey, Needed: true, Form: param.Above0(), Doc: "how much a larger sum, or mean, of rewards raises the probability of an arm",
			Why: "plays arm i with a probability proportional to exp(η·S_i)", Mend: "add eta: NUMBER",
			Unless: cooled,
			Near:   func(v param.Values) []param.Values { return renamed(v, etaKey, temperatureKey) },
		},
		{Name: temperatureKey, Form: param.Above0(), Doc: "τ of exp(mean/τ): 1/eta, of means", Near: func(v param.Values) []param.Values { return renamed(v, temperatureKey, etaKey) }},
		{Name: tauKey, Form: param.Above0(), Doc: "temperature by another name", Near: func(v param.Values) []param.Values { return renamed(v, tauKey, etaKey) }},
		{Name: ofKey, Form: param.Word{Words: []string{ofSums, ofMeans}}, Doc: "what eta multiplies: sums of rewards, or means", Near: nearSums},
		{Name: shrinkKey, Form: param.Between(0, 1e9), Doc: "rows of reward 0 beside those of an arm, of means", Near: nearShrinking},
		start,
		startKeys()[1],
	}
}

// renamed returns the values with the number of a key moved to another key, both of means.
func renamed(v param.Values, key, other string) []param.Values {
	if !v.Has(key) {
		return nil
	}
	out := v.With(other, v.Float(key)).With(ofKey, ofMeans)
	delete(out, key)
	return []param.Values{out}
}

// nearSums are weights of means where they are of sums, and the other way around.
func nearSums(v param.Values) []param.Values {
	switch {
	case cooled(v):
		return nil
	case v.Word(ofKey) != ofMeans:
		return []param.Values{v.With(ofKey, ofMeans)}
	}
	out := v.With(ofKey, ofSums)
	delete(out, unseenKey) // they are of means
	delete(out, shrinkKey)
	return []param.Values{out}
}

// nearShrinking returns values with one row of reward 0 beside the rows of an arm, or with
// none.
func nearShrinking(v param.Values) []param.Values {
	if v.Word(ofKey) != ofMeans && !cooled(v) {
		return []param.Values{v.With(ofKey, ofMeans).With(shrinkKey, 1.0)}
	}
	return []param.Values{v.With(shrinkKey, float64(b2i(v.Float(shrinkKey) == 0)))}
}

// cooled reports whether a temperature is declared.
func cooled(v param.Values) bool { return v.Has(temperatureKey) || v.Has(tauKey) }

// wholeSoftmax judges which keys of softmax stand together.
func wholeSoftmax(j param.Judge, v param.Values) {
	checkStart(j, v)
	switch {
	case v.Has(temperatureKey) && v.Has(tauKey):
		j.Fail("policy."+tauKey, "stands beside policy."+temperatureKey, "they are two names of one number", "delete one of the two")
	case cooled(v) && v.Word(ofKey) == ofSums:
		j.Fail("policy."+ofKey, `is "sums"`, "a temperature is of means", "write of: means, or eta in place of the temperature")
	case v.Word(ofKey) == ofMeans || cooled(v):
	case v.Has(shrinkKey):
		j.Fail("policy."+shrinkKey, "is declared", "it shrinks means, and weights are of sums", "add of: means, or delete the key")
	case v.Has(unseenKey):
		j.Fail("policy."+unseenKey, "is declared", "the sum of no rewards is 0, and weights are of sums", "add of: means, or delete the key")
	}
}

// withSoftmax declares what eta multiplies, and the start, where they are not declared.
func withSoftmax(v param.Values) param.Values {
	if !v.Has(ofKey) {
		word := ofSums
		if cooled(v) {
			word = ofMeans
		}
		v = v.With(ofKey, word)
	}
	if v.Word(ofKey) == ofMeans {
		return withStart(v, StartNone)
	}
	if !v.Has(startKey) {
		v = v.With(startKey, StartNone)
	}
	return v
}

// exactEta is η as it is declared, or 1/τ. It bounds what one decision gives away: one
// reward of [0, 1] moves one sum by at most 1, and one mean by at most 1/(N_i + shrink) ≤ 1,
// and where one exponent moves by x, no probability of softmax moves by a factor beyond
// e^{±x}.
func exactEta(v param.Values) *big.Rat {
	for _, key := range []string{temperatureKey, tauKey} {
		if v.Has(key) {
			return new(big.Rat).Inv(v.Literal(key))
		}
	}
	return v.Literal(etaKey)
}
