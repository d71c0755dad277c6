package analyze_test

import (
	"errors"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestArmCalledPooled: where arms come from the log, one may have the word for
// all arms as its label, and only a regression that could mean either is refused.
func TestArmCalledPooled(t *testing.T) {
	for regression, want := range map[string]string{
		"arms: each":   "",
		"arms: pooled": `analysis.regressions[0].arms is "pooled" (an arm has that label, and the word also asks for one regression over all arms); write arms: each, or rename the arm in the log`,
	} {
		source := strings.Replace(withTests(plain, "id: P, arm: pooled, mean: 0.5"), "arms: [a, b, c]\n", "", 1)
		source = strings.Replace(source, "  tests:\n", "  regressions: [{name: m, "+regression+"}]\n  tests:\n", 1)
		in := plainLab(t, source, logfile.RewardBool, []int{0, 1, 0, 1}, 1, 0).input(0, 1)
		in.Manifest.Arms = []string{"a", "pooled", "c"}
		_, err := analyze.Run(t.Context(), in)
		if got := message(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: got %s", regression, got)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestNamesOfTheLog: where arms come from the log, those that are called as a
// word of the protocol are refused, and so are tests and coefficients of which
// two would have one name.
func TestNamesOfTheLog(t *testing.T) {
	for want, c := range map[string]struct {
		regressions, test string
		arms              []string
	}{
		`log.action has the arm "each" (that word selects arms`:                               {"", "id: P, arm: a, mean: 0.5", []string{"a", "each", "c"}},
		`log.action has the arm "most-pulled" (that word selects arms`:                        {"", "id: P, arm: most-pulled, mean: 0.5", []string{"a", "b", "most-pulled"}},
		`would have this one: "E/b")`:                                                         {"", "id: E/b, arm: a, mean: 0.5|id: E, arm: each, mean: 0.5", []string{"a", "b", "c"}},
		`analysis.regressions[0] has two coefficients of one name (two coefficients would ha`: {"{name: m, arms: pooled}", "id: E, arm: each, mean: 0.5", []string{"a", "b", "c"}},
	} {
		source := strings.Replace(withTests(plain, strings.Split(c.test, "|")...), "arms: [a, b, c]\n", "", 1)
		source = strings.Replace(source, "  tests:\n", "  regressions: ["+c.regressions+"]\n  tests:\n", 1)
		source = strings.Replace(source, "reward: reward}", "reward: reward, context: [x0]}", 1)
		rows := []logfile.Row{{X: []float64{0}}, {Arm: 1, X: []float64{1}}}
		in := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, ContextDim: 1}, rows).input(0, 1)
		in.Manifest.Arms, in.Manifest.Context = c.arms, []string{"arm[b]"}
		var problems schemas.Problems
		if _, err := analyze.Run(t.Context(), in); !errors.As(err, &problems) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
