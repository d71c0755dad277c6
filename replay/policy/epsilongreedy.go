package policy

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

var _ Indexed = (*EpsilonGreedy)(nil)

// Explore is the probability ε_t with which epsilon-greedy explores, x being what the
// clock shows, the round t where none is declared. It is cut to [0, 1]:
//
//	constant     ε
//	decay        c ⊘ x
//	exponential  from ⊗ exp(−(d ⊗ x))
//	harmonic     to ⊕ (from ⊖ to) ⊘ (1 ⊕ l ⊗ x)
//	linear       from ⊕ (to ⊖ from) ⊗ min(1, (t − 1) ⊘ rounds), by the rounds before t
//
// with the exponential of package scalar.
type Explore struct {
	Constant    float64 // in [0,1]
	Decay       float64 // c > 0; 0: not of this form
	Exponential float64 // d > 0
	Harmonic    float64 // l > 0
	Rounds      float64 // > 0: linear
	From, To    float64 // in [0,1]
	Clock       Clock
}

// at returns ε_t.
func (e *Explore) at(s *State) float64 {
	x := float64(e.Clock.at(s))
	switch {
	case e.Decay > 0 && x <= 0:
		return 1
	case e.Decay > 0:
		return math.Min(1, e.Decay/x)
	case e.Exponential > 0:
		return chanceOf(float64(e.From * bitexact.Exp(-float64(e.Exponential*x))))
	case e.Harmonic > 0:
		return chanceOf(e.To + (e.From-e.To)/(1+float64(e.Harmonic*x)))
	case e.Rounds > 0:
		return chanceOf(e.From + float64((e.To-e.From)*math.Min(1, float64(s.Round-1)/e.Rounds)))
	}
	return e.Constant
}

// chanceOf cuts a number to [0, 1].
func chanceOf(x float64) float64 { return math.Max(0, math.Min(1, x)) }

// never reports whether it is 0 in every round.
func (e *Explore) never() bool {
	return e.Constant == 0 && e.Decay == 0 && e.From == 0 && e.To == 0
}

// EpsilonGreedy explores with probability ε_t: each of the m eligible arms is
// then played with probability 1/m. Otherwise it plays the eligible arm with the
// largest mean S_i ⊘ N_i of its released sum, noise included; an eligible arm
// without released rows comes before all others, unless the policy begins otherwise
// (see Start). Of equal means the first arm wins, in the policy's own order, or where ties
// are drawn each with the same probability. So, with the share g_i of arm i
// in the greedy choice,
//
//	P(i) = ε_t/m + (1 − ε_t)·g_i
//
// (Auer, Cesa-Bianchi and Fischer 2002 for decaying ε_t). Every round takes two
// words of its own stream: it explores when ⌊first/2¹¹⌋·2⁻⁵³ < ε_t, and then
// plays eligible arm number ⌊second·m/2⁶⁴⌋ in index order, whose probability
// differs from 1/m by less than 2⁻⁶⁴. The stream of seeded ties gives one word
// in every round. None of this depends on what the words decide.
type EpsilonGreedy struct {
	explore Explore
	src     rand.Source
	ties    ties
	means   []float64
	drawn   bool // the last choice was one of exploring
}

// NewEpsilonGreedy returns the policy over k ≥ 1 arms. The exploration must
// have passed Check of param.Policy.
func NewEpsilonGreedy(k int, e Explore, d Draws) *EpsilonGreedy {
	return &EpsilonGreedy{explore: e, src: d.Choice, ties: ties{src: d.Ties}, means: make([]float64, k)}
}

// begin says how ties are broken and how the policy begins, before its first round.
func (p *EpsilonGreedy) begin(t ties) {
	p.ties = t
	for i := range p.means {
		p.means[i], _ = t.start.mean(0, 0)
	}
}

// Select draws whether to explore, and plays.
func (p *EpsilonGreedy) Select(s *State) int {
	p.drawn = bitexact.Unit(p.src) < p.explore.at(s)
	n, _ := bits.Mul64(p.src.Uint64(), uint64(eligible(s))) //nolint:gosec // it counts arms
	greedy := p.ties.choose(s, p.means)
	if p.drawn {
		return nth(s, int(n)) //nolint:gosec // it is below the number of arms
	}
	return greedy
}

// Observe recomputes arm's mean.
func (p *EpsilonGreedy) Observe(s *State, arm int) {
	p.means[arm], _ = p.ties.start.mean(s.Sums[arm], s.Pulls[arm])
}

// Propensities writes ε_t/m + (1 − ε_t)·g_i for the eligible arms.
func (p *EpsilonGreedy) Propensities(s *State, dst []float64) {
	p.ties.chances(s, p.means, dst)
	p.mix(s, dst)
}

// Indices returns the means of all arms; nil where an eligible arm has no rows.
func (p *EpsilonGreedy) Indices(s *State) []float64 {
	if p.ties.start.waits() && unseen(s, nil) >= 0 {
		return nil
	}
	return p.means
}

// Explored reports whether the last Select explored.
func (p *EpsilonGreedy) Explored() bool { return p.drawn }

// Shares writes ε_t/m + (1 − ε_t)/w for the w winners among m eligible arms, and
// ε_t/m for the others.
func (p *EpsilonGreedy) Shares(s *State, winners []int, dst []float64) {
	split(winners, dst)
	p.mix(s, dst)
}

