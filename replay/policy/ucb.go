package policy

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

var _ Indexed = (*UCB)(nil)

// Width is the confidence width of a mean, with t what its clock shows. Exactly one
// of Delta and C is above 0.
type Width struct {
	Delta float64 // in (0,1): √(2·ln(t/δ)/N_i)
	C     float64 // > 0:      √(c·ln(t)/N_i); c = 2 is UCB1 (Auer, Cesa-Bianchi and Fischer 2002)
	Clock Clock   // Defaults to the round.
	table *roots  // shared by runs; nil: every run computes for itself
}

// root returns √w at t, the width of one row: √(2·ln(t/δ)) or √(c·ln t).
//
// Special cases are:
//
//	0 at t = 0, of which there is no logarithm
func (w Width) root(t int64) float64 {
	switch {
	case t <= 0:
		return 0
	case w.Delta > 0:
		return math.Sqrt(float64(2 * bitexact.Ln(float64(t)/w.Delta)))
	}
	return math.Sqrt(float64(w.C * bitexact.Ln(float64(t))))
}

// Bonus is a public allowance for the noise in released sums.
type Bonus interface {
	// Gamma returns Γ_n ≥ 0 for a released sum of n ≥ 1 rows, on the scale of
	// a sum of rewards in [0,1].
	Gamma(n int64) float64
}

// UCB plays the arm with the largest upper confidence bound. With rewards
// rescaled to [0,1] and S_i the released sum of arm i, noise included, the
// index at round t is
//
//	S_i/N_i + Γ_{N_i}/N_i + √(2·ln(t/δ)/N_i)    or, with c, √(c·ln(t)/N_i)
//
// among the arms that are eligible, where t is what the clock of the width shows: the
// round, the plays before it, the rows that the policy has learned from, each with an
// offset, or a horizon. Where that is 0, and under c where it is 1, the index is the
// mean, with the bonus. An eligible arm without released rows comes
// before all others, unless the policy begins otherwise (see Start); an arm with
// pseudo-rows has them in S_i and N_i, and its bonus is Γ of its released rows over all.
// Of equal indices the first arm wins, in the policy's own order, or where ties are drawn
// each of m with probability 1/m: the stream gives one word in every round, whether it decides
// something or not. In floating point the index is
//
//	(S_i ⊘ N_i) ⊕ (Γ ⊘ N_i)  ⊕  √w ⊗ (1 ⊘ √N_i),   w = 2 ⊗ ln(t ⊘ δ)  or  c ⊗ ln t
//
// evaluated from left to right without fused operations, ⊘ ⊕ ⊗ and √ rounded
// to the nearest float64, and ln by the series in ln.go; without a bonus the
// second term is absent.
//
// With the exact counter and c = 2 this is UCB1; with the hybrid counter it is
// the private UCB of Mishra and Thakurta (UAI 2015) as reprinted by Neel and
// Roth (2018, appendix), with the noise on the sum and not on the mean.
type UCB struct {
	width  Width
	bonus  Bonus // nil: none
	ties   ties
	arms   []ucbArm
	fresh  int       // arms before their first row
	plain  bool      // every arm has rows and ties are not seeded
	scores []float64 // indices of a round that is not decided by first

	// What is known of √w where the clock shows block … block+length−1.
	block, length int64
	widths        []float64 // √w itself; nil outside the width's table
	low, high     float64   // bounds of √w where widths is nil
	last          int       // the arm that was played last where nothing but first or race decided
}

// ucbArm is the part of an arm's index that does not depend on t.
type ucbArm struct {
	mean float64 // S_i/N_i + Γ/N_i; +Inf before the first row
	root float64 // 1/√N_i; 0 before the first row
}

// NewUCB returns the policy over k ≥ 1 arms; bonus may be nil, and seed is nil
// where of equal indices the first wins. The width must have passed Check of param.Policy.
func NewUCB(k int, w Width, bonus Bonus, seed rand.Source) *UCB {
	u := &UCB{
		width: w, bonus: bonus, ties: ties{src: seed}, fresh: k,
		arms: make([]ucbArm, k), scores: make([]float64, k),
	}
	for i := range u.arms {
		u.arms[i].mean = math.Inf(1)
	}
	return u
}

