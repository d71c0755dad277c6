package conformance

import (
	"math"

	"banditaudit/schemas"
)

// seeded replays every round with the logged seed and compares actions. After
// a mismatch it goes on with the logged action: streams belong to arms, so the
// noise of later rounds is still that of the log wherever the history is.
func (j *job) seeded(master [32]byte) (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeSeed, Rounds: j.s.Rows()}
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
		if j.sink == nil {
			return nil
		}
		row := TranscriptRow{Round: l.round(), Arm: answer, Propensity: math.NaN()}
		if j.Mechanism.Random() {
			row.Propensity = l.run.Propensity(arm)
		}
		return j.sink(row)
	})
	return out, err
}
