package report

import (
	"testing"

	"banditaudit/schemas"
)

// TestVacuousByRounding: a corrected p of 1 says nothing whoever found it, one
// just below is not written as 1, and a raw p of 1 is an answer.
func TestVacuousByRounding(t *testing.T) {
	for _, tc := range []struct {
		method string
		p      float64
		want   string
	}{
		{schemas.MethodCorrected, 1, "1 VACUOUS"},
		{schemas.MethodCorrected, 0.999999, "> 0.9999"},
		{schemas.MethodNaive, 1, "1"},
		{schemas.MethodSequence, 1, "1"},
		{schemas.MethodAnyTime, 1, "1"},
		{schemas.MethodAssignment, 1, "1"},
	} {
		c := resultP(&schemas.TestResult{Method: tc.method, P: &tc.p, Applicable: true}, "/p")
		if got := spanText(c.Spans); got != tc.want {
			t.Errorf("%s %g: %q, want %q", tc.method, tc.p, got, tc.want)
		}
	}
}
