package conformance

import (
	"slices"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// explain ends a comparison. Where some round is beyond tolerance it tries what
// would explain it, each on the same sample of rows (see sample); the best of
// each kind is kept, whether it fits or not, so that what was tried is known.
// master is that of the run which was compared. The rewards are read once more,
// which is booked first.
func (c *comparison) explain(j *job, master [32]byte) error {
	c.out.Batches, c.out.InTurn = c.stretches.out, c.turn.result()
	if c.out.FirstMismatch == nil {
		return nil
	}
	shares, err := j.estimated(c, master)
	if err != nil {
		return err
	}
	if shares != nil {
		return shares.decide(master)
	}
	_, err = c.tryOthers(j, master, nil)
	return err
}

// tryOthers tries what would explain a difference. Where the propensities may be
// shares of draws it returns how they lean to laws that have no fitted number.
func (c *comparison) tryOthers(j *job, master [32]byte, shares *estimated) ([]leaning, error) {
	e := &explainer{chorus: chorus{job: j, c: c, shares: shares != nil}, master: master, sampled: c.sample.chosen()}
	if shares != nil {
		e.starts = shares.starts()
		e.lows = shares.byRow(e.starts)
		e.sampled = slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.sampled, e.starts))))
	}
	if j.Mechanism.ReadsRewards() {
		var err error
		if e.feed, err = j.s.Feed(j.book, j.Mechanism.Law().Name()+", hypotheses", e); err != nil {
			return nil, err
		}
	}
	err := e.explain()
	c.out.Hypotheses = ranked(e.found)
	return e.leans, err
}

// explainer tries hypotheses.
type explainer struct {
	chorus

	master  [32]byte
	told    *replay.Mechanism // see tell
	sampled []int64           // rows of the log
	found   []schemas.Hypothesis
	leans   []leaning // where the propensities may be shares of draws
}

// end is the number of rounds that a pass takes.
func (e *explainer) end() int64 { return e.sampled[len(e.sampled)-1] + 1 }

// explain tries everything in one pass, but for what is fitted in several.
func (e *explainer) explain() error {
	policy := e.Protocol.Policy
	e.tell()
	own := e.own()
	bare, plain := e.keep(without(policy, false)), e.keep(without(policy, true))
	voices := []*voice{own, bare.voice, plain.voice}
	late := e.newStale()
	if late != nil {
		voices = append(voices, late.voice)
	}
	cadences := e.schedules()
	for _, c := range cadences {
		voices = append(voices, c.voice)
	}
	priors := e.priors()
	for _, p := range priors {
		voices = append(voices, p.voice)
	}
	if err := e.pass(e.sampled, slices.DeleteFunc(voices, func(v *voice) bool { return v == nil })...); err != nil {
		return err
	}
	if e.shares {
		e.lean(late, cadences, priors)
	}
	rows, floor := e.rows, 0.0
	if policy.Floor != nil {
		floor = *policy.Floor
	}
	e.found = append(e.found, e.c.floor(bare.or(rows), floor)...)
	e.found = append(e.found, e.c.clippedFloor(bare.or(rows), floor)...)
	e.found = append(e.found, e.c.parameter(plain.or(rows), policy, floor)...)
	e.found = append(e.found, e.c.swapped(rows, e.label)...)
	e.found = append(e.found, e.c.uniformRows()...)
	e.found = append(e.found, e.stale(late)...)
	instant, err := e.sameInstant(rows)
	if err != nil {
		return err
	}
	e.found = append(e.found, instant...)
	e.found = append(e.found, e.cadence(cadences)...)
	return e.prior(priors)
}

// start starts a run of a mechanism: with the noise of the log where that is
// known by its seed, and with none where the log says what was released.
func (e *explainer) start(m *replay.Mechanism) *replay.Runner {
	if e.shows {
		return m.NewObserver(e.s.ID())
	}
	return m.NewRunner(e.master, e.s.ID())
}

// own is the run that was compared, once more.
func (e *explainer) own() *voice {
	return &voice{run: e.start(e.Mechanism), take: func(*tried, []float64) {}}
}

// schedules are the cadences to try: none where a run takes much memory.
func (e *explainer) schedules() []cadence {
	const much = 32 << 20
	s := e.s.Schema()
	if !e.Mechanism.ReadsRewards() || e.Mechanism.RunBytes(max(s.ContextDim, s.ContextByArm)) > much {
		return nil
	}
	return e.cadences()
}

// voice returns a run of the declared mechanism that learns when it is told to;
// nil where there is none to be had.
func (e *explainer) voice(learns func(t int64) bool, late bool) *voice {
	if e.told == nil {
		return nil
	}
	return &voice{run: e.start(e.told), learns: learns, late: late}
}

// tell builds the mechanism that learns when it is told to: by batches, which a
// voice numbers. A policy that learns nothing has none.
func (e *explainer) tell() {
	if !e.Mechanism.ReadsRewards() {
		return
	}
	p, policy := *e.Protocol, *e.Protocol.Policy
	p.Policy, policy.Update = &policy, &schemas.Update{Batch: true}
	if m, err := e.From.New(&p, e.Arms); err == nil {
		e.told = m
	}
}

// declared returns the schedule of the protocol.
func (e *explainer) declared() func(t int64) bool {
	u := e.Protocol.Policy.Update
	switch {
	case u == nil:
		return (&periods{every: 1}).begins
	case u.Batch:
		return e.batchStarts(e.end()).begins
	}
	return (&periods{every: max(1, u.Every)}).begins
}

// keeper is a voice of which everything is kept.
type keeper struct {
	*voice

	rows []*tried
}

// keep returns a voice of the declared mechanism with another policy, whose
// propensities are kept; one without a voice where the policy is nil.
func (e *explainer) keep(policy *schemas.Policy) *keeper {
	k := &keeper{}
	if policy == nil {
		return k
	}
	p := *e.Protocol
	p.Policy = policy
	m, err := e.From.New(&p, e.Arms)
	if err != nil {
		return k
	}
	k.voice = &voice{run: e.start(m)}
	k.take = func(o *tried, want []float64) {
		another := *o
		another.want = slices.Clone(want)
		k.rows = append(k.rows, &another)
	}
	return k
}

// or returns what was kept, and otherwise rows.
func (k *keeper) or(rows []*tried) []*tried {
	if k.voice == nil {
		return rows
	}
	return k.rows
}

// without returns the policy without its floor and, where greedy, without what
// epsilon-greedy explores; nil where that changes nothing.
func without(p *schemas.Policy, greedy bool) *schemas.Policy {
	q, changed := *p, false
	if p.Floor != nil && *p.Floor > 0 {
		q.Floor, changed = nil, true
	}
	if greedy && p.Own.Has("explore") {
		q.Own, changed = p.Own.With("explore", 0.0), true
	}
	if !changed {
		return nil
	}
	return &q
}
