package ledger

import "math"

// Decisions says what single decisions can cost a row that they know of: how
// much replacing its reward moves ln P(the logged action) at most, whatever the
// other rewards are. Decisions are counted from the last: m is the number of
// decisions rounds−m+1, …, rounds.
type Decisions interface {
	// Last returns what the last m of rounds decisions cost together, 0 ≤ m ≤
	// rounds: exact or rounded up, 0 for m = 0, and not less for more decisions.
	Last(m, rounds int64) Loss
	// Up is Last as a float64, not less than it.
	Up(m, rounds int64) float64
	// Rho returns the ρ of zero-concentrated differential privacy of the last m
	// of rounds decisions, rounded up.
	Rho(m, rounds int64) float64
}

// PathLaw is the law of a policy that sees rewards as they are and draws its
// actions. Nothing noisy is released; the draws themselves hide a reward, and
// each decision that knows of it costs its row something more. The cost of row
// τ on the action sequence a is
//
//	c_τ(a) = Σ ℓ_t over the decisions t that could use its reward,
//
// where ℓ_t bounds |ln π_t(a_t|s) − ln π_t(a_t|s')| over all s, s' that differ
// in row τ: ln P(a|s) is the sum of ln π_t(a_t|s) over the decisions, and only
// those terms change. Where Opposed holds, decisions that play the row's arm
// all move it one way and the others all move it the other way, and c_τ is the
// larger of the two sums (own derivation, internally reviewed).
//
// It grows with the number of rounds, so that there is no ε for every length
// of log: Over fixes one. Without that every ε is infinite.
//
// It is about the actions alone. Sums or probabilities of actions that others
// see besides are functions of exact rewards.
type PathLaw struct {
	Pair      string // name of the mechanism
	Decisions Decisions
	Whole     Decisions // what decisions cost somebody all of whose rewards may change; nil: nothing is known
	Opposed   bool
	Rounds    int64 // T; 0: not fixed
	First     int64 // first decision that can use a reward, not before the second; above Rounds: none
}

var (
	_ Law   = (*PathLaw)(nil)
	_ Bound = (*PathLaw)(nil)
)

// Over returns the law for logs of the given number of rounds, in which the policy learns
// before round first, counted from 1, and not between round 1 and that one: of a PathLaw
// its copy with Rounds and First set, of any other law that law.
func Over(law Law, rounds, first int64) Law {
	if p, ok := law.(*PathLaw); ok {
		fixed := *p
		fixed.Rounds, fixed.First = rounds, first
		return &fixed
	}
	return law
}

// used returns the most decisions that can use one reward: those from First on.
func (p *PathLaw) used() int64 { return max(0, p.Rounds-max(p.First, 2)+1) }

// Slack says that every decision is bounded from above.
//
// Special cases are:
//
//	ε = 0 has none
func (p *PathLaw) Slack() string {
	if p.Epsilon().IsZero() {
		return ""
	}
	return "it bounds what the policy's draws give away, which does not show that they give away as much"
}

// Name returns the name of the pair.
func (p *PathLaw) Name() string { return p.Pair }

// Epsilon returns the supremum of the row costs over all action sequences of
// Rounds rounds: row 1, used by all decisions from First on.
func (p *PathLaw) Epsilon() Loss {
	if p.Rounds < 1 {
		if !p.Decisions.Last(1, 1<<52).IsZero() {
			return Infinite()
		}
		return Loss{}
	}
	return p.Decisions.Last(p.used(), p.Rounds)
}

// Rho returns the ρ of the decisions from First on, which compose adaptively.
func (p *PathLaw) Rho() float64 {
	if p.Rounds < 1 {
		if p.Epsilon().IsZero() {
			return 0
		}
		return math.Inf(1)
	}
	return p.Decisions.Rho(p.used(), p.Rounds)
}

// Cost returns Epsilon, which no row exceeds: what a row costs is decided by
// its round, not by its place in its arm's stream. NewPath has what it is.
//
// Special cases are:
//
//	n < 1 or n > size costs 0
func (p *PathLaw) Cost(n, size int64) Loss {
	if n < 1 || n > size {
		return Loss{}
	}
	return p.Epsilon()
}

// Levels returns one level of Epsilon, see Cost; nil for size < 1.
func (p *PathLaw) Levels(size int64) []Level {
	if size < 1 {
		return nil
	}
	return []Level{{Cost: p.Epsilon(), Rows: size}}
}

