package analyze_test

import (
	"strings"
	"testing"

	"banditaudit/analyze/decide/aggregate"
)

// TestDrawnAssumption: where a policy's draws stand for noise, A1 does not speak
// of noise.
func TestDrawnAssumption(t *testing.T) {
	for _, drawn := range []bool{false, true} {
		a1 := assembled(tool(), []byte("{}"), nil, []*aggregate.Outcome{{Drawn: drawn}}).Assumptions[0]
		if a1.ID != "A1" || strings.Contains(a1.Text, "there is no noise") != drawn || strings.Contains(a1.Text+a1.CheckedBy, "Laplace") == drawn {
			t.Errorf("drawn %t: %+v", drawn, a1)
		}
	}
}
