package validity

import (
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// Evidence is what log and replay say of the declared mechanism, and with it what
// may be said of rewards.
type Evidence struct {
	Accounts *corrections.Accounts
	Facts    *publiclog.Facts
	Protocol *schemas.Protocol
	Replayed *schemas.Conformance // of Accounts; nil where none was run

	WhyMisallocated string          // what contradicts that arms were played with the probabilities that are known; "" where nothing does, or no check was run yet
	Unlike          string          // how checks contradict declared or recomputed probabilities; "" where they do not, or were not run yet
	UnlikeIn        string          // the arms and rounds in which; "" likewise
	Conformance     reasonedVerdict // policy.conformance
	Noise           reasonedVerdict // privacy.noise
	NoiseKnown      bool            // nothing that the policy read has noise that was not recomputed from a seed
	Bounds          Precondition    // bounds from the ledger
	Corrections     Precondition    // corrected p-values of what was chosen after the actions
}

// reasonedVerdict is a verdict with its reason.
type reasonedVerdict struct {
	schemas.Verdict

	Why string
}

// Weigh comes to the evidence.
func Weigh(a *corrections.Accounts) *Evidence {
	e := &Evidence{Accounts: a, Facts: a.Facts, Protocol: a.Protocol, Replayed: a.Replayed}
	e.weigh()
	return e
}

// weigh decides what may be said, with what checks found so far.
func (e *Evidence) weigh() {
	judge := e.judgeConformance
	if e.Protocol.Program != nil {
		judge = e.judgeProgram
	}
	e.Conformance.Verdict, e.Conformance.Why = judge()
	e.Noise.Verdict, e.Noise.Why = e.judgeNoise()
	e.NoiseKnown = !ReadsNoise(e.Facts.Log) || e.Replayed != nil && e.Replayed.Mode == schemas.ModeSeed
	e.Bounds = e.ledgerApplicable()
	e.Corrections = e.testApplicable()
}

// Contradict takes up that arms were found to be played otherwise than with the
// probabilities that are known: all that rests on the declared mechanism is decided anew.
// Where check H17 finds it of declared ones, and H05 or H17 of recomputed ones that stand in
// for logged ones, policy.conformance is VIOLATED.
func (e *Evidence) Contradict(al *allocation.Allocation) {
	if f := al.Footing(e.Facts.Names()); f.Misplayed {
		e.WhyMisallocated = f.MisplayedBy()
		e.unlike(al)
		e.weigh()
	}
}

// AgainstPlayed stands where the ledger does not account for what chose the arms, though
// the declared policy's own propensities may stand in the log: arms that were not played
// with them may have followed rewards. A seed that gives every arm says what chose them,
// where it read the rewards in the order of the log.
func (e *Evidence) AgainstPlayed() corrections.NotApplicable {
	if e.WhyMisallocated == "" || e.Facts.Mechanism == nil || e.Facts.Mechanism.ReadsRewards() && e.Conformance.Verdict == schemas.Verified {
		return corrections.NotApplicable{}
	}
	return corrections.Against("A1", "the arms were not played with the probabilities of the declared policy ("+e.WhyMisallocated+"): whatever they followed may have been rewards")
}

// Qualify is the phrase that stands behind a number where conformance is below
// VERIFIED, or the noise is not recomputed.
func (e *Evidence) Qualify() string {
	if e.Conformance.Verdict == schemas.Verified && e.NoiseKnown {
		return ""
	}
	return " of the declared mechanism"
}

// QualifyBound is Qualify where anything is corrected at all.
func (e *Evidence) QualifyBound() string {
	if !e.Corrections.OK() {
		return ""
	}
	return e.Qualify()
}

// Another says why another mechanism than the declared one made the log, as far as the
// accounting is concerned; "" where nothing says so.
func (e *Evidence) Another() string {
	switch {
	case e.Conformance.Verdict == schemas.Violated:
		return "policy.conformance is VIOLATED"
	case e.Replayed != nil && e.Replayed.PlaysInTurn():
		return "policy.conformance is " + string(e.Conformance.Verdict) + ": it counts its plays otherwise"
	}
	return ""
}

// Shares is what was found of propensities that are shares of draws; nil for nothing.
func (e *Evidence) Shares() *schemas.PropensityDraws {
	if e.Replayed == nil || e.Replayed.Propensities == nil {
		return nil
	}
	return e.Replayed.Propensities.Draws
}
