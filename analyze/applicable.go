package analyze

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// applicable says whether the correction may be used, and what stands against
// it. Note is what a reader must know where it may.
type applicable struct {
	reasons []string
	note    string
}

func (a applicable) ok() bool { return len(a.reasons) == 0 }

func (a applicable) reason() string {
	if a.ok() {
		return a.note
	}
	return strings.Join(a.reasons, "; ")
}

// and adds what stands against one test, "" where nothing does.
func (a applicable) and(against string) applicable {
	if against == "" {
		return a
	}
	return applicable{append(slices.Clone(a.reasons), against), a.note}
}

// ledgerApplicable says whether bounds from the ledger hold for this log: bias
// bounds, corrected intervals and corrected p-values all need it. The ledger is
// that of pure differential privacy, row by row, whatever definition is
// claimed; ρ and what it converts to play no part.
func (a *analysis) ledgerApplicable() applicable {
	var out applicable
	switch {
	case a.Protocol.Policy == nil:
		out.reasons = append(out.reasons, "A1: no policy is declared, so there is no ledger")
	case a.law == nil:
		out.reasons = append(out.reasons, "A1: no counter is declared, so there is no ledger")
	case a.law.Epsilon().IsInf():
		out.reasons = append(out.reasons, fmt.Sprintf("A1: ε of %s is infinite", a.law.Name()))
	}
	switch verdict, why := a.conformance(); verdict {
	case schemas.Violated:
		out.reasons = append(out.reasons, "A1: policy.conformance is VIOLATED")
	case schemas.Verified:
		if !a.noiseKnown() {
			noise, _ := a.noise()
			out.note = fmt.Sprintf("of the declared mechanism: its noise is not recomputed, and privacy.noise is %s", noise)
		}
	default:
		out.note = fmt.Sprintf("of the declared mechanism: policy.conformance is %s (%s)", verdict, why)
	}
	if noise, _ := a.noise(); noise == schemas.Violated {
		out.reasons = append(out.reasons, "A1: privacy.noise is VIOLATED, so that the accounting is not that of this log")
	}
	switch a.Protocol.Experiment.Stopping {
	case schemas.StoppingFixed, schemas.StoppingReleased:
	default:
		out.reasons = append(out.reasons, "A8: how the experiment was stopped is not declared (experiment.stopping)")
	}
	if why := a.openStop(); why != "" {
		out.reasons = append(out.reasons, why)
	}
	if a.Protocol.Log.MissingReward == schemas.MissingExclude {
		out.reasons = append(out.reasons, selected)
	}
	if a.repeated() && a.byUnits == nil {
		out.reasons = append(out.reasons, noUnits)
	}
	return out
}

// openStop says why a rule on released values may have read rewards as they are;
// "" where it did not, or no such rule is declared.
func (a *analysis) openStop() string {
	switch p := a.Protocol; {
	case p.Experiment.Stopping != schemas.StoppingReleased:
	case p.Counter == nil:
		return "A8: the experiment was stopped by a rule on released values, and what the rule read is not declared (counter)"
	case p.Counter.Name == counterExact:
		return "A8: the experiment was stopped by a rule on released values, and those of the counter exact are the sums of rewards as they are"
	}
	return ""
}

// noUnits is the reason that stands where a unit owns several rows and the
// tableau does not say which.
const noUnits = "A4: a unit (log.unit) owns several rows, and the units of the tableau are not at hand; ingest the log again"

// selected is the reason that stands where missing rewards may have been chosen
// by their value: then no accounting of noise bounds anything.
const selected = "A8: missing rewards are left out and may depend on the reward (missing_reward: exclude)"

// testApplicable adds what a hypothesis needs: that whoever chose it had not
// seen the rewards.
func (a *analysis) testApplicable() applicable {
	out := a.ledgerApplicable()
	switch a.Protocol.Analysis.Chosen {
	case schemas.ChosenAfterRewards:
		out.reasons = append(out.reasons, "A5: the tests were chosen after the rewards were seen (analysis.chosen)")
	case "":
		out.reasons = append(out.reasons, "A5: what whoever chose the hypotheses had seen is declared nowhere (analysis.chosen)")
	}
	return out
}

// qualifyBound is qualify where anything is corrected at all.
func (a *analysis) qualifyBound() string {
	if !a.testApplicable().ok() {
		return ""
	}
	return a.qualify()
}

// qualify is the phrase that stands behind a number where conformance is below
// VERIFIED, or the noise is not recomputed.
func (a *analysis) qualify() string {
	if verdict, _ := a.conformance(); verdict == schemas.Verified && a.noiseKnown() {
		return ""
	}
	return " of the declared mechanism"
}

// noiseKnown reports whether nothing that the policy read has noise that was not
// recomputed from a seed.
func (a *analysis) noiseKnown() bool {
	return !a.reads() || a.Replay != nil && a.Replay.Conformance.Mode == schemas.ModeSeed
}
