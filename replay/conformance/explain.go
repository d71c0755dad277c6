package conformance

import (
	"slices"

	"banditaudit/replay"
	"banditaudit/replay/diagnose"
	"banditaudit/replay/evidence/shares"
	"banditaudit/replay/evidence/wager"
)

// explain ends a comparison. Where some round is beyond tolerance it tries what
// would explain it, each on the same sample of rows (see diagnose.Sample). master is the
// master seed of the run which was compared. The rewards are read once more, which is booked first.
func (c *comparison) explain(j *job, master [32]byte) error {
	c.out.Batches, c.out.InTurn = c.stretches.out, c.turn.result()
	if c.out.FirstMismatch == nil {
		return nil
	}
	draws, err := shares.Collect(c.shares(j, master))
	if err != nil {
		return err
	}
	if draws == nil {
		_, err = c.tryOthers(j, master, nil)
		return err
	}
	if err = draws.Decide(); c.out.FirstMismatch == nil {
		c.last = 0
	}
	return err
}

// shares is the log as one whose propensities may be shares of draws.
func (c *comparison) shares(j *job, master [32]byte) *shares.Log {
	return &shares.Log{
		Context: j.ctx, Protocol: j.protocol, Mechanism: j.mechanism, Slice: j.s, Label: j.label,
		Compared: &c.out, Tolerance: &c.tolerance, Worst: c.worst, Keeps: c.kept.throughout,
		Wager: func() *wager.Wager { return j.wagering(j.mechanism.Arms(), j.drawnAnew()) },
		Follow: func(before bool, visit func(*shares.Round)) error {
			run := j.start(j.mechanism, master)
			l, err := j.openFor(j.mechanism.Law().Name()+", draws", run, nil)
			if err != nil {
				return err
			}
			if before {
				l.units = j.unitArms()
			}
			return l.follow(j, func(int) error {
				visit(&shares.Round{
					Chunk: &l.chunk, At: l.row, Want: run.Propensities(), ByArm: l.propensities(),
					Draws: l.estimatedBy(), Drawn: l.draws(), Before: l.before,
				})
				return nil
			})
		},
		Others: func(draws *shares.Estimated) ([]diagnose.AlternativeFit, error) { return c.tryOthers(j, master, draws) },
	}
}

// tryOthers tries what would explain a difference. Where the propensities may be
// shares of draws it returns how they lean to laws that have no fitted number.
func (c *comparison) tryOthers(j *job, master [32]byte, draws *shares.Estimated) ([]diagnose.AlternativeFit, error) {
	rows := c.sample.Chosen()
	over := &runs{job: j, c: c}
	if draws != nil {
		over.starts = draws.Starts()
		over.lows = draws.ByRow(over.starts)
		rows = slices.Compact(slices.Sorted(slices.Values(slices.Concat(rows, over.starts))))
	}
	if j.mechanism.ReadsRewards() {
		var err error
		if over.feed, err = j.s.Feed(j.book, j.mechanism.Law().Name()+", hypotheses", over); err != nil {
			return nil, err
		}
	}
	beyond := c.out.Rounds - c.out.Matched
	c.tolerance.Starting, c.tolerance.Arithmetic = c.out.Starting == beyond, c.out.Arithmetic == beyond
	r := &diagnose.Replay{
		Context: j.ctx, From: j.catalogue, Protocol: j.protocol, Arms: j.arms, Mechanism: j.mechanism, Slice: j.s,
		Tolerance: c.tolerance, Rows: rows, First: c.sample.First(),
		Rounds: c.out.Rounds, Matched: c.out.Matched, Uniform: c.uniform, Shares: draws != nil, Observed: j.shows, Label: j.label,
		Start: func(m *replay.Mechanism) *replay.Runner { return j.start(m, master) }, Pass: over.over,
	}
	var leans []diagnose.AlternativeFit
	var err error
	c.out.Hypotheses, leans, err = r.Explain(diagnose.All())
	return leans, err
}

// start starts a run of a mechanism: with the noise of the log where that is
// known by its seed, and with none where the log says what was released.
func (j *job) start(m *replay.Mechanism, master [32]byte) *replay.Runner {
	if j.shows {
		return m.NewObserver(j.s.ID())
	}
	return m.NewRunner(master, j.s.ID())
}
