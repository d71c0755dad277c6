package replay

import (
	"math"
	"strconv"
	"strings"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Mechanism is a declared bandit: policy × counter × cost. It is immutable and
// safe for concurrent use; the state of a run is in a Runner.
type Mechanism struct {
	arms     int
	rewards  scale
	counter  counter.Counter // nil when the policy reads no rewards
	policy   func(policy.Draws) policy.Policy
	law      ledger.Law
	released ledger.Law // see Released
	random   bool
	known    bool // see Known
	alike    bool // see Alike
	forgets  bool // see Forgets
	linear   bool // the policy reads vectors
	noisy    bool // there is noise in what the policy reads
	floor    declaredFloor
	ties     bool // ties are drawn
	opening  policy.Opening
	free     freedom
	unseeded bool    // no seed gives how ties, the start or the opening were drawn
	evenly   bool    // see TiesEvenly
	waits    bool    // an arm without rows comes before all others
	integral bool    // see Integral
	spreads  bool    // the policy reads how far rewards scatter
	pairs    bool    // see Pairs
	scored   bool    // the policy plays by the scores of a round
	weighs   bool    // see Weighs
	rows     int64   // of an arm, that the policy learns from at most; 0: all
	window   float64 // of near ties; 0: none
	wide     *wide   // for rewards outside the range; nil: there is none
	strata   bool    // see Stratified
	reach    reach
	schedule schedule
}

// New builds the bandit that a protocol declares, over arms in index order. It
// returns every fault at once; each is a *Fault. The protocol must have a
// policy.
func (c *Catalogue) New(p *schemas.Protocol, arms []string) (*Mechanism, error) {
	if p.Policy == nil {
		return nil, &Fault{"policy", "is missing", "there is nothing to replay", "declare policy and counter"}
	}
	j := &judge{arms: len(arms)}
	if len(arms) == 0 {
		j.Fail("arms", "is empty", "a bandit has at least one arm", "declare arms")
	}
	rewards := newScale(p.Reward, j)
	d := c.declare(p, arms, j)
	d.checkFloor(j)
	if err := j.err(); err != nil {
		return nil, err
	}
	m := &Mechanism{arms: len(arms), rewards: rewards, policy: d.buildPolicy(false), known: d.kind.FixedProbabilities, alike: d.kind.Uniform, linear: d.kind.Linear(), forgets: d.forgets, integral: d.kind.NeedsQuadrature}
	m.shared(p)
	m.window = d.nearTies()
	one := m.policy(policy.Draws{})
	_, m.weighs = one.(policy.Weighing)
	m.random = one.Random() || m.floor.value > 0 || m.ties || m.opening.Draws()
	if d.kind.Learns() {
		m.counter, m.noisy = d.sums, d.noise
	}
	m.wide, m.scored = d.wide(), d.kind.Scores
	m.spreads = d.kind.ReadsVariance != nil && d.kind.ReadsVariance(p.Policy.Own)
	m.pairs = d.kind.TopTwo != nil && d.kind.TopTwo(p.Policy.Own)
	if d.kind.Rows != nil {
		m.rows = d.kind.Rows(p.Policy.Own)
	}
	m.law, m.released = d.pairLaw(m.counter), d.releasedLaw()
	m.reach = d.reaches(m)
	return m, nil
}

// shared reads the parameters that every policy has.
func (m *Mechanism) shared(p *schemas.Protocol) {
	m.ties, m.schedule = param.TiesDrawn(p.Policy.Ties), schedule{every: 1}
	m.strata = p.Policy.By != ""
	m.begin(p.Policy)
	if f := p.Policy.Floor; f != nil {
		m.floor = newFloor(f, m.arms, len(p.Arms) > 0)
	}
	if u := p.Policy.Update; u != nil {
		m.schedule = schedule{every: max(u.Every, 1), batch: u.Batch}
	}
}

// begin reads how the policy begins, and what of its choices is free.
func (m *Mechanism) begin(p *schemas.Policy) {
	m.opening, m.waits = policy.DeclaredOpening(p.Own), policy.Waits(p.Own)
	m.free = freedom{ties: p.Ties == param.TiesAny, start: policy.AnyStart(p.Own)}
	m.evenly = m.ties && p.Ties != param.TiesSeeded
	m.unseeded = m.evenly || policy.RandomStart(p.Own)
}

// freedom says which choices of a policy nothing decides.
type freedom struct {
	ties  bool // among arms of equal indices
	start bool // among arms without rows
}

// Free reports whether the declaration leaves open which of several arms is played that
// are equal, or without rows: one of them is then as right as another.
func (m *Mechanism) Free() bool { return m.free != freedom{} }

// AtOnce reports whether the policy learns before every round, and has one state: what is
// released of a reward is then known as soon as the run is told of it.
func (m *Mechanism) AtOnce() bool { return m.schedule.plain() && !m.strata }

// Given returns how many rounds at the beginning the policy did not choose; it only
// learned from them.
func (m *Mechanism) Given() int64 { return m.opening.Given }

// Unseeded reports whether choices were drawn that no seed gives again: by what a
// program draws from for ties, or for its start, that are declared random.
func (m *Mechanism) Unseeded() bool { return m.unseeded }

// TiesEvenly reports whether ties are declared to be drawn evenly by what no seed gives,
// so that it is all that can be tested of them that each of the equal arms has its share.
func (m *Mechanism) TiesEvenly() bool { return m.evenly }

// ByBatch reports whether the policy learns when the batch changes.
func (m *Mechanism) ByBatch() bool { return m.schedule.batch }

// Stratified reports whether the policy has one state for each stratum of rounds.
func (m *Mechanism) Stratified() bool { return m.strata }

// Arms returns K, the number of arms.
func (m *Mechanism) Arms() int { return m.arms }

// Law returns what the pair of policy and counter costs, for logs of any
// length: where that grows with the number of rounds, its ε is infinite.
func (m *Mechanism) Law() ledger.Law { return m.law }

// LawOver returns what the pair costs in a log of the given number of rounds. With update:
// batch it is the law of logs with any batches, and LawBatched has less.
func (m *Mechanism) LawOver(rounds int64) ledger.Law {
	if m.schedule.batch {
		return ledger.Over(m.law, rounds, 2)
	}
	return ledger.Over(m.law, rounds, m.schedule.every+1)
}

// LawBatched returns what the pair costs in a log of the given number of rounds whose
// second batch begins with round second; of one batch alone second is above rounds. It is
// LawOver for a policy that does not learn by batches.
func (m *Mechanism) LawBatched(rounds, second int64) ledger.Law {
	if m.schedule.batch {
		return ledger.Over(m.law, rounds, second)
	}
	return m.LawOver(rounds)
}

// Learns reports whether the policy learns before round t, counted from 1: what
// it sees stands still otherwise. another says whether the batch of the round
// differs from the batch of the round before. Where strata are declared, t counts the
// rounds of the round's own, but for batches.
func (m *Mechanism) Learns(t int64, another bool) bool { return m.schedule.learns(t, another) }

// LearnsBy is Learns, but for a policy that learns after a number of the rounds of each
// stratum, of which it says that it learns before every round.
func (m *Mechanism) LearnsBy(t int64, another bool) bool {
	return m.strata && !m.schedule.batch || m.schedule.learns(t, another)
}

// Random reports whether the policy, its floor or its ties draw. Only then are
// there propensities.
func (m *Mechanism) Random() bool { return m.random }

// ReadsRewards reports whether the policy's choices depend on rewards.
func (m *Mechanism) ReadsRewards() bool { return m.counter != nil }

// Weighs reports whether the policy weighs a reward by the round in which it was earned, so
// that a run is told of the round where the reward comes later.
func (m *Mechanism) Weighs() bool { return m.weighs }

// Linear reports whether the policy reads sums of contexts times rewards.
func (m *Mechanism) Linear() bool { return m.linear }

// Forgets reports whether a released sum may hold fewer rows than the arm was
// played, because the counter begins anew.
func (m *Mechanism) Forgets() bool { return m.forgets }

// Alike reports whether the policy plays all arms alike.
func (m *Mechanism) Alike() bool { return m.alike }

// Known reports whether the policy's probabilities are declared: no log changes
// them.
func (m *Mechanism) Known() bool { return m.known }

// Integral reports whether propensities are integrals, which take far longer than
// a choice.
func (m *Mechanism) Integral() bool { return m.integral }

// Pairs reports whether the policy plays one of the best two arms of a draw, so that the
// propensity of an arm is half of the probability that it is among these.
func (m *Mechanism) Pairs() bool { return m.pairs }

// Scored reports whether the policy chooses by the scores of a round, which it did not make;
// false where there is none.
func (m *Mechanism) Scored() bool { return m != nil && m.scored }

// Noisy reports whether there is noise in what the policy reads.
func (m *Mechanism) Noisy() bool { return m.noisy }

// Deterministic reports whether nothing at all is drawn, so that a replay
// needs no seed: the policy is not random, and there is no noise in the sums
// that it reads.
func (m *Mechanism) Deterministic() bool { return !m.random && !m.noisy }

// PropensitiesKnown reports whether the policy's propensities on a logged
// history can be computed without a seed: it is random, and reads no noise.
func (m *Mechanism) PropensitiesKnown() bool { return m.random && !m.noisy }

// scale takes a reward to [0,1].
type scale struct {
	lo, hi float64
	clip   bool
	wide   bool // rewards outside the range are taken as they are
}

// newScale reads the range of rewards, and reports one that is none.
func newScale(r schemas.RewardSpec, j *judge) scale {
	if len(r.Range) != 2 || !(r.Range[0] < r.Range[1]) || !finite(r.Range[0]) || !finite(r.Range[1]-r.Range[0]) {
		j.Fail("reward.range", "is "+formatRange(r.Range), "it must be two finite numbers in ascending order", "write range: [0, 1]")
		return scale{}
	}
	return scale{lo: r.Range[0], hi: r.Range[1], clip: r.OutOfRange == schemas.OutOfRangeClip}
}

// unit returns (y−lo)/(hi−lo), and false when y is NaN or outside the range
// and is not to be clipped.
func (s scale) unit(y float64) (float64, bool) {
	if s.clip {
		y = max(s.lo, min(s.hi, y))
	}
	if !(y >= s.lo && y <= s.hi) && !(s.wide && finite(y)) {
		return 0, false
	}
	if s.lo == 0 && s.hi == 1 {
		return y, true // what the division gives, sooner
	}
	return (y - s.lo) / (s.hi - s.lo), true
}

func finite(v float64) bool { return v-v == 0 }

func formatRange(r []float64) string {
	numbers := make([]string, len(r))
	for i, v := range r {
		numbers[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return "[" + strings.Join(numbers, ", ") + "]"
}

// Capacity returns the most rows that one arm's stream takes. A run in which
// one more arrives ends with an error.
//
// Special cases are:
//
//	a policy that reads no rewards, or exact sums, has MaxInt64
func (m *Mechanism) Capacity() int64 {
	if m.counter == nil {
		return math.MaxInt64
	}
	return m.counter.Capacity()
}

// ContextFits returns what says whether the context of a played arm keeps to the
// bound that the noise is scaled for, policy.context_l1. A run in which the
// reward of another arrives ends with an error.
//
// Special cases are:
//
//	nil where there is no such bound: no contexts are summed, or no noise is added
func (m *Mechanism) ContextFits() func(x []float64) bool {
	if !m.noisy || !m.linear {
		return nil
	}
	return m.counter.Fits
}

// ContextShare returns what says which part of the bound that the noise is scaled
// for, policy.context_l1, a context of a played arm takes up, after it was rounded
// to the counter's grid: ‖x‖₁/context_l1, from 0 to 1 and rounded up. The reward
// of that row costs this part of what Law says of its place. That is valid given the
// contexts, where these depend on rewards through released values at most (sheet 28.2: a
// likelihood ratio is bounded path by path, by what the one row moves every sum that it
// enters, over the scale of its noise).
//
// Special cases are:
//
//	nil where there is no such bound: no contexts are summed, or no noise is added
//	+Inf for a context that does not keep to the bound
func (m *Mechanism) ContextShare() func(x []float64) float64 {
	if !m.noisy || !m.linear {
		return nil
	}
	return m.counter.Share
}
