package claims

import (
	"fmt"
	"math/big"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// userLoss is what bounds the loss of a user where the claim is about users; nil
// elsewhere, and where nothing finite is lost.
func (v *Findings) userLoss() *schemas.UserLoss {
	if v.Protocol.Privacy.Unit != schemas.UnitUser {
		return nil
	}
	return v.Accounting.UserLoss
}

// rho is the ρ of one unit of privacy at most.
func (v *Findings) rho() float64 {
	if v.userLoss() != nil && v.Accounting.RhoMechanism != nil {
		return float64(*v.Accounting.RhoMechanism)
	}
	return ledger.GroupRho(ledger.Concentrated(v.Ledger), v.unitRounds())
}

// lossOf reads a quotient that the accounting wrote.
func lossOf(exact string) ledger.Loss {
	r, ok := new(big.Rat).SetString(exact)
	if !ok {
		return ledger.Infinite()
	}
	return ledger.NewLoss(r)
}

// compareUser compares a claim about users, exactly. It holds where the least bound from
// above does not exceed it, and is contradicted only by a sequence of actions on which a
// user loses more. What lies between is not established, with both numbers.
func (v *Findings) compareUser(f *schemas.Finding, p *schemas.Privacy) {
	u := v.userLoss()
	most := lossOf(u.AtMostExact)
	f.ObservedValue = schemas.Ext(most.Float())
	f.Observed = v.userWords(u, most, p.Epsilon)
	if p.Epsilon.Inf() || most.Rat().Cmp(p.Epsilon.Rat()) <= 0 {
		v.privacyHolds(f, userBound(u))
		return
	}
	if p.Definition == schemas.DefinitionApproximate && p.Delta != nil {
		if converted := ledger.Approximate(v.rho(), *p.Delta); converted < most.Up() {
			v.compareRounded(f, "ε", converted, p.Epsilon)
			return
		}
	}
	v.userExceeds(f, u, most, p)
}

// userExceeds is the verdict where the bound from above exceeds the claim.
func (v *Findings) userExceeds(f *schemas.Finding, u *schemas.UserLoss, most ledger.Loss, p *schemas.Privacy) {
	shown, above := ledger.Loss{}, atMost(most, p.Epsilon)
	if u.Shown != nil && p.Definition != schemas.DefinitionApproximate {
		shown = lossOf(u.Shown.AtLeastExact)
	}
	f.Verdict = schemas.NotEstablished
	switch slack := ledger.Slack(v.Ledger); {
	case v.Evidence.Accounts.ByDraws() && within(most.Up(), p.Epsilon): // logarithms are rounded up
		f.Reason = fmt.Sprintf("ε = %s is the claim within the rounding of the accounting", above)
	case slack != "":
		f.Reason = fmt.Sprintf("a user loses at most %s, not %s: %s", above, p.Epsilon, slack)
	case shown.IsZero():
		f.Reason = fmt.Sprintf("a user with %s loses at most %s, not %s: it is an upper bound, and does not show that the mechanism loses as much",
			schemas.Counted(u.Rounds, "round"), above, p.Epsilon)
	case shown.Rat().Cmp(p.Epsilon.Rat()) > 0:
		f.Verdict = schemas.Violated
		f.Reason = fmt.Sprintf("%s; the claim is %s", shownWords(u.Shown, shown, p.Epsilon), p.Epsilon)
	case u.Shown.Rounds == u.Rounds:
		f.Reason = fmt.Sprintf("%s and at most %s; the claim of %s lies between", shownWords(u.Shown, shown, p.Epsilon), above, p.Epsilon)
	default:
		f.Reason = fmt.Sprintf("%s, and one with %s at most %s; the claim of %s lies between",
			shownWords(u.Shown, shown, p.Epsilon), schemas.Counted(u.Rounds, "round"), above, p.Epsilon)
	}
}

// shownWords say what a user loses on the sequence that is shown.
func shownWords(s *schemas.ShownLoss, shown ledger.Loss, claimed schemas.Rational) string {
	return fmt.Sprintf("a user with %s loses at least %s (%s)", schemas.Counted(s.Rounds, "round"), atLeast(shown, claimed), sequenceWords(s))
}

// userWords say what a user loses at least and at most.
func (v *Findings) userWords(u *schemas.UserLoss, most ledger.Loss, claimed schemas.Rational) string {
	out, of := "ε at most "+atMost(most, claimed), schemas.Counted(u.Rounds, "round")
	if s := u.Shown; s != nil {
		shown := lossOf(s.AtLeastExact)
		switch {
		case shown.Equal(most):
			out, of = "ε = "+atMost(most, claimed), schemas.Counted(s.Rounds, "round")
		case !shown.IsZero():
			out = "ε at least " + atLeast(shown, claimed) + " and at most " + atMost(most, claimed)
			if s.Rounds != u.Rounds {
				of = "up to " + schemas.Counted(max(s.Rounds, u.Rounds), "round")
			}
		}
	}
	out += " for a user with " + of
	if q := v.Evidence.Qualify(); q != "" {
		out += "," + q
	}
	return out
}

// sequenceWords say which sequence of actions is shown.
func sequenceWords(s *schemas.ShownLoss) string {
	if s.By == schemas.AtLeastByLog {
		return "on the logged actions"
	}
	return "a sequence of actions is shown"
}

// userBound says what bounds the loss of a user from above.
func userBound(u *schemas.UserLoss) string {
	switch u.AtMostBy {
	case schemas.AtMostByAllocation:
		return "the bound is what the costliest rows of any split of the rounds over the arms lose"
	case schemas.AtMostByMatching:
		return "the bound is what the costliest rows that her rounds can be lose"
	case schemas.AtMostByLate:
		return "the bound is what rows can lose by the rounds after them"
	case schemas.AtMostByDecisions:
		return "the bound is what the decisions after her first round lose, whatever her rewards"
	}
	return "the bound is her number of rounds times what one loses"
}
