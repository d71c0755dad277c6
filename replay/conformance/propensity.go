package conformance

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// tolerance is the relative difference up to which a logged propensity counts
// as the recomputed one: room for a few roundings, and for nothing else.
const tolerance = 1e-9

// propensities compares every logged propensity, of the logged action or of all
// arms, with the policy's own, recomputed on the logged history:
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
		out.Replayable++
		want := l.run.Propensities()
		if arm, got := differs(l, want); arm < 0 {
			out.Matched++
		} else if out.FirstMismatch == nil {
			out.FirstMismatch = &schemas.Mismatch{
				Round:    l.round(),
				Logged:   fmt.Sprintf("%s with propensity %g", j.label(arm), got),
				Replayed: fmt.Sprintf("%s with propensity %g", j.label(arm), want[arm]),
			}
		}
		return j.write(l.round(), want[l.arm()])
	})
	return out, err
}

// differs returns the first arm whose logged propensity is not the one wanted,
// the logged arm before all others, and what is logged of it; -1 for none.
func differs(l *logged, want []float64) (arm int, got float64) {
	same := func(p, q float64) bool { return math.Abs(p-q) <= tolerance*math.Max(p, q) }
	if p := l.propensity(); !same(p, want[l.arm()]) {
		return l.arm(), p
	}
	for a, p := range l.propensities() {
		if !same(p, want[a]) {
			return a, p
		}
	}
	return -1, 0
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
