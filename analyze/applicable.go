package analyze

import (
	"banditaudit/analyze/accounts"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/allocation"
	"banditaudit/analyze/facts"
	"banditaudit/schemas"
)

// applicable says whether the correction may be used, and what stands against
// it. Note is what a reader must know where it may.
type applicable struct {
	against []accounts.Objection
	note    string
}

func (a applicable) ok() bool { return len(a.against) == 0 }

func (a applicable) reason() string {
	if a.ok() {
		return a.note
	}
	words := make([]string, len(a.against))
	for i, o := range a.against {
		words[i] = o.String()
	}
	return strings.Join(words, "; ")
}

// and adds what stands against one number, if anything does.
func (a applicable) and(o accounts.Objection) applicable {
	if o.Stands() {
		a.against = append(slices.Clone(a.against), o)
	}
	return a
}

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

// ledgerApplicable says whether bounds from the ledger hold for this log: bias
// bounds, corrected intervals and corrected p-values all need it. The ledger is
// that of pure differential privacy, row by row, whatever definition is
// claimed; ρ and what it converts to play no part.
func (e *evidence) ledgerApplicable() applicable {
	var out applicable
	switch {
	case e.Protocol.Program != nil:
		out = out.and(accounts.Against("A1", noLedger))
	case e.Protocol.Policy == nil:
		out = out.and(accounts.Against("A1", "no policy is declared, so there is no ledger"))
	case e.Ledger == nil:
		out = out.and(accounts.Against("A1", "no counter is declared, so there is no ledger"))
	case e.Ledger.Epsilon().IsInf():
		out = out.and(accounts.Against("A1", fmt.Sprintf("ε of %s is infinite", e.Ledger.Name())))
	}
	another := e.another()
	switch {
	case another != "":
		out = out.and(accounts.Against("A1", another))
	case e.conformance.Verdict == schemas.Verified:
		if !e.noiseKnown {
			out.note = fmt.Sprintf("of the declared mechanism: its noise is not recomputed, and privacy.noise is %s", e.noise.Verdict)
		}
	default:
		out.note = fmt.Sprintf("of the declared mechanism: policy.conformance is %s (%s)", e.conformance.Verdict, e.conformance.why)
	}
	if e.noise.Verdict == schemas.Violated {
		out = out.and(accounts.Against("A1", "privacy.noise is VIOLATED, so that the accounting is not that of this log"))
	}
	switch e.Protocol.Experiment.Stopping {
	case schemas.StoppingFixed, schemas.StoppingReleased:
	default:
		out = out.and(accounts.Against("A8", "how the experiment was stopped is not declared (experiment.stopping)"))
	}
	out = e.setBy(out.and(openStop(e.Protocol)))
	if e.Protocol.Log.MissingReward == schemas.MissingExclude {
		out = out.and(selected())
	}
	if !facts.UnitsAtHand(e.Slice) {
		out = out.and(noUnits())
	}
	return out
}

// openStop says why a rule on released values may have read rewards as they are;
// nothing where it did not, or no such rule is declared.
func openStop(p *schemas.Protocol) accounts.Objection {
	switch {
	case p.Experiment.Stopping != schemas.StoppingReleased:
	case p.Counter == nil:
		return accounts.Against("A8", "the experiment was stopped by a rule on released values, and what the rule read is not declared (counter)")
	case p.Counter.Name == counterExact:
		return accounts.Against("A8", "the experiment was stopped by a rule on released values, and those of the counter exact are the sums of rewards as they are")
	}
	return accounts.Objection{}
}

// noUnits stands where a unit owns several rows and the
// tableau does not say which.
func noUnits() accounts.Objection {
	return accounts.Against("A4", "a unit (log.unit) owns several rows, and the units of the tableau are not at hand; ingest the log again")
}

// selected stands where missing rewards may have been chosen
// by their value: then no accounting of noise bounds anything.
func selected() accounts.Objection {
	return accounts.Against("A8", "missing rewards are left out and may depend on the reward (missing_reward: exclude)")
}

// testApplicable adds what a hypothesis needs: that whoever chose it had not
// seen the rewards.
func (e *evidence) testApplicable() applicable {
	out := e.bounds
	switch e.Protocol.Analysis.Chosen {
	case schemas.ChosenAfterRewards:
		out = out.and(accounts.Against("A5", "the tests were chosen after the rewards were seen (analysis.chosen)"))
	case "":
		out = out.and(accounts.Against("A5", "what whoever chose the hypotheses had seen is declared nowhere (analysis.chosen)"))
	}
	return out
}

// qualifyBound is qualify where anything is corrected at all.
func (e *evidence) qualifyBound() string {
	if !e.corrections.ok() {
		return ""
	}
	return e.qualify()
}

// qualify is the phrase that stands behind a number where conformance is below
// VERIFIED, or the noise is not recomputed.
func (e *evidence) qualify() string {
	if e.conformance.Verdict == schemas.Verified && e.noiseKnown {
		return ""
	}
	return " of the declared mechanism"
}

// contradict takes up that check H17 found arms to be played otherwise than with the
// declared probabilities: policy.conformance is then VIOLATED, and all that rests on it
// is decided anew.
func (s *sample) contradict(al *allocation.Allocation) {
	if !allocation.ByDeclared(s.Log) || !al.Splits.Rejected() || s.conformance.Verdict == schemas.Violated {
		return
	}
	s.Unlike = "the arms were not played with their declared probabilities in all rounds (check H17): " + al.Splits.Contradiction(s.Names()) +
		fmt.Sprintf(" (%s, level %.3g): ", schemas.PIs(math.Exp(-al.Splits.Result.LogE)), allocation.SplitsLevel(s.Log)) + s.FalseDraws(facts.CommonLevel(s.Manifest))
	if allocation.BySeed(s.Log) {
		s.Unlike += ". The seed gives the actions: the rounds were then numbered, chosen or dropped by something that the arms follow, after the arms were known"
	}
	if dealt := al.Splits.Dealt.Words(s.Names()); dealt != "" {
		s.Unlike += ". " + strings.TrimSuffix(dealt, ".")
	}
	*s.evidence = *weigh(s.Accounts)
}
