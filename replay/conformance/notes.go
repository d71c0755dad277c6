package conformance

import (
	"fmt"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// notes say what the numbers of an accounting rest on.
func notes(a *schemas.Accounting, law ledger.Law, run *ledger.Run, k *known) []string {
	if law.Epsilon().IsZero() {
		return []string{"The declared policy reads no rewards, or plays as if it did not: nothing about them is released."}
	}
	out := []string{"The accounting holds where the order of rounds, batches, delays, contexts, missing rewards and the end of the log depend on rewards through actions and released values at most."}
	path, drawn := law.(*ledger.PathLaw)
	switch {
	case drawn:
		out = append(out, fmt.Sprintf("The policy reads rewards without noise; a reward is hidden by the policy's own draws, and every later decision that could use it adds to the cost of its row. ε is that of %s rounds and grows with their number. Draws are taken as exact; in truth they resolve 2^-53.", schemas.Grouped(path.Rounds)))
	case law.Epsilon().IsInf() && ledger.Slack(law) != "":
		out = append(out, "The policy reads rewards without noise, and no ε is known: "+ledger.Slack(law)+".")
	case law.Epsilon().IsInf():
		out = append(out, "The policy reads rewards without noise, and nothing that it draws hides them.")
	default:
		out = append(out, "Losses of different arms are not added: each row enters the counter of one arm, and which one follows from outputs before it; under pure differential privacy the largest cost of a row is then the total.")
	}
	if drawn {
		out = append(out, "It is that of the actions alone, an upper bound: released values or propensities that others see are functions of the rewards, and void it.")
	}
	if run.Width > 1 {
		out = append(out, fmt.Sprintf("Cost levels are rounded up to groups of equal width, %s decisions; the largest cost and Σc² are not grouped.", schemas.Grouped(run.Width)))
	}
	if free := unread(k); free > 1 {
		out = append(out, fmt.Sprintf("The rewards of %s rounds became known after the policy had last learned; they cost nothing.", schemas.Grouped(free)))
	}
	return append(out, unitNotes(a)...)
}

// unread is the number of rows that no decision could use.
func unread(k *known) int64 {
	free := int64(0)
	for arm, n := range k.pulls {
		free += n - k.read[arm]
	}
	return free
}

// unitNotes are the notes on the unit and the definition.
func unitNotes(a *schemas.Accounting) []string {
	var out []string
	switch {
	case a.Unit == unitUser && a.LargestUnit == nil:
		return []string{"The claim is about users, and the log does not say which rounds are whose: log.unit is missing."}
	case a.Unit == unitUser:
		out = append(out, fmt.Sprintf("Who took part in which round is public. A unit has up to %s rounds in this experiment, and its ε is that many times the ε of one round, its ρ the square of that many times ρ: a unit's rows may lie in several arms, so that arms are not taken as parallel for it.", schemas.Grouped(*a.LargestUnit)))
	}
	if a.Definition == approximate {
		out = append(out, "ε at the claimed δ is the smaller of the pure ε and of what ρ converts to. The (ε, δ) of single arms are not composed: for arms that receive rows by earlier outputs the largest δ would not be the total.")
	}
	return out
}
