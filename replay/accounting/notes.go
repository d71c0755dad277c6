package accounting

import (
	"fmt"
	"math/big"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// undeclaredReleases stands behind who read released values, where nothing says
// what released them.
const undeclaredReleases = ", and no counter that released them is declared: what the rule read is not accounted for."

// notes say what the numbers of an accounting rest on.
func (e *Experiment) notes(a *schemas.Accounting, law ledger.Law, run *ledger.Run, k *known) []string {
	if law.Epsilon().IsZero() {
		return append([]string{"The declared policy reads no rewards, or plays as if it did not: nothing about them is released."}, e.setByNotes()...)
	}
	out := append([]string{"The accounting holds where the order of rounds, eligible arms, batches, delays, contexts, missing rewards and the end of the log depend on rewards through actions and released values at most."}, e.setByNotes()...)
	path, drawn := law.(*ledger.PathLaw)
	switch {
	case e.readers() != "" && law.Epsilon().IsInf():
		out = append(out, e.readers()+", and what the exact counter releases are the sums as they are: no ε is known.")
	case drawn:
		out = append(out, fmt.Sprintf("The policy reads rewards without noise; a reward is hidden by the policy's own draws, and every later decision that could use it adds to the cost of its row. ε and ρ are those of a log of %s rounds, and grow with their number. Draws are taken as exact; in truth they resolve 2^-53.", schemas.Grouped(path.Rounds)))
	case law.Epsilon().IsInf() && e.Mechanism.Scored():
		out = append(out, "No ε is known: "+ledger.Slack(law)+".")
	case law.Epsilon().IsInf() && ledger.Slack(law) != "":
		out = append(out, "The policy reads rewards without noise, and no ε is known: "+ledger.Slack(law)+".")
	case law.Epsilon().IsInf():
		out = append(out, "The policy reads rewards without noise, and nothing that it draws hides them.")
	default:
		out = append(out, parallel(a))
	}
	if e.Mechanism.Stratified() && !law.Epsilon().IsZero() {
		out = append(out, fmt.Sprintf("The policy has a state for each of %s (policy.by). Their rows are disjoint: a reward enters the state of its own stratum alone, so that losses in different strata are not added for one row, and rounds are counted within the stratum. That holds where the stratum of a round depends on rewards through actions and released values at most (log.context_by).", strataWords(len(k.rows))))
	}
	if drawn {
		out = append(out, "They are those of the actions alone, and upper bounds: released values or propensities that others see are functions of the rewards, and void it.")
	}
	if e.ownContexts() {
		out = append(out, ownNote())
	}
	if run.Width > 1 {
		out = append(out, fmt.Sprintf("Cost levels are rounded up to groups of equal width, %s decisions; the largest cost and Σc² are not grouped.", schemas.Grouped(run.Width)))
	}
	if e.readers() != "" {
		return append(append(out, e.stopNotes(run, k)...), unitNotes(a)...)
	}
	if free := unread(k); free > 1 {
		out = append(out, fmt.Sprintf("The rewards of %s rounds became known after the policy had last learned; they cost nothing.", schemas.Grouped(free)))
	}
	return append(out, unitNotes(a)...)
}

// strataWords counts strata.
func strataWords(n int) string {
	if n == 1 {
		return "1 stratum"
	}
	return schemas.Grouped(int64(n)) + " strata"
}

// strataDecided says why nothing is accounted for where rewards as they are may have
// decided in which state a reward is kept; "" where they have not. Whether a row then is
// in a state is itself a function of others' rewards, and no composition over strata holds.
func (d *Declared) strataDecided() string {
	if d.Mechanism == nil || !d.Mechanism.Stratified() || !d.Mechanism.ReadsRewards() {
		return ""
	}
	for _, s := range schemas.SetBys() {
		word := s.Word(d.Protocol)
		if s.Key == "context_by" && (word == schemas.SetByRewards || word == schemas.SetByUnknown) {
			return fmt.Sprintf("Not accounted for: the policy has a state for each stratum (policy.by), and rewards as they are may have decided the stratum of a round (%s: %s). Losses of strata compose in parallel only where they did not; write log.context_by: schedule where that is so.", s.Path(), word)
		}
	}
	return ""
}

// setByNotes name the columns by which the log may tell more of rewards than is
// accounted for.
func (e *Experiment) setByNotes() []string {
	var out []string
	for _, s := range schemas.SetBys() {
		switch word := s.Word(e.Protocol); word {
		case schemas.SetByRewards, schemas.SetByUnknown:
			out = append(out, fmt.Sprintf("Rewards as they are may have decided %s (%s: %s); what that gives away of them is not accounted for.", s.What, s.Path(), word))
		}
	}
	return out
}

// parallel says why the losses of arms are not added for one row, in ε or in ρ.
// For somebody who owns several rows that says nothing of their sum.
func parallel(a *schemas.Accounting) string {
	whole := "The total"
	if a.Unit == schemas.UnitUser {
		whole = "The total of one round"
	}
	return "Losses of different arms are not added: each row enters the counter of one arm, and which one follows from outputs before it. " + whole + ", in ε as in ρ, is then that of the row that can lose most."
}

// stopNotes say what is charged where somebody beside the policy read released
// values.
func (e *Experiment) stopNotes(run *ledger.Run, k *known) []string {
	out := []string{e.readers() + ": every reward that was known at its end is charged with all that the declared counter released of it, also one that no decision of the policy could use, and whether or not the policy reads rewards."}
	if free := unread(k); free > 0 {
		out = append(out, fmt.Sprintf("The rewards of %s rounds never became known; they cost nothing.", schemas.Grouped(free)))
	}
	if run.Realized().IsInf() && !run.Epsilon().IsInf() && e.Against == nil {
		out = append(out, "An arm has more rows than the declared counter takes; nothing bounds what those beyond cost.")
	}
	return out
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
	case a.Unit == schemas.UnitUser && a.LargestUnit == nil:
		return []string{"The claim is about users, and the log does not say which rounds are whose: log.unit is missing."}
	case a.Unit == schemas.UnitUser:
		out = append(out, ownerNotes(a)...)
	}
	if a.Definition == schemas.DefinitionApproximate {
		out = append(out, "ε at the claimed δ is the smaller of the ε of pure privacy and of what ρ converts to. The (ε, δ) of single arms are not composed: for arms that receive rows by earlier outputs the largest δ would not be the total.")
	}
	return out
}

