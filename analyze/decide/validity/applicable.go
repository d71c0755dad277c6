package validity

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// Precondition says whether the correction may be used, and what stands against
// it. Note is what a reader must know where it may.
type Precondition struct {
	against []corrections.NotApplicable
	Note    string
}

// OK reports whether nothing stands against it.
func (a Precondition) OK() bool { return len(a.against) == 0 }

// Reason is what stands against it, or where nothing does what a reader must know.
func (a Precondition) Reason() string {
	if a.OK() {
		return a.Note
	}
	words := make([]string, len(a.against))
	for i, o := range a.against {
		words[i] = o.String()
	}
	return strings.Join(words, "; ")
}

// And adds what stands against one number, if anything does.
func (a Precondition) And(o corrections.NotApplicable) Precondition {
	if o.Stands() {
		a.against = append(slices.Clone(a.against), o)
	}
	return a
}

// ledgerApplicable says whether bounds from the ledger hold for this log: bias
// bounds, corrected intervals and corrected p-values all need it. The ledger accounts for
// pure differential privacy, row by row, whatever definition is claimed; ρ and what it
// converts to play no part.
func (e *Evidence) ledgerApplicable() Precondition {
	var out Precondition
	switch {
	case e.Protocol.Program != nil:
		out = out.And(corrections.Against("A1", NoLedger))
	case e.Protocol.Policy == nil:
		out = out.And(corrections.Against("A1", "no policy is declared, so there is no ledger"))
	case e.Accounts.Ledger == nil:
		out = out.And(corrections.Against("A1", "no counter is declared, so there is no ledger"))
	case e.Accounts.Ledger.Epsilon().IsInf():
		out = out.And(corrections.Against("A1", fmt.Sprintf("ε of %s is infinite", e.Accounts.Ledger.Name())))
	}
	another := e.Another()
	switch {
	case another != "":
		out = out.And(corrections.Against("A1", another))
	case e.Conformance.Verdict == schemas.Verified:
		if !e.NoiseKnown {
			out.Note = fmt.Sprintf("of the declared mechanism: its noise is not recomputed, and privacy.noise is %s", e.Noise.Verdict)
		}
	default:
		out.Note = fmt.Sprintf("of the declared mechanism: policy.conformance is %s (%s)", e.Conformance.Verdict, e.Conformance.Why)
	}
	out = out.And(e.AgainstPlayed())
	if e.Noise.Verdict == schemas.Violated {
		out = out.And(corrections.Against("A1", "privacy.noise is VIOLATED, so that the accounting is not that of this log"))
	}
	switch e.Protocol.Experiment.Stopping {
	case schemas.StoppingFixed, schemas.StoppingReleased:
	default:
		out = out.And(corrections.Against("A8", "how the experiment was stopped is not declared (experiment.stopping)"))
	}
	out = e.setBy(out.And(OpenStop(e.Protocol)).And(e.Unaccounted()))
	if e.Protocol.Log.MissingReward == schemas.MissingExclude {
		out = out.And(Selected())
	}
	if !publiclog.UnitsAtHand(e.Facts.Slice) {
		out = out.And(NoUnits())
	}
	return out
}

// OpenStop says why a rule on released values may have read rewards as they are;
// nothing where it did not, or no such rule is declared.
func OpenStop(p *schemas.Protocol) corrections.NotApplicable {
	switch {
	case p.Experiment.Stopping != schemas.StoppingReleased:
	case p.Counter == nil:
		return corrections.Against("A8", "the experiment was stopped by a rule on released values, and what the rule read is not declared (counter)")
	case p.Counter.Name == schemas.CounterExact:
		return corrections.Against("A8", "the experiment was stopped by a rule on released values, and those of the counter exact are the sums of rewards as they are")
	}
	return corrections.NotApplicable{}
}

// NoUnits stands where a unit owns several rows and the
// tableau does not say which.
func NoUnits() corrections.NotApplicable {
	return corrections.Against("A4", "a unit (log.unit) owns several rows, and the units of the tableau are not at hand; ingest the log again")
}

// Selected stands where missing rewards may have been chosen
// by their value: then no accounting of noise bounds anything.
func Selected() corrections.NotApplicable {
	return corrections.Against("A8", "missing rewards are left out and may depend on the reward (missing_reward: exclude)")
}

// testApplicable adds what a hypothesis needs: that whoever chose it had not
// seen the rewards.
func (e *Evidence) testApplicable() Precondition {
	out := e.Bounds
	switch e.Protocol.Analysis.Chosen {
	case schemas.ChosenAfterRewards:
		out = out.And(corrections.Against("A5", "the tests were chosen after the rewards were seen (analysis.chosen)"))
	case "":
		out = out.And(corrections.Against("A5", "what whoever chose the hypotheses had seen is declared nowhere (analysis.chosen)"))
	}
	return out
}

// NoLedger is why nothing that rests on the ledger is known of a program.
const NoLedger = "the policy is a program (policy.exec), and nobody knows what the program makes of a reward, so there is no ledger"
