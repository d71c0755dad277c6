package report

import (
	"strings"
	"testing"

	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// TestDecisionHasNoVerdict: beside a rejection CONSISTENT would read as its
// opposite.
func TestDecisionHasNoVerdict(t *testing.T) {
	rejected := schemas.Test{Decision: schemas.DecisionRejected, Verdict: schemas.Consistent}
	if got := spanText(decisionCell(&rejected, "/t").Spans); strings.Contains(got, "CONSISTENT") || !strings.Contains(got, "rejected") {
		t.Errorf("got %s", got)
	}
}

// TestWhyUncorrected: where nothing was corrected, and no warning says why, the reason is
// that of a test, or what is not declared.
func TestWhyUncorrected(t *testing.T) {
	p := &digest.Protocol{}
	x := &schemas.Experiment{Tests: []schemas.Test{{Results: []schemas.TestResult{{Method: schemas.MethodCorrected, Reason: "A6: rewards are missing"}}}}}
	if got := whyUncorrected(x, p); got != "A6: rewards are missing." {
		t.Errorf("by a test: %s", got)
	}
	if got := whyUncorrected(&schemas.Experiment{}, p); !strings.HasPrefix(got, "No policy is declared") {
		t.Errorf("by the protocol: %s", got)
	}
}

// TestWideCoefficients: an interval as wide as the range of the reward beside a
// corrected p of 1 says nothing, a narrow one does.
func TestWideCoefficients(t *testing.T) {
	s := fits{&experimentView{protocol: &digest.Protocol{}}}
	s.protocol.Reward.Range = []float64{0, 1}
	for _, tc := range []struct {
		p    float64
		ci   schemas.Interval
		want bool
	}{{1, schemas.Interval{-0.6, 0.5}, true}, {1, schemas.Interval{-0.1, 0.1}, false}, {0.2, schemas.Interval{-0.1, 1}, false}} {
		cells := s.coefficientRow(&schemas.Coefficient{PCorrected: &tc.p, CICorrected: &tc.ci}, "/c", true).Cells
		if got := strings.Contains(spanText(cells[len(cells)-1].Spans), "VACUOUS"); got != tc.want {
			t.Errorf("%v: %v", tc, got)
		}
	}
}
