package ope

import (
	"context"
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/analyze/stat/moments"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// policyWalk is what a walk over the rounds in their order found of an evaluated policy
// of the catalogue. Its values stand beside the values of the other policies.
type policyWalk struct {
	against string // why nothing can be said; "" where something can
	near    bool   // its probabilities are integrals
	kept    keptRounds
}

// keptRounds sums the rounds kept by rejection sampling.
type keptRounds struct {
	bets moments.Bets
	sum  float64
}

// WalkPolicies asks every evaluated policy of the catalogue what it would have played,
// round by round. It reads the rewards once for each, for a purpose of its own; the
// outcome does not depend on Jobs.
func (s *Estimates) WalkPolicies(ctx context.Context) error {
	s.Wagers.walks = map[string]*policyWalk{}
	for _, e := range evaluations(s.Facts.Log) {
		if e.policy == nil || e.against != "" {
			continue
		}
		walk := &policyWalk{}
		s.Wagers.walks[e.id] = walk
		m, why := targetMechanism(s.Facts.Log, e.policy)
		if why != "" {
			walk.against = why
			continue
		}
		if err := affordTarget(s.Facts.Log, &e, m); err != nil {
			return err
		}
		walk.near = m.Integral()
		visit := (*policyVisit).followLog
		if e.policy.Mode == schemas.ModeReplay {
			visit = (*policyVisit).replayLog
		}
		if err := visit(&policyVisit{targetPolicy: &e, estimates: s, subject: s.Subject, facts: s.Facts, wagers: s.Wagers, walk: walk, mechanism: m}, ctx); err != nil {
			return err
		}
	}
	return nil
}

// policyVisit is one walk.
type policyVisit struct {
	*targetPolicy
	estimates *Estimates
	subject   *Subject
	facts     *publiclog.Facts
	wagers    *Wagers

	walk      *policyWalk
	mechanism *replay.Mechanism
	disclosed *tableau.Rewards
}

// targetMechanism builds an evaluated policy on exact sums. why is what it cannot do with
// this log; "" for nothing.
func targetMechanism(in *publiclog.Log, t *schemas.Target) (m *replay.Mechanism, why string) {
	p := in.Protocol.TargetProtocol(t)
	m, err := in.Declared.From.New(&p, in.Manifest.Arms)
	if err != nil {
		return nil, "policy " + t.Policy.Name + " cannot be run on this log: " + err.Error()
	}
	return m, ""
}

// affordTarget refuses a policy whose run would take more than half of the memory.
func affordTarget(in *publiclog.Log, e *targetPolicy, m *replay.Mechanism) error {
	const mib = 1 << 20
	if need := m.RunBytes(publiclog.ContextDim(in.Slice), in.Slice.Strata()); in.Memory > 0 && need > in.Memory/2 {
		return fmt.Errorf("%w: policy %s of evaluation %s takes about %d MiB, and half of the %d MiB allowed may be used; raise --max-memory", publiclog.ErrMemory, e.policy.Policy.Name, schemas.Named(e.id), need/mib, in.Memory/mib)
	}
	return nil
}

// disclosePolicy books what a walk reads.
func (v *policyVisit) disclosePolicy() (err error) {
	from, _ := v.subject.source()
	columns := v.subject.columns(from)
	if v.mechanism.Linear() {
		columns = append(columns, v.facts.ContextNames()...)
	}
	if v.mechanism.Scored() {
		columns = append(columns, tableau.ScoreByArm)
	}
	v.disclosed, err = v.facts.Slice.Disclose(v.subject.Sample.Book, purposeEstimate+"value "+v.id+" "+v.policy.Mode, columns...)
	return err
}

// followLog weighs the rounds by the probabilities of a policy in the states that the log
// brings it to, or in the one that it has before any reward.
func (v *policyVisit) followLog(ctx context.Context) error {
	weighed := v.estimates.weighted != nil && v.estimates.refused == ""
	if !weighed && v.wagers.Against != "" {
		return nil // which is said of every estimate
	}
	if err := v.disclosePolicy(); err != nil {
		return err
	}
	f := &logFollower{visit: v, state: newTargetRun(v.mechanism, v.facts.Log, v.policy.Mode == schemas.ModeFrozen), before: ipw.NewPlugin(v.facts.K())}
	f.pairs = newPairReader(v.subject, v.wagers, nil, 0, v.disclosed)
	f.bets = valueWagersOf(v.facts.Log, nil)
	if err := f.pairs.replay(ctx, "value "+v.id); err != nil {
		return err
	}
	if weighed {
		f.value = &ipw.Value{Clip: v.clip}
		r := &weightedReader{subject: v.subject, facts: v.facts, weighted: v.estimates.weighted, rewards: v.disclosed, replayed: f.pairs.replayed}
		if f.chances = r.newProbabilities(); v.estimates.every {
			f.every = r.everyProbability()
		}
	}
	err := f.read(ctx)
	if v.cannot(f.state.run) {
		return nil
	}
	if err != nil {
		return err
	}
	if weighed {
		if v.estimates.every {
			f.value.Over(&f.prospects)
		}
		v.estimates.values[v.id] = f.value
	}
	v.wagers.values[v.id] = f.bets
	v.wagers.Over, v.wagers.ValidIf = f.pairs.over(), v.subject.WeighableIf()
	return nil
}

// cannot takes up why a run of the policy ended before the log did, if it did.
func (v *policyVisit) cannot(run *replay.Runner) bool {
	err := run.Err()
	if err != nil {
		v.walk.against = "policy " + v.policy.Policy.Name + " cannot be run on this log: " + err.Error()
	}
	return err != nil
}

// logFollower goes over the rounds in their order with an evaluated policy.
type logFollower struct {
	visit *policyVisit

	state     *policyReplay
	pairs     *pairReader
	value     *ipw.Value     // nil: nothing is weighed
	chances   *probabilities // likewise
	every     *probabilities // of all arms, where rewards are missing; nil where none is
	prospects ipw.ExpectedWeights
	before    ipw.Plugin
	bets      *valueWagers
}

func (f *logFollower) read(ctx context.Context) error {
	protocol := f.visit.facts.Protocol
	return f.pairs.eachChunk(ctx, func(i int, c *tableau.Chunk) error {
		y, arms := f.visit.disclosed.Chunk(i), f.visit.disclosed.Arms(i)
		var draws []bool
		if f.pairs.firsts != nil {
			draws = f.pairs.firsts.Next(c)
		}
		for t := range c.Arm {
			share := f.state.next(c, t)
			if f.state.run.Err() != nil {
				return f.state.run.Err()
			}
			if t >= len(draws) || draws[t] {
				f.round(c, t, share, wageredRound{arm: int(c.Arm[t]), known: arms[t] >= 0, y: (y[t] - protocol.Reward.Range[0]) / publiclog.RangeWidth(protocol)})
			}
			f.state.learn(c, t, y[t])
		}
		return nil
	})
}

// round takes up a round that was drawn by itself.
func (f *logFollower) round(c *tableau.Chunk, t int, share []float64, w wageredRound) {
	if f.every != nil {
		f.prospects.Add(share, f.every.of(c, t), f.visit.clip)
	}
	if f.value != nil && w.known {
		var round ipw.Round
		f.chances.round(c, t, w.y, &round)
		f.value.Add(share, &round, &f.before)
		f.before.Add(w.arm, w.y)
	}
	if f.visit.wagers.Against == "" {
		f.pairs.propensities(c, t)
		w.p, w.all = f.pairs.p, f.pairs.lower(f.pairs.p)
		f.bets.round(share, &w)
	}
}

// policyReplay is an evaluated policy that is told of the rounds of the log.
type policyReplay struct {
	run    *replay.Runner
	frozen bool // it is told of none
	reads  bool // rewards
	in     replay.Round
	out    replay.Arrivals // rewards not yet known, by the rounds of the log
	round  int64
	p      []float64
}

// newTargetRun begins before the first round. Probabilities are not drawn, so that the
// seed decides nothing.
func newTargetRun(m *replay.Mechanism, in *publiclog.Log, frozen bool) *policyReplay {
	return publicRun(m.NewRunner([32]byte{}, in.Slice.ID()), in, m.ReadsRewards(), frozen)
}

// publicRun wraps a run that has not begun.
func publicRun(run *replay.Runner, in *publiclog.Log, reads, frozen bool) *policyReplay {
	f := &policyReplay{run: run, frozen: frozen, reads: reads, p: make([]float64, in.K())}
	if d := in.Slice.ContextDim(); d > 0 {
		f.in.X = make([]float64, d)
	}
	if in.Slice.Schema().Eligible {
		f.in.Eligible = make([]bool, in.K())
	}
	return f
}

// show fills in what is public before the choice in a row.
func (f *policyReplay) show(c *tableau.Chunk, row int) {
	for i, column := range c.X {
		f.in.X[i] = column[row]
	}
	if v := c.ContextByArm; v != nil {
		w := len(v) / len(c.Arm)
		f.in.XByArm = v[row*w : (row+1)*w]
	}
	if v := c.ScoreByArm; v != nil {
		f.in.Scores = v[row*len(f.p) : (row+1)*len(f.p)]
	}
	for arm := range f.in.Eligible {
		f.in.Eligible[arm] = c.Eligible(row, arm)
	}
	if c.Batch != nil {
		f.in.Batch = c.Batch[row]
	}
}

// next enters the round of a row and returns the probabilities of all arms, divided by
// their sum, until the next call; nil where they have none.
func (f *policyReplay) next(c *tableau.Chunk, row int) []float64 {
	f.show(c, row)
	f.run.Next(&f.in)
	copy(f.p, f.run.Propensities())
	sum := 0.0
	for _, p := range f.p {
		sum += p
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil
	}
	for arm := range f.p {
		f.p[arm] /= sum
	}
	return f.p
}

// learn tells the policy of the round that was entered, as the log has it, and of the
// rewards that became known after it.
func (f *policyReplay) learn(c *tableau.Chunk, row int, y float64) {
	arm := int(c.Arm[row])
	f.round++
	switch {
	case f.frozen:
		f.run.Stay()
	case !f.reads:
		f.run.Add(arm, 0) // the policy does not look at it
	case c.RewardRound == nil:
		f.run.Add(arm, y)
	default:
		f.await(c, row, y)
	}
}

// await holds the reward of a round until it is known, and hands over those that are, in
// the order in which they became known and, among equals, of their rounds.
func (f *policyReplay) await(c *tableau.Chunk, row int, y float64) {
	arm := int(c.Arm[row])
	f.run.Hold(arm)
	if known := c.RewardRound[row]; known == tableau.NeverKnown {
		f.run.Forget(f.round)
	} else {
		f.out.Push(replay.Arrival{Known: known, Round: f.round, Arm: arm, Reward: y})
	}
	for a, ok := f.out.Pop(c.Round[row]); ok; a, ok = f.out.Pop(c.Round[row]) {
		f.run.Due(a.Round)
		f.run.Add(a.Arm, a.Reward)
	}
}
