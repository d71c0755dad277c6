package report

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestEstimates: an estimate outside the range is shown at its end with what the formula
// gives; what it rests on stands once; what is not given stands with its reason, and no
// column is shown that no estimate has.
func TestEstimates(t *testing.T) {
	r := openBandit()
	x := &r.Experiments[0]
	x.Estimates = []schemas.Estimate{
		{
			Target: "mean reward of arm a", Estimator: schemas.EstimatorAIPW, Arm: new(0), Label: "a", Rounds: new(int64(750)), LeftOut: new(int64(250)), Estimate: new(1.0), RawEstimate: new(1.463),
			OutsideRange: true, StdError: new(0.2), ESS: new(20.5), LargestWeight: new(40.0), LargestShare: new(0.125), Reason: "fewer than 5 successes", ValidUnder: "true propensities",
		},
		{Target: "mean reward of arm b", Estimator: schemas.EstimatorAIPW, Arm: new(1), Label: "b", Rounds: new(int64(1000)), LeftOut: new(int64(0)), Estimate: new(0.5), StdError: new(0.1), CI: schemas.NewInterval(0.3, 0.7), ValidUnder: "true propensities"},
		{Target: "mean reward of every arm", Estimator: schemas.EstimatorSqrt, Reason: "it needs more"},
	}
	text := markdownOf(t, r)
	for _, want := range []string{
		"| 1.000 (1.463) __OUTSIDE RANGE__ |", "| 40.00 (12.5 %) | 250 (25.0 %) | (1) | fewer than 5 successes |", "[0.3000, 0.7000]",
		"(1) Valid under: true propensities.", "NOT APPLICABLE: aipw-sqrt (mean reward of every arm): it needs more.", "Intervals are approximate",
	} {
		if !strings.Contains(strings.ReplaceAll(text, `\`, ""), want) {
			t.Errorf("no %q", want)
		}
	}
	i := strings.Index(text, "| Target |")
	if head, _, _ := strings.Cut(text[i:], "\n"); strings.Contains(head, "Evaluated policy") || strings.Contains(head, "At any time") || !strings.Contains(head, "Why there is no interval") {
		t.Errorf("columns %s", head)
	}
	if strings.Count(text, "Valid under: true propensities") != 1 {
		t.Error("what estimates rest on stands more than once")
	}
}