// ownerNotes say what bounds the loss of a user.
func ownerNotes(a *schemas.Accounting) []string {
	has := "No user has more than one round in this experiment."
	if *a.LargestUnit > 1 {
		has = fmt.Sprintf("A user has up to %s in this experiment, in one arm or in several.", schemas.Counted(*a.LargestUnit, "round"))
	}
	out := []string{"Who took part in which round is public. " + has + " The released values lose the sum of the costs of her rows. Her ε is the largest such sum over all sequences of actions."}
	u := a.UserLoss
	if u == nil {
		return out
	}
	over := "a run of any length"
	if u.Of != nil {
		over = "a run of up to " + schemas.Counted(*u.Of, "round")
	}
	text := fmt.Sprintf("A user with %s loses at most %s in %s. %s", schemas.Counted(u.Rounds, "round"), exactly(u.AtMostExact).Decimal(6), over, boundWords(u.AtMostBy))
	s := u.Shown
	if s == nil {
		return append(out, text+" It is not shown that she loses as much.")
	}
	least := fmt.Sprintf(" A user with %s loses at least %s", schemas.Counted(s.Rounds, "round"), exactly(s.AtLeastExact).Below(6))
	if s.By == schemas.AtLeastByLog {
		return append(out, text+least+" on the logged actions. That counts all releases up to the last round.")
	}
	return append(out, text+least+" on a sequence of actions that the policy can take (user_loss.shown.path of results.json).")
}

// boundWords say which bound decided.
func boundWords(by string) string {
	switch by {
	case schemas.AtMostByAllocation:
		return "That is the most that so many rows cost, over all splits of the rounds over the arms."
	case schemas.AtMostByMatching:
		return "That is the most that her rounds cost if each is a row with no more rows before it than rounds."
	case schemas.AtMostByLate:
		return "That is the most that her rows cost by the rounds after them."
	case schemas.AtMostByDecisions:
		return "That is what the decisions after her first round lose at most, however many of her rewards change."
	}
	return "That is her number of rounds times what one round loses."
}

// exactly reads a quotient.
func exactly(text string) ledger.Loss {
	r, _ := new(big.Rat).SetString(text)
	return ledger.NewLoss(r)
}
