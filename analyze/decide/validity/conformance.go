package validity

import (
	"cmp"
	"fmt"

	"banditaudit/analyze/log/allocation"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// judgeConformance is the verdict on policy.conformance with its reason.
func (e *Evidence) judgeConformance() (schemas.Verdict, string) {
	switch {
	case e.Protocol.Policy == nil:
		return schemas.NotApplicable, "no policy is declared"
	case e.Accounts.Against != nil:
		return schemas.Violated, "the declared mechanism did not write this log: " + e.Accounts.Against.Words
	case e.Replayed == nil:
		return schemas.NotRun, "replay was not run; pass --replay"
	}
	r := e.Replayed
	if why := cmp.Or(e.sampled(r), e.excused(r)); why != "" {
		return schemas.NotEstablished, why
	}
	if why := e.disagrees(r); why != "" {
		return schemas.Violated, why + rewardsWords(r.Rewards) + e.orderWords()
	}
	switch {
	case r.PlaysInTurn():
		return schemas.NotEstablished, inTurnWords(r)
	case undrawn(r.Propensities):
		return schemas.NotEstablished, r.Propensities.Draws.Words
	case e.Facts.Drawn.Open() != "" && e.drawnDiffers(r):
		return schemas.NotEstablished, mismatchWords(e.Facts.Log, r) + "; " + e.Facts.Drawn.Open()
	case e.Facts.Drawn.Open() != "" && r.Released != nil && r.Released.Allocation != nil:
		return schemas.NotEstablished, e.Facts.Drawn.Open()
	case e.keptThroughout(r):
		return schemas.Consistent, fmt.Sprintf("in the first rounds of %s the logged action is the policy's, and in all %s the unit keeps it (%s)", schemas.Counted(r.Matched, "unit"), schemas.Counted(e.Facts.Sticky.Later, "later round"), e.Protocol.DrawWords())
	case e.Facts.Drawn.None() && r.Mode != schemas.ModeNone && r.Replayable == 0:
		return schemas.NotEstablished, e.Facts.Drawn.Open()
	case r.Mode == schemas.ModeNone || r.Mode != schemas.ModeReleased && r.Replayable == 0:
		return schemas.NotEstablished, nothingToReplayFrom(e.Facts.Log)
	case r.Mode == schemas.ModeSeed && r.Matched == r.Rounds:
		return chosenVerdict(r)
	case r.Mode == schemas.ModeLaw:
		return e.lawVerdict(r)
	case r.Mode == schemas.ModePropensity && r.Propensities.Draws != nil:
		return schemas.Consistent, r.Propensities.Draws.Words + keptWords(r.Propensities) + "; whether arms were drawn with them is allocation.matches_propensity"
	case r.Mode == schemas.ModePropensity && r.Rests():
		return schemas.Consistent, choiceWords(r) + "; " + equalWords(r.Propensities) + keptWords(r.Propensities)
	case r.Mode == schemas.ModePropensity:
		return schemas.Consistent, equalWords(r.Propensities) + keptWords(r.Propensities) + e.computedWords(r.Propensities) + "; whether arms were drawn with them is allocation.matches_propensity"
	case r.Mode == schemas.ModeReleased && r.Released != nil:
		return e.releasedConforms(r)
	}
	return schemas.NotEstablished, e.partly(r)
}

// undrawn reports whether logged propensities may be shares of draws, and that they
// are is not established.
func undrawn(p *schemas.PropensityReplay) bool {
	return p != nil && p.Draws != nil && p.Draws.Verdict == schemas.NotEstablished
}

// drawnDiffers reports whether a seed does not give the actions of a policy that
// draws: where rounds may share a draw that contradicts nothing.
func (e *Evidence) drawnDiffers(r *schemas.Conformance) bool {
	return r.Mode == schemas.ModeSeed && r.FirstMismatch != nil && e.Facts.Mechanism.Random()
}

// keptThroughout reports whether a policy that draws nothing chose the action of
// every unit's first round, and every unit kept it, which is then all of the log.
func (e *Evidence) keptThroughout(r *schemas.Conformance) bool {
	units := e.Facts.Sticky
	return e.Facts.Drawn == conformance.DrawsByUnit && !e.Facts.Mechanism.Random() && (r.Mode == schemas.ModeSeed || r.Mode == schemas.ModeReleased) &&
		r.Matched == r.Replayable && units != nil && r.Replayable+units.Still.Rounds == r.Rounds
}

// partly says that some rounds could not be replayed, and why where a unit keeps its
// arm.
func (e *Evidence) partly(r *schemas.Conformance) string {
	out := fmt.Sprintf("%s of %s could be replayed", schemas.Grouped(r.Replayable), schemas.Counted(r.Rounds, "round"))
	if e.Facts.Drawn != conformance.DrawsByUnit || r.Replayable != e.Facts.Slice.UnitCount() {
		return out
	}
	out += ", the first of each unit: a unit keeps its arm (" + e.Protocol.DrawWords() + ")"
	units := e.Facts.Sticky
	if units == nil {
		return out + ", and the tableau holds no order of units by which that could be looked at"
	}
	out += " while the weights stand still"
	if open := units.Later - units.Still.Rounds; open > 0 {
		out += fmt.Sprintf(", and in %s it is not known whether they had changed since the unit's first round; name the versions of the weights in log.batch, with policy.update: batch", schemas.Counted(open, "later round"))
	}
	return out
}

// roundedAway is how often as many rounds there have to be as rounding leaves
// undecided, for what remains to say something of all.
const roundedAway = 20

// releasedConforms is the verdict on a log whose actions agree with what the
// policy saw. What it saw is taken as it is logged: whether that has the declared
// noise is privacy.noise.
func (e *Evidence) releasedConforms(r *schemas.Conformance) (schemas.Verdict, string) {
	x, asked := r.Released, e.Facts.Declared.Asked(e.Facts.Slice)
	switch {
	case x.Rounding != nil && roundedAway*(asked-r.Replayable) > asked, x.Rounding != nil && x.Allocation == nil && r.Replayable < asked:
		return schemas.NotEstablished, e.partly(r) + fmt.Sprintf("; in the others the released values, which are logged with less than full precision (off by up to %.3g), do not decide what the policy did: log them in full", *x.Rounding)
	case x.Allocation != nil:
		why := fmt.Sprintf("given the released values, no wager against the recomputed propensities of any arm%s reaches level %.3g (%s)", allocation.BeforeWords(x.Allocation), x.Allocation.Level, schemas.PIs(x.Allocation.P))
		switch p := r.Propensities; {
		case p == nil:
		case p.Draws != nil:
			why += "; " + p.Draws.Words + keptWords(p)
		default:
			why += "; " + equalWords(p) + keptWords(p)
		}
		if r.Rests() {
			why = choiceWords(r) + "; " + why
		}
		return schemas.Consistent, why
	case r.Replayable < r.Rounds:
		return schemas.NotEstablished, e.partly(r)
	case r.Rests():
		return schemas.Consistent, choiceWords(r) + "; given the released values, which are taken as they are logged"
	}
	return schemas.Verified, "given the released values, which are taken as they are logged: whether they have the declared noise is privacy.noise"
}
