package conformance

import "banditaudit/replay"

// inTurn counts what a replay would find where the policy counted its own plays as they
// come. Among arms of which no reward is known it takes the one that was played least;
// where it learns at updates it counts plays as of the last, and goes on with one arm
// until the next, where a program that counts them itself goes through the arms in turn.
// Nothing else of the two differs on the logged history.
type inTurn struct{ mended, broken int64 }

// round takes a round that matches or does not, and whether it would.
func (t *inTurn) round(matches, would bool) {
	switch {
	case would && !matches:
		t.mended++
	case matches && !would:
		t.broken++
	}
}

// result is what InTurn of the results has.
func (t *inTurn) result() int64 {
	if t.broken > 0 {
		return 0
	}
	return t.mended
}

// counts reports whether the round that a run has entered may be another one where plays
// are counted as they come.
func counts(run *replay.Runner) bool { return run.Starting() && run.Behind() && !run.Explored() }

// chosenInTurn reports whether arm is then the choice, where the policy's own matches or not.
func chosenInTurn(run *replay.Runner, arm int, matches bool) bool {
	if !counts(run) {
		return matches
	}
	best, all := 0, run.Counting()
	for a, p := range all {
		if p > all[best] {
			best = a
		}
	}
	return best == arm
}
