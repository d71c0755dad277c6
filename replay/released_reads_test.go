package replay

import (
	"strings"
	"testing"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// The reason why sums without noise have no finite ε names who reads them: a rule that
// stops the experiment, or the column that they decided, and none that is not declared.
func TestWhoReadsSums(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want, never string
		change            func(p *schemas.Protocol)
	}{
		{"stopped", "a rule read sums without noise to stop the experiment", "decided", func(p *schemas.Protocol) { p.Experiment.Stopping = schemas.StoppingReleased }},
		{"batches", "sums without noise decided where a batch ends (log.batch_by: released)", "stop", func(p *schemas.Protocol) { p.Log.Batch, p.Log.BatchBy = "b", schemas.SetByReleased }},
		{"eligible arms", "sums without noise decided which arms could be played (log.eligible_by: released)", "stop", func(p *schemas.Protocol) { p.Log.Eligible, p.Log.EligibleBy = "e", schemas.SetByReleased }},
		{"nobody", "others read sums without noise", "stop", func(*schemas.Protocol) {}},
	} {
		p := declare(schemas.Policy{Name: "uniform"}, &schemas.Counter{Name: "exact"})
		c.change(p)
		if slack := ledger.Slack(build(t, p, 2).Released()); !strings.HasPrefix(slack, c.want) || strings.Contains(slack, c.never) {
			t.Errorf("%s: %s", c.name, slack)
		}
	}
}
