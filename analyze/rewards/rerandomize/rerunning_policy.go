package rerandomize

import (
	"context"
	"math/rand/v2"

	"banditaudit/replay"
)

// rerunPolicy is the declared mechanism, which meets the records in another order: every
// arm's reward in a round is the one that was logged. It implements randomization.Policy.
type rerunPolicy struct {
	ctx        context.Context   //nolint:containedctx // a value is one call of rerun
	mechanism  *replay.Mechanism // nil: see rerunProgram
	experiment string
	records    *rerunRecords
	reads      bool                             // rewards
	draws      bool                             // anew in every run
	before     func(t int64, another bool) bool // learns before round t, from 1; another: the batch is new
	shifted    int                              // arm that pays delta more than the records say
	delta      float64                          // in the units of the protocol's range
	until      int                              // rewards known after rows from this one on, counted from 1, are used by no decision
}

// newRerunPolicy finds the last row before which the policy learns.
func newRerunPolicy(ctx context.Context, m *replay.Mechanism, experiment string, r *rerunRecords) *rerunPolicy {
	p := &rerunPolicy{ctx: ctx, mechanism: m, experiment: experiment, records: r, until: r.rounds(), reads: m.ReadsRewards(), draws: !m.Deterministic(), before: m.LearnsBy}
	for p.until > 0 && !p.learns(p.until) {
		p.until--
	}
	return p
}

// stretches goes over the rows, from and up to but not with to, between which the policy
// learns nothing; each row is one where it reads no rewards.
func (p *rerunPolicy) stretches(visit func(from, to int)) {
	from := 0
	for t := 1; t < p.records.rounds(); t++ {
		if !p.reads || p.learns(t+1) {
			visit(from, t)
			from = t
		}
	}
	visit(from, p.records.rounds())
}

// longest is the number of rows of the longest stretch.
func (p *rerunPolicy) longest() int {
	most := 0
	p.stretches(func(from, to int) { most = max(most, to-from) })
	return most
}

// learns reports whether the policy learns before row t, counted from 1.
func (p *rerunPolicy) learns(t int) bool {
	b, another := p.records.batch, false
	switch {
	case len(b) == 0:
	case t == 1:
		another = b[0] != 0
	default:
		another = b[t-1] != b[t-2]
	}
	return p.before(int64(t), another)
}

// Play runs the mechanism from its start. Its own streams, among them the streams of its
// counters, are made from a seed of 32 bytes that the source gives.
func (p *rerunPolicy) Play(order []int32, draws rand.Source, played func(t, arm int)) error {
	return p.play(p.mechanism.NewRunner(rerunSeed(draws), p.experiment), order, played)
}

// play is Play of a run that has not begun.
func (p *rerunPolicy) play(run *replay.Runner, order []int32, played func(t, arm int)) error {
	if p.records.lag != nil {
		return (&rerunDelays{rerunPolicy: p, run: run}).play(order, played)
	}
	in, show := p.records.public()
	rewards := p.records.reward
	for t, record := range order {
		if show != nil {
			show(t, int(record))
		}
		arm := run.Next(in)
		if t&(checkRows-1) == 0 {
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
		played(t, arm)
		if t+1 < p.until {
			p.add(run, arm, rewards[record])
		}
	}
	return run.Err()
}

// checkRows is the number of rows between two looks at the context, a power of 2.
const checkRows = 1 << 14

// add hands over a reward; one that is missing is handed over to a policy that reads
// none, which goes on as in a replay.
func (p *rerunPolicy) add(run *replay.Runner, arm int, reward float64) {
	if !p.reads {
		reward = 0 // the policy does not look at it
	} else if p.delta != 0 && arm == p.shifted {
		reward += p.delta
	}
	run.Add(arm, reward)
}

// rerunSeed takes a master seed from a source.
func rerunSeed(draws rand.Source) (seed [32]byte) {
	for i := 0; i < len(seed); i += 8 {
		for j, word := 0, draws.Uint64(); j < 8; j, word = j+1, word>>8 {
			seed[i+j] = byte(word)
		}
	}
	return seed
}

// public returns what a run is told of a round, and what fills it in for the record
// that is met in row t; nil where nothing is public.
func (r *rerunRecords) public() (in *replay.Round, show func(t, record int)) {
	if r.d == 0 && r.w == 0 && r.scores == nil && r.eligible == nil && r.batch == nil && r.stratum == nil {
		return nil, nil
	}
	in = &replay.Round{}
	return in, func(t, record int) {
		if r.d > 0 {
			in.X = r.x[record*r.d : (record+1)*r.d]
		}
		if r.w > 0 {
			in.XByArm = r.byArm[record*r.w : (record+1)*r.w]
		}
		if r.stratum != nil {
			in.Stratum = r.stratum[record]
		}
		if r.scores != nil {
			in.Scores = r.scores[record*r.arms : (record+1)*r.arms]
		}
		if r.eligible != nil {
			in.Eligible = r.eligible[t*r.arms : (t+1)*r.arms]
		}
		if r.batch != nil {
			in.Batch = r.batch[t]
		}
	}
}

// rerunDelays is a run in which rewards become known later.
type rerunDelays struct {
	*rerunPolicy

	run *replay.Runner
	out replay.Arrivals
}

func (d *rerunDelays) play(order []int32, played func(t, arm int)) error {
	in, show := d.records.public()
	for t, record := range order {
		if show != nil {
			show(t, int(record))
		}
		arm := d.run.Next(in)
		if t&(checkRows-1) == 0 {
			if err := d.ctx.Err(); err != nil {
				return err
			}
		}
		if err := d.run.Err(); err != nil {
			return err
		}
		played(t, arm)
		if t+1 < d.until {
			d.hold(t, arm, record)
		}
	}
	return d.run.Err()
}

// hold waits for the reward of row t and hands over those that are known after it.
func (d *rerunDelays) hold(t, arm int, record int32) {
	d.run.Hold(arm)
	round := int64(t) + 1
	if known, comes := d.records.known(t, record); comes && known+1 < int64(d.until) {
		d.out.Push(replay.Arrival{Known: known + 1, Round: round, Arm: arm, Reward: d.records.reward[record]})
	} else {
		d.run.Forget(round)
	}
	for a, ok := d.out.Pop(round); ok; a, ok = d.out.Pop(round) {
		d.run.Due(a.Round)
		d.add(d.run, a.Arm, a.Reward)
	}
}
