package policy

import (
	"math"
	"math/rand/v2"

	"banditaudit/schemas/param"
)

var _ Policy = (*SuccessiveElimination)(nil)

// SuccessiveElimination plays the active arms in turn and drops an arm for good
// when what it can be worth is less than what another is worth at least (Even-Dar,
// Mannor and Mansour, JMLR 2006). With S_i the released sum of N_i rewards,
// noise included, at round t
//
//	m_i = S_i/N_i,   r_i = √(2·ln(t/δ)/N_i) + Γ_{N_i}/N_i    or, with c, √(c·ln(t)/N_i) + Γ_{N_i}/N_i
//	arm i is dropped when m_i + r_i < max over active j of m_j − r_j
//
// where only arms with released rows drop others or are dropped; an arm without
// them waits for its own rows and holds up nobody. What is dropped is decided at
// the first choice after something was released, with what the width's clock shows then,
// that round's t where it is not declared, for all
// active arms at once, whether or not they are eligible then. The best lower
// bound is never dropped, so an arm stays.
//
// It plays the active, eligible arm that was played least, as far as it has
// learnt; where no eligible arm is active, the eligible arm that was played
// least. Of equals the first, or where ties are seeded each with the same
// probability: the stream gives one word in every round. Given the released sums
// nothing else is drawn.
//
// In floating point r_i = √w ⊗ (1 ⊘ √N_i) ⊕ (Γ ⊘ N_i), with √w as in UCB,
// and m_i = S_i ⊘ N_i. With the counter epochs it is DP-SE (Sajed and Sheffet,
// ICML 2019): active arms are played equally often, so their epochs end together.
type SuccessiveElimination struct {
	width  Width
	bonus  Bonus // nil: none
	ties   ties
	active []bool
	mean   []float64 // S_i/N_i
	root   []float64 // 1/√N_i; 0 before the first row
	gamma  []float64 // Γ/N_i
	scores []float64
	stale  bool // something was released since arms were dropped
}

// NewSuccessiveElimination returns the policy over k ≥ 1 arms; bonus may be
// nil, and seed is nil where of equals the first wins. The width must have
// passed Check of param.Policy.
func NewSuccessiveElimination(k int, w Width, bonus Bonus, seed rand.Source) *SuccessiveElimination {
	p := &SuccessiveElimination{
		width: w, bonus: bonus, ties: ties{src: seed}, active: make([]bool, k),
		mean: make([]float64, k), root: make([]float64, k), gamma: make([]float64, k), scores: make([]float64, k),
	}
	for i := range p.active {
		p.active[i] = true
	}
	return p
}

// Select drops arms and plays one.
func (p *SuccessiveElimination) Select(s *State) int {
	return p.ties.argmax(s, p.rank(s))
}

// Observe recomputes arm's mean and width.
func (p *SuccessiveElimination) Observe(s *State, arm int) {
	if s.Pulls[arm] == 0 {
		return
	}
	n := float64(s.Pulls[arm])
	p.mean[arm], p.root[arm] = s.Sums[arm]/n, 1/math.Sqrt(n)
	if p.bonus != nil {
		p.gamma[arm] = p.bonus.Gamma(s.Pulls[arm]) / n
	}
	p.stale = true
}

// rank drops arms and returns scores: the fewer rounds played the larger, of
// arms that may be chosen, and −∞ for the others.
func (p *SuccessiveElimination) rank(s *State) []float64 {
	if p.stale {
		p.drop(p.width.root(p.width.Clock.at(s)))
		p.stale = false
	}
	among := false // whether an eligible arm is active
	for i, a := range p.active {
		among = among || a && s.CanPlay(i)
	}
	for i, n := range s.Played {
		p.scores[i] = -float64(n)
		if among && !p.active[i] {
			p.scores[i] = math.Inf(-1)
		}
	}
	return p.scores
}

// drop takes out every active arm that another one beats; root is √w.
func (p *SuccessiveElimination) drop(root float64) {
	best := math.Inf(-1)
	for i, a := range p.active {
		if a && p.root[i] > 0 {
			best = math.Max(best, p.mean[i]-p.radius(root, i))
		}
	}
	for i := range p.active {
		if p.root[i] > 0 && p.mean[i]+p.radius(root, i) < best {
			p.active[i] = false
		}
	}
}

func (p *SuccessiveElimination) radius(root float64, arm int) float64 {
	return float64(root*p.root[arm]) + p.gamma[arm]
}

// Propensities writes 1/m for the m arms among which ties decide, one arm where
// they are not seeded, and 0 for the others.
func (p *SuccessiveElimination) Propensities(s *State, dst []float64) {
	p.ties.shares(s, p.rank(s), dst)
}

// Random reports whether ties are seeded.
func (p *SuccessiveElimination) Random() bool { return p.ties.src != nil }

// ReadsRewards returns true.
func (*SuccessiveElimination) ReadsRewards() bool { return true }

func describeSuccessiveElimination() Descriptor {
	return Descriptor{
		Policy: param.Policy{
			Name: "successive-elimination", Doc: "arms in turn, until one is worse than another beyond both confidence widths", Reads: param.Sums, Compares: true,
			Keys: append(indexKeys(), openingKey()), Defaults: withIndex,
		},
		Randomized: never, Start: startIndex, Unbounded: anyReward, Falls: always,
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			width, bonus := declaredIndex(v, b)
			return func(d Draws) Policy {
				p := NewSuccessiveElimination(b.Arms, width, bonus, d.Ties)
				p.ties.place = b.Places
				return p
			}
		},
		Variants: []Variant{{Keys: "width: {c: 0.5}, bonus: quantile", Text: "arms in turn, until one is worse than another beyond both widths √(ln t/(2N)) + Γ/N"}},
	}
}
