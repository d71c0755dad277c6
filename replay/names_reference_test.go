package replay

import (
	"testing"

	"banditaudit/schemas"
	vectors "banditaudit/testdata/reference"
)

// Every policy and every counter of the catalogue is in a run of a second
// program. What the runs play is taken from the protocols that the tests of them
// have played, and from the runs of counters alone, all of which package counter
// compares.
func TestEveryNameIsInAReferenceRun(t *testing.T) {
	policies, counters := map[string]bool{}, map[string]bool{}
	for _, play := range []func(*testing.T) []*schemas.Protocol{playPolicies, playPrivUCB, playLinear, playThompson} {
		for _, p := range play(t) {
			policies[p.Policy.Name] = true
			if p.Counter != nil {
				counters[p.Counter.Name] = true
			}
		}
	}
	for _, name := range vectors.Names(t, "counters.csv", "run.") {
		counters[name] = true
	}
	all := Standard()
	for _, d := range all.Policies {
		if !policies[d.Name] {
			t.Errorf("no run of a second program in testdata/reference plays the policy %s", d.Name)
		}
	}
	for _, d := range all.Counters {
		if !counters[d.Name] {
			t.Errorf("no run of a second program in testdata/reference has the counter %s", d.Name)
		}
	}
}
