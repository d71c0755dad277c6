package claims

import (
	"fmt"
	"math/big"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// userLoss is what bounds the loss of a user where the claim is about users; nil
// elsewhere, and where nothing finite is lost.
func (v *View) userLoss() *schemas.UserLoss {
	if v.Protocol.Privacy.Unit != schemas.UnitUser {
		return nil
	}
	return v.Accounting.UserLoss
}

// rho is the ρ of one unit of privacy at most.
func (v *View) rho() float64 {
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
func (v *View) compareUser(f *schemas.Finding, p *schemas.Privacy) {
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
	shown := ledger.Loss{}
	if u.Shown != nil {
		shown = lossOf(u.Shown.AtLeastExact)
	}
	switch {
	case v.ByDraws() && within(most.Up(), p.Epsilon): // logarithms are rounded up
		f.Verdict, f.Reason = schemas.NotEstablished, fmt.Sprintf("ε = %s is the claim within the rounding of the accounting", written(most, p.Epsilon))
	case p.Definition != schemas.DefinitionApproximate && shown.Rat().Cmp(p.Epsilon.Rat()) > 0:
		f.Verdict = schemas.Violated
		f.Reason = fmt.Sprintf("a user with %s loses at least %s on %s; the claim is %s", schemas.Counted(u.Shown.Rounds, "round"), written(shown, p.Epsilon), sequenceWords(u.Shown), p.Epsilon)
	case p.Definition != schemas.DefinitionApproximate && !shown.IsZero():
		f.Verdict = schemas.NotEstablished
		f.Reason = fmt.Sprintf("a user with %s loses at least %s (%s), and at most %s; the claim of %s lies between", schemas.Counted(u.Shown.Rounds, "round"), written(shown, p.Epsilon), sequenceWords(u.Shown), written(most, p.Epsilon), p.Epsilon)
	default:
		f.Verdict = schemas.NotEstablished
		f.Reason = fmt.Sprintf("a user loses at most %s, not %s: it is an upper bound, and does not show that the mechanism loses as much", written(most, p.Epsilon), p.Epsilon)
		if slack := ledger.Slack(v.Ledger); slack != "" {
			f.Reason = fmt.Sprintf("a user loses at most %s, not %s: %s", written(most, p.Epsilon), p.Epsilon, slack)
		}
	}
}

// userWords say what a user loses at least and at most.
func (v *View) userWords(u *schemas.UserLoss, most ledger.Loss, claimed schemas.Rational) string {
	out, of := "ε at most "+written(most, claimed), schemas.Counted(u.Rounds, "round")
	if s := u.Shown; s != nil {
		switch shown := lossOf(s.AtLeastExact); {
		case shown.Equal(most):
			out, of = "ε = "+written(most, claimed), schemas.Counted(s.Rounds, "round")
		case !shown.IsZero() && s.Rounds == u.Rounds:
			out = "ε at least " + written(shown, claimed) + " and at most " + written(most, claimed)
		}
	}
	out += " for a user with " + of
	if q := v.Qualify(); q != "" {
		out += "," + q
	}
	return out
}

// sequenceWords say which sequence of actions is shown.
func sequenceWords(s *schemas.ShownLoss) string {
	if s.By == schemas.AtLeastByLog {
		return "the logged actions"
	}
	return "a sequence of actions that is shown"
}

// userBound says what bounds the loss of a user from above.
func userBound(u *schemas.UserLoss) string {
	switch u.AtMostBy {
	case schemas.AtMostByAllocation:
		return "the bound is what the dearest rows of any split of the rounds over the arms lose"
	case schemas.AtMostByMatching:
		return "the bound is what the dearest rows that her rounds can be lose"
	case schemas.AtMostByLate:
		return "the bound is what rows can lose by the rounds after them"
	case schemas.AtMostByDecisions:
		return "the bound is what the decisions after her first round lose, whatever her rewards"
	}
	return "the bound is her number of rounds times what one loses"
}
