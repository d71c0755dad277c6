package conformance

import (
	"math"

	"banditaudit/replay"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// bySeed is the evidence of a seed, or of a policy that draws nothing.
func bySeed() evidence {
	return evidence{
		there: func(j *job) bool {
			return j.mechanism.Deterministic() || j.declared.SeedKnown() && !j.declared.Without(j.s) && !j.mechanism.Unseeded()
		},
		pass: func(j *job) (schemas.Conformance, error) { return j.seeded(j.master()) },
	}
}

// master is the seed that a replay draws from: of no use where nothing is drawn.
func (j *job) master() [32]byte {
	if j.declared.Without(j.s) || j.mechanism.Unseeded() {
		return [32]byte{}
	}
	return master(j.protocol.Policy.Seed)
}

// seeded replays every round with the logged seed and compares actions and,
// where the policy draws and propensities are logged, those too. After a
// mismatch it goes on with the logged action: streams belong to arms, so the
// noise of later rounds is still the log's wherever the history is.
//
// Released values that are logged too are examined beside it.
func (j *job) seeded(master [32]byte) (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeSeed, Rounds: j.chosen()}
	c, err := j.compareInto(&out)
	if err != nil {
		return out, err
	}
	seen, err := j.beside()
	if err != nil {
		return out, err
	}
	asked := c != nil || j.sink != nil && j.mechanism.Random()
	run, told := j.halves(master, asked && j.mechanism.Integral())
	l, err := j.openRuns(run, seen.observer())
	if err != nil {
		return out, err
	}
	w := &seedWalk{j: j, l: l, c: c, seen: seen, ties: j.nearTies(l.run), out: &out, asked: asked}
	c.allow(w.ties)
	if w.asked {
		w.ahead = j.forecast(l, master, drawingToo)
	}
	err = told.beside(l, func() error {
		return w.ahead.beside(func() error { return l.follow(j, w.round) })
	})
	if err == nil && c != nil {
		err = c.explain(j, master)
	}
	out.InTurn = w.turn.result()
	out.Released = seen.result()
	w.ties.result(&out)
	return out, err
}

// seedWalk is the walk along a log whose seed is known.
type seedWalk struct {
	j     *job
	l     *logged
	c     *comparison // nil: propensities are not compared
	seen  *seen       // nil: released values are not examined
	ties  *nearTies
	ahead *sharedPropensities
	asked bool // for propensities, in every round
	turn  inTurn
	out   *schemas.Conformance
}

// round looks at a round in which the policy plays answer.
func (w *seedWalk) round(answer int) error {
	w.action(answer)
	var want []float64
	if w.asked {
		want = w.ahead.of(w.l)
	}
	if w.c != nil && !w.l.notChosen() {
		w.c.round(w.j, w.l, want)
	}
	if w.seen != nil {
		if err := w.seen.besides(w.l); err != nil {
			return err
		}
	}
	return w.j.write(w.l, answer, want)
}

// action compares the logged action with what the policy plays.
func (w *seedWalk) action(answer int) {
	l, out, arm := w.l, w.out, w.l.arm()
	switch {
	case l.notChosen():
	case !l.asks() && !w.j.mechanism.Random(): // a draw of a seed is held against every round
	case w.ties.chose(l, answer, arm):
		out.Replayable++
		out.Matched++
		w.turn.round(true, chosenInTurn(l.run, arm, true))
	default:
		out.Replayable++
		m := &schemas.Mismatch{Round: l.round(), Logged: w.j.label(arm), Replayed: w.j.label(answer)}
		if out.FirstMismatch == nil {
			m.Gap = below(l.run, arm)
		}
		mismatched(out, m)
		if l.run.Starting() {
			out.Starting++
		}
		w.turn.round(false, chosenInTurn(l.run, arm, false))
	}
}

// below is how far the index of an arm lies below the largest; nil where no indices
// decided.
func below(run *replay.Runner, arm int) *float64 {
	if gap, ok := run.Below(arm); ok && !math.IsInf(gap, 0) && !math.IsNaN(gap) {
		return &gap
	}
	return nil
}

// mismatched notes a round that does not match, later than all before.
func mismatched(out *schemas.Conformance, m *schemas.Mismatch) {
	if out.FirstMismatch == nil {
		out.FirstMismatch = m
	}
	out.LastMismatch = &m.Round
}

// write writes a round into the transcript: answer is −1 where the policy's
// choice is not known, and want is nil where there are no propensities.
func (j *job) write(l *logged, answer int, want []float64) error {
	if j.sink == nil {
		return nil
	}
	row := transcript.Row{Round: l.round(), Arm: answer, Propensity: math.NaN(), Propensities: want}
	if want != nil {
		row.Propensity = want[l.arm()]
	}
	return j.sink(row)
}
