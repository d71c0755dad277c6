package conformance

import (
	"math"

	"banditaudit/replay"
	"banditaudit/schemas"
)

// seeded replays every round with the logged seed and compares actions and,
// where the policy draws and propensities are logged, those too. After a
// mismatch it goes on with the logged action: streams belong to arms, so the
// noise of later rounds is still that of the log wherever the history is.
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
	l, err := j.openRuns(j.Mechanism.NewRunner(master, j.s.ID()), seen.observer())
	if err != nil {
		return out, err
	}
	ties := j.nearTies(l.run)
	c.allow(ties)
	var turn inTurn
	asked := c != nil || j.sink != nil && j.Mechanism.Random()
	var ahead *forecast
	if asked {
		ahead = j.forecast(l, master, drawingToo)
	}
	visit := func(answer int) error {
		arm := l.arm()
		switch {
		case l.notChosen():
		case !l.asks() && !j.Mechanism.Random(): // a draw of a seed is held against every round
		case ties.chose(l, answer, arm):
			out.Replayable++
			out.Matched++
			turn.round(true, chosenInTurn(l.run, arm, true))
		default:
			out.Replayable++
			m := &schemas.Mismatch{Round: l.round(), Logged: j.label(arm), Replayed: j.label(answer)}
			if out.FirstMismatch == nil {
				m.Gap = below(l.run, arm)
			}
			mismatched(&out, m)
			if l.run.Starting() {
				out.Starting++
			}
			turn.round(false, chosenInTurn(l.run, arm, false))
		}
		var want []float64
		if asked {
			want = ahead.of(l)
		}
		if c != nil && !l.notChosen() {
			c.round(j, l, want)
		}
		if seen != nil {
			if err := seen.besides(l); err != nil {
				return err
			}
		}
		return j.write(l, answer, want)
	}
	err = ahead.beside(func() error { return l.follow(j, visit) })
	if err == nil && c != nil {
		err = c.explain(j, master)
	}
	out.InTurn = turn.result()
	out.Released = seen.result()
	ties.result(&out)
	return out, err
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
	row := TranscriptRow{Round: l.round(), Arm: answer, Propensity: math.NaN(), Propensities: want}
	if want != nil {
		row.Propensity = want[l.arm()]
	}
	return j.sink(row)
}
