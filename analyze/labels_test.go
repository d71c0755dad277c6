package analyze_test

import (
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/ingest"
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
		in := plainLab(t, source, ingest.RewardBool, []int{0, 1, 0, 1}, 1, 0).input(0, 1)
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
