package check

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestNotRun: what this version cannot check says what it would need.
func TestNotRun(t *testing.T) {
	for id, c := range map[string]struct {
		check func(*Facts) schemas.Check
		needs string
	}{
		"H07": {H07, "log.unit and log.batch"},
		"H10": {H10, "log.batch or an update schedule"},
		"H13": {H13, "This version does not have it."},
	} {
		got := c.check(good())
		if got.ID != id || got.Status != schemas.CheckNotRun || !strings.Contains(got.Detail, c.needs) || got.P != nil || got.Statistic != nil || got.Observed != "" {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

func TestH11(t *testing.T) {
	expect(t, "missing rewards", H11(good()), schemas.Check{
		ID: "H11", Status: schemas.CheckPass, Observed: "0 rows", Detail: "missing_reward: error refuses a log with one.",
	})
}
