package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// TestCautionOfFewRuns: of m tests at level .05 by M runs none is rejected alone where
// 1/(M + 1) > .05/m, that is M < ⌈m/.05⌉ − 1. Without an adjustment m is 1.
func TestCautionOfFewRuns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tests, draws int
		more         string
		needed       string // "" for no caution
	}{
		{7, 99, "", "139 are needed"},
		{7, 139, "", ""},
		{7, 138, "", "139 are needed"},
		{5, 99, "", ""},
		{7, 99, ", multiplicity: none", ""},
		{7, 0, "", ""},
	} {
		var tests []string
		for i := range c.tests {
			tests = append(tests, fmt.Sprintf("{id: E%d, equal: all}", i))
		}
		rerun := ""
		if c.draws > 0 {
			rerun = fmt.Sprintf(", rerun: {draws: %d}", c.draws)
		}
		source := strings.Replace(rerunSource("", rerunUCB, "name: exact"), "{chosen: before}", "{chosen: before"+rerun+c.more+", tests: ["+strings.Join(tests, ", ")+"]}", 1)
		e := one(t, simulated(t, source, 11, &world.Spec{Means: []float64{.35, .5, .65}, Rounds: 400}))
		if by := e.Tests[0].DecidedBy; by != schemas.MethodRerun {
			t.Errorf("%+v: decided by %q", c, by)
		}
		said := strings.Join(e.Cautions, "\n")
		if strings.Contains(said, "analysis.rerun.draws") != (c.needed != "") || !strings.Contains(said, c.needed) {
			t.Errorf("%+v: %q", c, said)
		}
	}
}
