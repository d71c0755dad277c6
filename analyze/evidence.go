package analyze

import (
	"banditaudit/analyze/accounts"
	"banditaudit/analyze/allocation"
	"banditaudit/analyze/facts"
	"banditaudit/schemas"
	"fmt"
	"math"
	"strings"
)

// evidence is what log and replay say of the declared mechanism, and with it what
// may be said of rewards.
type evidence struct {
	*accounts.Accounts
	conformance judgement  // policy.conformance
	noise       judgement  // privacy.noise
	noiseKnown  bool       // nothing that the policy read has noise that was not recomputed from a seed
	bounds      applicable // bounds from the ledger
	corrections applicable // corrected p-values of what was chosen after the actions
}

// judgement is a verdict with its reason.
type judgement struct {
	schemas.Verdict
	why string
}

// weigh comes to the evidence.
func weigh(a *accounts.Accounts) *evidence {
	e := &evidence{Accounts: a}
	judge := e.judgeConformance
	if e.Protocol.Program != nil {
		judge = e.judgeProgram
	}
	e.conformance.Verdict, e.conformance.why = judge()
	e.noise.Verdict, e.noise.why = e.judgeNoise()
	e.noiseKnown = !reads(a.Log) || a.Replayed != nil && a.Replayed.Conformance.Mode == schemas.ModeSeed
	e.bounds = e.ledgerApplicable()
	e.corrections = e.testApplicable()
	return e
}

// contradict takes up that check H17 found arms to be played otherwise than with the
// declared probabilities: policy.conformance is then VIOLATED, and all that rests on it
// is decided anew.
func (e *evidence) contradict(al *allocation.Allocation) {
	if !allocation.ByDeclared(e.Log) || !al.Splits.Rejected() || e.conformance.Verdict == schemas.Violated {
		return
	}
	e.Unlike = "the arms were not played with their declared probabilities in all rounds (check H17): " + al.Splits.Contradiction(e.Names()) +
		fmt.Sprintf(" (%s, level %.3g): ", schemas.PIs(math.Exp(-al.Splits.Result.LogE)), allocation.SplitsLevel(e.Log)) + e.FalseDraws(facts.CommonLevel(e.Manifest))
	if allocation.BySeed(e.Log) {
		e.Unlike += ". The seed gives the actions: the rounds were then numbered, chosen or dropped by something that the arms follow, after the arms were known"
	}
	if dealt := al.Splits.Dealt.Words(e.Names()); dealt != "" {
		e.Unlike += ". " + strings.TrimSuffix(dealt, ".")
	}
	*e = *weigh(e.Accounts)
}

// qualify is the phrase that stands behind a number where conformance is below
// VERIFIED, or the noise is not recomputed.
func (e *evidence) qualify() string {
	if e.conformance.Verdict == schemas.Verified && e.noiseKnown {
		return ""
	}
	return " of the declared mechanism"
}

// qualifyBound is qualify where anything is corrected at all.
func (e *evidence) qualifyBound() string {
	if !e.corrections.ok() {
		return ""
	}
	return e.qualify()
}

// another says why the log is that of another mechanism than the declared, as far as
// what is accounted of that goes; "" where nothing says so.
func (e *evidence) another() string {
	switch {
	case e.conformance.Verdict == schemas.Violated:
		return "policy.conformance is VIOLATED"
	case e.Replayed != nil && e.Replayed.Conformance.PlaysInTurn():
		return "policy.conformance is " + string(e.conformance.Verdict) + ": it counts its plays otherwise"
	}
	return ""
}

// shares is what was found of propensities that are shares of draws; nil for nothing.
func (e *evidence) shares() *schemas.PropensityDraws {
	if e.Replayed == nil || e.Replayed.Conformance.Propensities == nil {
		return nil
	}
	return e.Replayed.Conformance.Propensities.Draws
}
