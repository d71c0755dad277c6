package policy

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"banditaudit/schemas/param"
)

var _ Indexed = (*EpsilonGreedy)(nil)

// Explore is the probability ε_t with which epsilon-greedy explores: Constant,
// or where Decay is above 0
//
//	ε_t = min(1, c ⊘ t),   c = Decay,
//
// at round t, counted from 1.
type Explore struct {
	Constant float64 // in [0,1]
	Decay    float64 // > 0; 0: constant
}

// at returns ε_t.
func (e Explore) at(t int64) float64 {
	if e.Decay > 0 {
		return math.Min(1, e.Decay/float64(t))
	}
	return e.Constant
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
	p.drawn = unit(p.src) < p.explore.at(s.Round)
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
	e := p.explore.at(s.Round)
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
			Keys: append([]param.Key{{
				Name: exploreKey, Needed: true, Doc: "probability of a choice at random",
				Why: "explores with a declared probability", Mend: "add explore: 0.1, or explore: {decay: 5} for min(1, 5/t) in round t",
				Form: param.Either{
					Number: param.Probability(),
					Group: param.Group{
						Keys:  []param.Key{{Name: "decay", Doc: "probability of a choice at random in round t, times t", Form: param.Above0()}},
						Whole: wholeExploration,
					},
					Want: "a probability, or {decay: c}", Mend: "write 0.1, or {decay: 5} for min(1, 5/t) in round t",
				},
			}}, startKeys(StartInOrder, StartAny, StartRandom, StartNone)...),
			Whole:    checkStart,
			Defaults: func(v param.Values) param.Values { return withStart(v, StartInOrder) },
		},
		Chance:    func(v param.Values) bool { return exploration(v) != Explore{} },
		Unbounded: anyReward,
		Loss:      explorationLoss,
		Start:     func(Scene) map[string]string { return map[string]string{exploreKey: "0.1"} },
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			explore, rule := exploration(v), declaredRule(v, b, StartInOrder)
			return func(d Draws) Policy {
				p := NewEpsilonGreedy(b.Arms, explore, d)
				p.begin(rule.with(d))
				return p
			}
		},
		Shown: []Variant{
			{Keys: "explore: 0.1", Text: "a random arm with probability 0.1, else the largest mean"},
			{Name: "epsilon-greedy, decaying", Keys: "explore: {decay: 50}", Text: "a random arm with probability min(1, 50/t), else the largest mean"},
		},
	}
}

// exploreKey is the key of the probability of exploring.
const exploreKey = "explore"

// exploration returns the declared probability of exploring.
func exploration(v param.Values) Explore {
	return Explore{Constant: v.Float(exploreKey), Decay: v.Group(exploreKey).Float("decay")}
}

// wholeExploration judges whether a decay is there.
func wholeExploration(j param.Judge, path string, v param.Values) bool {
	if !v.Has("decay") && j.Sound(path) {
		j.Fail(path, "has no decay", "it is a probability, or falls as c/t", "write 0.1, or {decay: 5} for min(1, 5/t) in round t")
	}
	return true
}

// explorationLoss is ln(1 + K(1−ε)/ε) for a constant ε: the arm of the greedy
// choice has the probability 1 − ε + ε/K at most, and any arm has ε/K at least.
func explorationLoss(v param.Values, k int) *Loss {
	e := exploration(v)
	switch {
	case e.Decay > 0 && k > 0:
		return &Loss{Decay: e.Decay}
	case e.Decay == 0 && e.Constant > 0 && (k > 0 || e.Constant == 1):
		r := v.Literal(exploreKey)
		excess := new(big.Rat).Sub(big.NewRat(1, 1), r)
		excess.Mul(excess, big.NewRat(int64(k), 1))
		return &Loss{Excess: excess.Quo(excess, r)}
	}
	return nil
}
