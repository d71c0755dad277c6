package validity

import (
	"banditaudit/analyze/log/allocation"
	"banditaudit/schemas"
)

// Failing counts what of a replay contradicts the declared policy, one by one: what disagrees
// says in words. It is nil where nothing of the kind does: where arms contradict probabilities
// over many rounds, no single round fails.
func (e *Evidence) Failing(r *schemas.Conformance) []schemas.Failing {
	if e.Accounts.Against != nil || e.Conformance.Verdict != schemas.Violated {
		return nil
	}
	if e.Protocol.Program != nil {
		return actionsFailing(r)
	}
	if allocation.NotPulled(e.Facts, r) != "" || e.Unlike != "" {
		return nil
	}
	switch inTurn := r.PlaysInTurn(); {
	case !inTurn && r.Mode != schemas.ModeSeed && propensitiesDiffer(r):
		return append(releasedActions(r.Released), propensitiesFailing(r.Propensities)...)
	case e.Facts.Moves() != "":
		return e.Facts.MovedRounds()
	case inTurn:
		return releasedFailing(r)
	case r.FirstMismatch != nil && (e.Facts.Drawn.Open() == "" || !e.drawnDiffers(r)), r.Matched < r.Replayable && r.FirstMismatch == nil:
		out := actionsFailing(r)
		if r.Mode == schemas.ModeSeed && propensitiesDiffer(r) {
			out = append(out, propensitiesFailing(r.Propensities)...)
		}
		return out
	case propensitiesDiffer(r):
		return propensitiesFailing(r.Propensities)
	}
	return releasedFailing(r)
}

// propensitiesDiffer reports whether some logged propensity is not the policy's.
func propensitiesDiffer(r *schemas.Conformance) bool {
	return r.Propensities != nil && r.Propensities.FirstMismatch != nil
}

// actionsFailing counts the actions that the policy does not choose; of a law, or a program
// that answers propensities, those to which it gives the propensity 0. Behind the first that
// differs a program that does not learn the logged actions is not compared.
func actionsFailing(r *schemas.Conformance) []schemas.Failing {
	var out []schemas.Failing
	count, kind := r.Replayable-r.Matched, schemas.FailingAction
	if r.Law != nil {
		count, kind = r.Law.Impossible, schemas.FailingImpossible
	} else if r.Mode == schemas.ModeReleased && r.Released != nil && r.Released.Allocation != nil {
		kind = schemas.FailingImpossible
	}
	if count > 0 {
		out = append(out, schemas.Failing{Kind: kind, Count: count, Of: r.Replayable, First: firstAction(r.FirstMismatch, kind)})
	}
	if len(out) == 0 && propensitiesDiffer(r) {
		return propensitiesFailing(r.Propensities)
	}
	return out
}

// firstAction is the first action that is not the policy's; nil where it is not known.
func firstAction(m *schemas.Mismatch, kind string) *schemas.FirstFailing {
	if m == nil {
		return nil
	}
	out := &schemas.FirstFailing{Round: m.Round, Logged: m.Logged, Expected: m.Replayed}
	if kind == schemas.FailingImpossible {
		out.Expected = "" // it draws one of several
	}
	return out
}

// releasedActions counts the actions that the policy does not choose by the released values.
func releasedActions(x *schemas.ReleasedReplay) []schemas.Failing {
	if x == nil || x.FirstMismatch == nil || x.Matched >= x.Replayable {
		return nil
	}
	kind := schemas.FailingAction
	if x.Allocation != nil {
		kind = schemas.FailingImpossible
	}
	return []schemas.Failing{{Kind: kind, Count: x.Replayable - x.Matched, Of: x.Replayable, First: firstAction(x.FirstMismatch, kind)}}
}

// propensitiesFailing counts the rounds whose logged propensities are not the policy's; none
// where they are compared as shares of draws, which no single round contradicts.
func propensitiesFailing(p *schemas.PropensityReplay) []schemas.Failing {
	if p == nil || p.FirstMismatch == nil || p.Draws != nil || p.Matched >= p.Rounds {
		return nil
	}
	m := p.FirstMismatch
	return []schemas.Failing{{
		Kind: schemas.FailingPropensity, Count: p.Rounds - p.Matched, Of: p.Rounds,
		First: &schemas.FirstFailing{Round: m.Round, Arm: m.Arm, LoggedValue: schemas.Finite(m.Logged), ExpectedValue: schemas.Finite(m.Replayed)},
	}}
}

// releasedFailing counts the released values that the declared counter does not release, else
// those that changed although nothing was released.
func releasedFailing(r *schemas.Conformance) []schemas.Failing {
	switch x := r.Released; {
	case x == nil:
	case x.FirstDiffer != nil && x.Differ > 0:
		m := x.FirstDiffer
		return []schemas.Failing{{Kind: schemas.FailingReleased, Count: x.Differ, Of: x.Compared, First: &schemas.FirstFailing{Round: m.Round, Arm: m.Arm, LoggedValue: schemas.Finite(m.Logged)}}}
	case x.Allocation != nil && x.Allocation.Rejected:
	case otherSchedule(x):
		return redrawnFailing(x)
	}
	return nil
}

// redrawnFailing counts the released values that changed although nothing was released.
func redrawnFailing(x *schemas.ReleasedReplay) []schemas.Failing {
	out := schemas.Failing{Kind: schemas.FailingRedrawn, Count: x.Changed}
	if m := x.FirstChanged; m != nil {
		out.First = &schemas.FirstFailing{Round: m.Round, Arm: m.Arm, LoggedValue: schemas.Finite(m.Logged), ExpectedValue: schemas.Finite(m.Expected)}
	}
	return []schemas.Failing{out}
}

// NoiseFailing counts the released values that contradict the declared noise one by one: those
// that changed although nothing was released, and those off the declared grid. It is nil where
// the law of the draws is what is contradicted, of which no single draw fails.
func NoiseFailing(p *schemas.Protocol, x *schemas.ReleasedReplay) []schemas.Failing {
	var out []schemas.Failing
	if x == nil || x.Shared != nil {
		return nil
	}
	if x.Redrawn > 0 {
		out = redrawnFailing(x)
	}
	if x.Noise != nil && OffGrid(p, x.Noise) {
		off := schemas.Failing{Kind: schemas.FailingOffGrid, Count: x.Noise.OffGrid}
		if m := x.Noise.FirstOffGrid; m != nil {
			off.First = &schemas.FirstFailing{Round: m.Round, Arm: m.Arm, LoggedValue: &m.Logged}
		}
		out = append(out, off)
	}
	return out
}