// begin says how ties are broken and how the policy begins, before its first round.
func (u *UCB) begin(t ties) {
	u.ties = t
	if t.start.waits() {
		return
	}
	u.fresh = 0
	for i := range u.arms {
		u.arms[i] = u.index(0, 0)
	}
	u.plain = u.simple()
}

// simple reports whether the first arm wins among equal indices.
func (u *UCB) simple() bool { return u.fresh == 0 && u.ties.src == nil && u.ties.place == nil }

// index returns the part of an index that does not depend on t.
func (u *UCB) index(sum float64, rows int64) ucbArm {
	m, n := u.ties.start.mean(sum, rows)
	if n == 0 {
		return ucbArm{mean: m}
	}
	if u.bonus != nil && rows > 0 {
		m += u.bonus.Gamma(rows) / n
	}
	return ucbArm{mean: m, root: 1 / math.Sqrt(n)}
}

// Select returns an eligible arm with the largest index.
func (u *UCB) Select(s *State) int {
	t := u.width.Clock.at(s)
	at := t - u.block
	if !u.plain || s.Eligible != nil || uint64(at) >= uint64(u.length) { //nolint:gosec // what lies before the block is far behind it
		return u.choose(s)
	}
	if u.widths == nil {
		return u.race(t)
	}
	u.last = first(u.arms, u.widths[at])
	return u.last
}

// choose is Select in any round.
func (u *UCB) choose(s *State) int {
	root := u.rootAt(u.width.Clock.at(s))
	if !u.plain || s.Eligible != nil {
		return u.ties.choose(s, u.indices(root))
	}
	return first(u.arms, root)
}

// first returns the first arm with the largest index, when every arm has rows
// and is eligible: what ties.choose returns, sooner. The processor guesses most
// of the comparisons, because a good arm is played many times in a row, and
// does not wait for the last reward to enter its arm's index; code without
// branches waits, and takes three times as long.
func first(arms []ucbArm, root float64) int {
	best, top := 0, math.Inf(-1)
	for i, a := range arms {
		index := a.mean + float64(root*a.root)
		if index <= top {
			continue
		}
		best, top = i, index
	}
	return best
}

// race returns the same without a logarithm in most rounds. The index of an
// arm, rounded as it is, does not fall when √w grows. So an arm whose index at
// the lower bound of √w is above the indices of all others at the upper bound has the
// largest index at √w too. The arm of the round before is tried first, and where that does
// not do the first arm at the upper bound; where neither does, √w is computed.
func (u *UCB) race(t int64) int {
	if !u.wins(u.last) {
		u.last = first(u.arms, u.high)
		if !u.wins(u.last) {
			u.last = first(u.arms, u.width.root(t))
		}
	}
	return u.last
}

// wins reports whether the bounds of √w decide that arm has the largest index.
func (u *UCB) wins(arm int) bool {
	least := u.arms[arm].mean + float64(u.low*u.arms[arm].root)
	for i, a := range u.arms {
		if a.mean+float64(u.high*a.root) >= least && i != arm {
			return false
		}
	}
	return true
}

// indices returns the indices of all arms.
func (u *UCB) indices(root float64) []float64 {
	for i, a := range u.arms {
		u.scores[i] = a.mean + float64(root*a.root)
	}
	return u.scores
}

// rootAt returns √w of round t, and learns what it can of the rounds after it.
func (u *UCB) rootAt(t int64) float64 {
	if at := t - u.block; at < 0 || at >= u.length {
		u.enter(t)
	}
	if u.widths == nil {
		return u.width.root(t)
	}
	return u.widths[t-u.block]
}

// ahead is the number of rounds for which √w is bounded at a time.
const ahead = 64

