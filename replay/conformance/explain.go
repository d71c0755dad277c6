package conformance

import (
	"slices"

	"banditaudit/replay"
	"banditaudit/replay/diagnose"
)

// explain ends a comparison. Where some round is beyond tolerance it tries what
// would explain it, each on the same sample of rows (see sample). master is the master seed
// of the run which was compared. The rewards are read once more, which is booked first.
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
func (c *comparison) tryOthers(j *job, master [32]byte, shares *estimated) ([]diagnose.AlternativeFit, error) {
	rows := c.sample.chosen()
	over := &runs{job: j, c: c}
	if shares != nil {
		over.starts = shares.starts()
		over.lows = shares.byRow(over.starts)
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
		Tolerance: c.tolerance, Rows: rows, First: c.sample.found[0],
		Rounds: c.out.Rounds, Matched: c.out.Matched, Uniform: c.uniform, Shares: shares != nil, Observed: j.shows, Label: j.label,
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