// mix turns the shares of the greedy choice in dst into propensities.
func (p *EpsilonGreedy) mix(s *State, dst []float64) {
	e := p.explore.at(s)
	each := e / float64(eligible(s))
	for i, g := range dst {
		if s.CanPlay(i) {
			dst[i] = each + float64((1-e)*g)
		}
	}
}

// Random returns true.
func (*EpsilonGreedy) Random() bool { return true }

// ReadsRewards returns true.
func (*EpsilonGreedy) ReadsRewards() bool { return true }

func describeEpsilonGreedy() Descriptor {
	return Descriptor{
		Policy: param.Policy{
			Name: "epsilon-greedy", Doc: "a random arm with a declared probability, else the largest mean; before it an arm without a known reward, of several the one that was played least", Reads: param.Sums, Compares: true, Indexed: true,
			Keys:     append(exploreKeys(), startKeys(StartInOrder, StartAny, StartRandom, StartNone)...),
			Whole:    checkStart,
			Defaults: func(v param.Values) param.Values { return withStart(withExploration(v), StartInOrder) },
		},
		Randomized: func(v param.Values) bool { e := exploration(v); return !e.never() },
		Unbounded:  anyReward,
		Loss:       explorationLoss,
		Falls:      Waits,
		AnyArm:     func(v param.Values) bool { return exploration(v).Decay > 0 || leastExploration(v).Sign() > 0 },
		Start:      func(Scene) map[string]string { return map[string]string{exploreKey: "0.1"} },
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			explore, rule := exploration(v), declaredRule(v, b, StartInOrder)
			return func(d Draws) Policy {
				p := NewEpsilonGreedy(b.Arms, explore, d)
				p.begin(rule.with(d))
				return p
			}
		},
		Tunable: []Refit{{
			Key: exploreKey, Words: "epsilon-greedy explores with ε = %s, and declared is %s", Curves: explorationCurves,
			Base: func(v param.Values) param.Values { return v.With(exploreKey, 0.0) },
		}},
		Variants: []Variant{
			{Keys: "explore: 0.1", Text: "a random arm with probability 0.1, else the largest mean"},
			{Name: "epsilon-greedy, decaying", Keys: "explore: {decay: 50}", Text: "a random arm with probability min(1, 50/t), else the largest mean"},
		},
	}
}

// explorationLoss is ln(1 + K(1−ε)/ε) for an ε_t of at least ε: the arm of the greedy
// choice has the probability 1 − ε_t + ε_t/K at most, and any arm has ε_t/K at least, and a
// larger ε_t gives away less. Under decay it is the loss of min(1, c/t), which is no more
// than ε_t where the clock does not run ahead of t. Neither a clock, nor a start, nor how
// ties are broken reads more of a row than the indices do. nil for an ε_t that falls to 0,
// or faster than c/t.
func explorationLoss(v param.Values, k int) *Loss {
	e := exploration(v)
	if e.Decay > 0 {
		if k > 0 && e.Clock.behind() {
			return &Loss{Decay: e.Decay}
		}
		return nil
	}
	r := leastExploration(v)
	if r.Sign() <= 0 || k == 0 && r.Cmp(big.NewRat(1, 1)) != 0 {
		return nil
	}
	excess := new(big.Rat).Sub(big.NewRat(1, 1), r)
	excess.Mul(excess, big.NewRat(int64(k), 1))
	return &Loss{Excess: excess.Quo(excess, r)}
}

// leastExploration is what no ε_t is below: the constant, or the smaller end of a harmonic
// or linear one; 0 of an exponential one.
func leastExploration(v param.Values) *big.Rat {
	v = withExploration(v)
	ends := func(a, b float64) *big.Rat { return param.Literal(math.Min(a, b)) }
	switch g := v.Group(exploreKey); {
	case g.Has(harmonicKey):
		return ends(g.Float(fromKey), g.Float(toKey))
	case g.Has(linearKey):
		return ends(g.Numbers(linearKey)[0], g.Numbers(linearKey)[1])
	case g != nil:
		return new(big.Rat)
	}
	return v.Literal(exploreKey)
}

// explorationCurves are another constant, and another decay c of min(1, c/t), from the
// propensities of the greedy choice: p = ε/m + (1 − ε)·g.
func explorationCurves(v param.Values) []Curve {
	curve := func(e func(round int64, x float64) float64) func(s *State, from []float64, x float64, dst []float64) {
		return func(s *State, from []float64, x float64, dst []float64) {
			chance := e(s.Round, x)
			each := chance / float64(eligible(s))
			for a, g := range from {
				if dst[a] = 0; s.CanPlay(a) {
					dst[a] = each + float64((1-chance)*g)
				}
			}
		}
	}
	return []Curve{{
		Tried: "another constant exploration ε", Declared: v.Number(exploreKey), Variants: "%s", Settles: "policy.explore: %s",
		Most: func(int64) float64 { return 1 },
		At:   curve(func(_ int64, x float64) float64 { return min(1, x) }),
	}, {
		Tried: "another decaying exploration ε", Declared: v.Group(exploreKey).Number("decay"), Variants: "min(1, %s/t)", Settles: "policy.explore: {decay: %s}",
		Most: func(round int64) float64 { return float64(round) },
		At:   curve(func(round int64, x float64) float64 { return min(1, x/float64(round)) }),
	}}
}
