package conformance

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// tolerance is the relative difference up to which a logged propensity counts
// as the recomputed one: room for a few roundings, and for nothing else.
const tolerance = 1e-9

// propensities compares every logged propensity with the policy's own,
// recomputed on the logged history:
//
//	|p − q| ≤ 10⁻⁹·max(p, q)
//
// A log can match and still not have been written by the policy: whether
// actions were drawn with these propensities is a test of the allocation.
func (j *job) propensities() (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModePropensity, Rounds: j.s.Rows()}
	l, err := j.open([32]byte{}) // what the stream draws decides nothing here
	if err != nil {
		return out, err
	}
	err = l.follow(j, func(int) error {
		got, want := l.propensity(), l.run.Propensity(l.arm())
		out.Replayable++
		if math.Abs(got-want) <= tolerance*math.Max(got, want) {
			out.Matched++
		} else if out.FirstMismatch == nil {
			label := j.label(l.arm())
			out.FirstMismatch = &schemas.Mismatch{
				Round:    l.round(),
				Logged:   fmt.Sprintf("%s with propensity %g", label, got),
				Replayed: fmt.Sprintf("%s with propensity %g", label, want),
			}
		}
		return j.write(l.round(), want)
	})
	return out, err
}

// recompute writes the policy's propensities into the transcript of a log that
// has none.
func (j *job) recompute() error {
	l, err := j.open([32]byte{})
	if err != nil {
		return err
	}
	return l.follow(j, func(int) error { return j.write(l.round(), l.run.Propensity(l.arm())) })
}

// write adds a row without an arm: no seed, so the choice is not known.
func (j *job) write(round int64, propensity float64) error {
	if j.sink == nil {
		return nil
	}
	return j.sink(TranscriptRow{Round: round, Arm: -1, Propensity: propensity})
}
