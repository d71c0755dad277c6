package conformance

import (
	"math"

	"banditaudit/schemas"
)

// seeded replays every round with the logged seed and compares actions and,
// where the policy draws and propensities are logged, those too. After a
// mismatch it goes on with the logged action: streams belong to arms, so the
// noise of later rounds is still that of the log wherever the history is.
func (j *job) seeded(master [32]byte) (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeSeed, Rounds: j.s.Rows()}
	var c *comparison
	if j.Mechanism.Random() && j.s.HasPropensity() {
		var err error
		if c, err = j.compare(); err != nil {
			return out, err
		}
		out.Propensities = &c.out
	}
	l, err := j.open(master)
	if err != nil {
		return out, err
	}
	err = l.follow(j, func(answer int) error {
		arm := l.arm()
		out.Replayable++
		if answer == arm {
			out.Matched++
		} else if out.FirstMismatch == nil {
			out.FirstMismatch = &schemas.Mismatch{Round: l.round(), Logged: j.label(arm), Replayed: j.label(answer)}
		}
		var want []float64
		if c != nil {
			want = l.run.Propensities()
			c.round(j, l, want)
		}
		return j.answered(l, answer, want)
	})
	if err == nil && c != nil {
		err = c.explain(j, master)
	}
	return out, err
}

// answered writes a round with the policy's choice into the transcript; want
// are the propensities of all arms, nil where they were not yet computed.
func (j *job) answered(l *logged, answer int, want []float64) error {
	if j.sink == nil {
		return nil
	}
	row := TranscriptRow{Round: l.round(), Arm: answer, Propensity: math.NaN()}
	switch {
	case want != nil:
		row.Propensity = want[l.arm()]
	case j.Mechanism.Random():
		row.Propensity = l.run.Propensity(l.arm())
	}
	return j.sink(row)
}