// Releases returns nil: only actions leave the policy.
func (*PathLaw) Releases(int64) []Release { return nil }

// PathLevels bounds the cost levels of an arm under a PathLaw.
const PathLevels = 512

// Path accounts for one run under a PathLaw, row by row, in memory that does
// not grow with the rows. It is not safe for concurrent use.
type Path struct {
	law     *PathLaw
	arms    []pathArm
	width   int64 // decisions in one group
	most    int64 // largest m of a row
	squares float64
	rows    int64
}

// pathArm counts the rows of one arm by group of m. Rows that follow one another
// are mostly of one group, which is counted apart.
type pathArm struct {
	pulls       int64
	group, rows int64
	counts      map[int64]int64
}

func (a *pathArm) add(group int64) {
	if group != a.group {
		a.settle()
		a.group = group
	}
	a.pulls++
	a.rows++
}

// settle puts the last group to the others.
func (a *pathArm) settle() {
	if a.rows == 0 {
		return
	}
	if a.counts == nil {
		a.counts = make(map[int64]int64)
	}
	a.counts[a.group] += a.rows
	a.rows = 0
}

// NewPath starts the account of a run over the given number of arms. The law's Rounds count
// the rounds of the run.
func NewPath(law *PathLaw, arms int) *Path {
	return &Path{
		law: law, arms: make([]pathArm, arms),
		width: max(1, (law.Rounds+PathLevels-3)/(PathLevels-1)), // groups of 1…T−1 beside the group of 0
	}
}

// Row enters a row of arm whose reward could be used by the last later
// decisions of the run, same of which play arm, and returns what it costs,
// rounded up.
func (p *Path) Row(arm int, later, same int64) float64 {
	m := later
	if p.law.Opposed {
		m = max(same, later-same)
	}
	p.arms[arm].add((m + p.width - 1) / p.width)
	p.rows++
	p.most = max(p.most, m)
	if m == 0 {
		return 0
	}
	c := p.law.Decisions.Up(m, p.law.Rounds)
	p.squares += float64(c * c)
	return c
}

// Run returns the ledger of the rows so far. The largest cost is what Decisions
// say of it, exact or rounded up; Σc² is rounded up by less than one part in
// 2^50 per row; the levels are rounded up to at most PathLevels per
// arm, of equal width in decisions, which Width tells.
func (p *Path) Run() Run {
	run := Run{Law: p.law.Name(), Arms: make([]ArmLedger, len(p.arms)), Width: p.width, mechanism: p.law.Epsilon(), path: p}
	for i := range p.arms {
		p.arms[i].settle()
		var levels []Level
		for g, rows := range p.arms[i].counts {
			m := min(g*p.width, p.law.used())
			levels = append(levels, Level{Cost: p.law.Decisions.Last(m, p.law.Rounds), Rows: rows})
		}
		run.Arms[i] = ArmLedger{Pulls: p.arms[i].pulls, Levels: Merge(levels)}
	}
	return run
}

// realized returns the largest cost of a row.
func (p *Path) realized() Loss { return p.law.Decisions.Last(p.most, p.law.Rounds) }

// sumSquares returns Σc² rounded up: the sum of n positive numbers, added one
// by one, is short by less than n parts in 2^53.
func (p *Path) sumSquares() float64 {
	if p.squares == 0 {
		return 0
	}
	return float64(p.squares * (1 + float64(float64(p.rows+4)*0x1p-52)))
}

// Even says that every decision costs a row the same, ℓ ≥ 0.
type Even struct {
	loss Loss
	up   float64
	rho  float64
}

var _ Decisions = Even{}

// NewEven returns decisions that cost ℓ each.
func NewEven(l Loss) Even { return Even{loss: l, up: l.Up(), rho: PureRho(l.Up())} }

// Last returns m·ℓ.
func (e Even) Last(m, _ int64) Loss { return e.loss.Times(m) }

// Up returns m·ℓ, rounded up.
//
// Special cases are:
//
//	m = 0 gives 0, also for an infinite ℓ
func (e Even) Up(m, _ int64) float64 {
	if m == 0 || e.up == 0 {
		return 0
	}
	return math.Nextafter(float64(float64(m)*e.up), math.Inf(1))
}

// Rho returns m·ℓ·tanh(ℓ/2), rounded up.
func (e Even) Rho(m, _ int64) float64 {
	if m == 0 || e.rho == 0 {
		return 0
	}
	return math.Nextafter(float64(float64(m)*e.rho), math.Inf(1))
}
