package conformance

import (
	"fmt"

	"banditaudit/schemas"
)

// byPropensities is the evidence of the logged propensities.
func byPropensities() evidence {
	return evidence{there: func(j *job) bool { return j.mechanism.PropensitiesKnown() && j.s.HasPropensity() }, pass: (*job).propensities}
}

// propensities compares every logged propensity, of the logged action or of all
// arms, with the policy's own, recomputed on the logged history (see
// comparison).
//
// Later rounds of a unit that carry the propensities of its first are not among the
// replayable ones where they differ (see keptDraws).
//
// A log can match and still not have been written by the policy: whether
// actions were drawn with these propensities is a test of the allocation, and of the law
// of a policy that reads rewards (see lawHeld).
func (j *job) propensities() (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModePropensity, Rounds: j.chosen()}
	c, err := j.compare()
	if err != nil {
		return out, err
	}
	l, err := j.open()
	if err != nil {
		return out, err
	}
	ties := j.nearTies(l.run)
	c.allow(ties)
	l.units = j.unitArms()
	w, ahead := j.drawing(ties), j.forecast(l, [32]byte{}, comparingOnly)
	err = ahead.beside(func() error {
		return l.follow(j, func(int) error {
			if l.notChosen() {
				return j.write(l, -1, nil)
			}
			want := ahead.of(l)
			c.round(j, l, want)
			w.round(l, want)
			return j.write(l, -1, want)
		})
	})
	if err == nil {
		err = c.explain(j, [32]byte{})
	}
	ties.result(&out)
	if c.out.Draws == nil { // else arms were drawn with the logged shares, of which the policy's propensities are the mean alone
		out.Law = w.result()
	}
	out.Replayable, out.Matched, out.Propensities, out.Starting = c.out.Rounds, c.out.Matched, &c.out, c.out.Starting
	out.InTurn = c.out.InTurn
	if d := c.out.Draws; d != nil && !d.Contradict() {
		out.Replayable = c.out.Matched // the others are none that draws give, and were left out
	}
	if c.last > 0 {
		out.LastMismatch = new(c.last)
	}
	if m := c.out.FirstMismatch; m != nil {
		out.FirstMismatch = &schemas.Mismatch{
			Round:    m.Round,
			Logged:   fmt.Sprintf("%s with propensity %g", m.Arm, m.Logged),
			Replayed: fmt.Sprintf("%s with propensity %g", m.Arm, m.Replayed),
		}
	}
	return out, err
}

// unheld is no evidence, of a policy whose propensities the transcript has.
func unheld() evidence {
	return evidence{
		there: func(j *job) bool { return j.mechanism.PropensitiesKnown() && j.sink != nil },
		pass:  func(j *job) (schemas.Conformance, error) { return j.none(), j.recompute() },
	}
}

// recompute writes the policy's propensities into the transcript of a log that
// has none.
func (j *job) recompute() error {
	l, err := j.open()
	if err != nil {
		return err
	}
	ahead := j.forecast(l, [32]byte{}, comparingOnly)
	return ahead.beside(func() error {
		return l.follow(j, func(int) error { return j.write(l, -1, ahead.of(l)) })
	})
}
