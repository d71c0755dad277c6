package validity

import (
	"fmt"
	"strings"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// AgainstDecided is what stands against numbers that rest on the ledger: the column may
// have told the policy, or the log, of rewards as they are.
func (e *Evidence) AgainstDecided(d publiclog.Decided) corrections.NotApplicable {
	switch {
	case d.Word == schemas.SetByRewards:
		return corrections.Against(d.Assumption, fmt.Sprintf("rewards as they are decided %s (%s), and what that gives away is in no ledger", d.What, d.Said()))
	case d.ByRewards():
		return corrections.Against(d.Assumption, fmt.Sprintf("rewards as they are may have decided %s (%s); if they did not, declare %s: schedule, or released", d.What, d.Said(), d.Path()))
	case d.Word != schemas.SetByReleased:
	case e.Protocol.Counter == nil:
		return corrections.Against(d.Assumption, fmt.Sprintf("released values decided %s (%s), and what released them is not declared (counter)", d.What, d.Said()))
	case e.Protocol.Counter.Name == schemas.CounterExact:
		return corrections.Against(d.Assumption, fmt.Sprintf("released values decided %s (%s), and those of the counter exact are the sums of rewards as they are", d.What, d.Said()))
	}
	return corrections.NotApplicable{}
}

// setBy adds to what may be said of rewards what whoever set a column may have
// read.
func (e *Evidence) setBy(app Precondition) Precondition {
	for _, d := range publiclog.DecidedBy(e.Protocol) {
		app = app.And(e.AgainstDecided(d))
		if d.Word == schemas.SetByReleased {
			app.Note = publiclog.Joined(app.Note, fmt.Sprintf("given the released values too, which decided %s (%s)", d.What, d.Said()))
		}
	}
	return app
}

// BeyondLedger names the columns by which the log may tell more of rewards than
// the ledger counts; "" where there are none.
func (e *Evidence) BeyondLedger() string {
	var keys []string
	for _, d := range publiclog.DecidedBy(e.Protocol) {
		if e.AgainstDecided(d).Stands() {
			keys = append(keys, d.Said())
		}
	}
	if keys == nil {
		return ""
	}
	return "it does not count what the log gives away of rewards by " + strings.Join(keys, ", ")
}
