package analyze

import (
	"banditaudit/analyze/accounts"
	"banditaudit/analyze/facts"
	"banditaudit/schemas"
	"fmt"
	"strings"
)

// againstDecided is what stands against numbers that rest on the ledger: the column may
// have told the policy, or the log, of rewards as they are.
func (e *evidence) againstDecided(d facts.Decided) accounts.Objection {
	switch {
	case d.Word == schemas.SetByRewards:
		return accounts.Against(d.Assumption, fmt.Sprintf("rewards as they are decided %s (%s), and what that gives away is in no ledger", d.What, d.Said()))
	case d.ByRewards():
		return accounts.Against(d.Assumption, fmt.Sprintf("rewards as they are may have decided %s (%s); if they did not, declare %s: schedule, or released", d.What, d.Said(), d.Path()))
	case d.Word != schemas.SetByReleased:
	case e.Protocol.Counter == nil:
		return accounts.Against(d.Assumption, fmt.Sprintf("released values decided %s (%s), and what released them is not declared (counter)", d.What, d.Said()))
	case e.Protocol.Counter.Name == counterExact:
		return accounts.Against(d.Assumption, fmt.Sprintf("released values decided %s (%s), and those of the counter exact are the sums of rewards as they are", d.What, d.Said()))
	}
	return accounts.Objection{}
}

// setBy adds to what may be said of rewards what whoever set a column may have
// read.
func (e *evidence) setBy(app applicable) applicable {
	for _, d := range facts.DecidedBy(e.Protocol) {
		app = app.and(e.againstDecided(d))
		if d.Word == schemas.SetByReleased {
			app.note = facts.Joined(app.note, fmt.Sprintf("given the released values too, which decided %s (%s)", d.What, d.Said()))
		}
	}
	return app
}

// setByRewards reports whether rewards as they are decided a column that is
// declared, or may have, for all that is declared.
func (e *evidence) setByRewards() bool {
	for _, d := range facts.DecidedBy(e.Protocol) {
		if e.againstDecided(d).Stands() {
			return true
		}
	}
	return false
}

// beyondLedger names the columns by which the log may tell more of rewards than
// the ledger counts; "" where there are none.
func (e *evidence) beyondLedger() string {
	var keys []string
	for _, d := range facts.DecidedBy(e.Protocol) {
		if e.againstDecided(d).Stands() {
			keys = append(keys, d.Said())
		}
	}
	if keys == nil {
		return ""
	}
	return "it does not count what the log gives away of rewards by " + strings.Join(keys, ", ")
}