// enter finds √w of rounds around t in the table, or bounds it in the rounds
// from t on. ⊘ keeps the order of rounds and √ the order of w, and ln errs by 2 units in
// the last place, so that 8 of them are enough to keep √w within the bounds on both sides.
func (u *UCB) enter(t int64) {
	if u.block, u.widths = u.width.around(t); u.widths != nil {
		u.length = int64(len(u.widths))
		return
	}
	u.block, u.length = t, ahead
	u.low = float64(u.width.root(t) * (1 - 0x1p-49))
	u.high = float64(u.width.root(t+ahead-1) * (1 + 0x1p-49))
}

// Observe recomputes the part of arm's index that does not depend on t. There
// is none before the first released row.
func (u *UCB) Observe(s *State, arm int) {
	if s.Pulls[arm] == 0 {
		return
	}
	if u.fresh > 0 && u.arms[arm].root == 0 {
		u.fresh--
		u.plain = u.simple()
	}
	u.arms[arm] = u.index(s.Sums[arm], s.Pulls[arm])
}

// Propensities writes 1/m for the m arms among which ties decide, one arm where
// they are not seeded, and 0 for the others.
func (u *UCB) Propensities(s *State, dst []float64) {
	u.ties.chances(s, u.indices(u.rootAt(u.width.Clock.at(s))), dst)
}

// Indices returns the indices of all arms; nil where an eligible arm has no rows,
// or one arm is ahead of all.
func (u *UCB) Indices(s *State) []float64 {
	if u.fresh > 0 && unseen(s, nil) >= 0 || s.Eligible == nil && u.leads(u.width.Clock.at(s)) {
		return nil
	}
	return u.indices(u.rootAt(u.width.Clock.at(s)))
}

// leads reports whether what is known of √w in round t puts the arm that was chosen
// last ahead of all others by more than 2⁻¹⁹ of its index.
func (u *UCB) leads(t int64) bool {
	low, high := u.low, u.high
	switch at := t - u.block; {
	case at < 0 || at >= u.length:
		return false
	case u.widths != nil:
		low, high = u.widths[at], u.widths[at]
	}
	least := u.arms[u.last].mean + float64(low*u.arms[u.last].root)
	least -= float64(math.Abs(least) * 0x1p-19)
	for i, a := range u.arms {
		if a.mean+float64(high*a.root) >= least && i != u.last {
			return false
		}
	}
	return true
}

// Explored returns false.
func (*UCB) Explored() bool { return false }

// Shares writes 1/m for the m winners.
func (*UCB) Shares(_ *State, winners []int, dst []float64) { split(winners, dst) }

// Random reports whether ties or the start are drawn: else, given the released sums, the
// choice is determined.
func (u *UCB) Random() bool { return u.ties.drawn() }

// ReadsRewards returns true.
func (*UCB) ReadsRewards() bool { return true }

func describeUCB() Descriptor {
	return Descriptor{
		Policy: param.Policy{
			Name: "ucb", Doc: "the arm with the largest upper confidence bound of its mean; before it an arm without a known reward, of several the one that was played least", Reads: param.Sums, Compares: true, Indexed: true,
			Keys: append(indexKeys(), startKeys(StartInOrder, StartAny, StartRandom, StartNone)...), Whole: checkStart,
			Defaults: func(v param.Values) param.Values { return withStart(withIndex(v), StartInOrder) },
		},
		Randomized: never, Start: startIndex, Unbounded: anyReward, Falls: Waits,
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			width, bonus := declaredIndex(v, b)
			begins := declaredRule(v, b, StartInOrder)
			return func(d Draws) Policy {
				u := NewUCB(b.Arms, width, bonus, d.Ties)
				u.begin(begins.with(d))
				return u
			}
		},
		Variants: []Variant{
			{Name: "ucb, c = 2", Keys: "width: {c: 2}, bonus: quantile", Text: "UCB1: largest mean + √(2 ln t/N), + Γ/N for the noise"},
			{Name: "ucb, δ = 0.05", Keys: "width: {delta: 0.05}, bonus: quantile", Text: "largest mean + √(2 ln(t/δ)/N), + Γ/N for the noise"},
		},
	}
}
