package report

import (
	"strings"
	"testing"

	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// TestInPerCent: the ends of a quotient are those of its corners, by hand, and there is
// none where the arm may pay nothing.
func TestInPerCent(t *testing.T) {
	of := func(ci, mean *schemas.Interval) (*experimentView, *schemas.Test) {
		test := &schemas.Test{Kind: schemas.TestDifference, Label: "blue", Against: "control", DecidedBy: schemas.MethodAnyTime, Results: []schemas.TestResult{{Method: schemas.MethodAnyTime, Applicable: true, CI: ci}}}
		x := &schemas.Experiment{Arms: []schemas.Arm{{Label: "blue"}, {Label: "control", ConfidenceSequence: mean}}, Tests: []schemas.Test{*test}}
		p := &digest.Protocol{}
		p.Analysis.Alpha = 0.05
		return &experimentView{x: x, protocol: p}, test
	}
	for _, c := range []struct {
		ci, mean *schemas.Interval
		want     string
	}{
		{&schemas.Interval{.02, .06}, &schemas.Interval{.1, .2}, "+10 to +60 % of control"},
		{&schemas.Interval{-.02, .06}, &schemas.Interval{.1, .2}, "-20 to +60 % of control"},
		{&schemas.Interval{-.06, -.02}, &schemas.Interval{.1, .2}, "-60 to -10 % of control"},
		{&schemas.Interval{0, .02}, &schemas.Interval{.1, .2}, "0 to +20 % of control"},
		{&schemas.Interval{.02, .06}, &schemas.Interval{0, .2}, ""},
		{&schemas.Interval{.02, .06}, nil, ""},
		{&schemas.Interval{.02, .06}, &schemas.Interval{5e-324, .2}, ""},
		{nil, &schemas.Interval{.1, .2}, ""},
	} {
		s, test := of(c.ci, c.mean)
		if got := s.inPerCent(test); got != c.want {
			t.Errorf("%v of %v: %q, want %q", c.ci, c.mean, got, c.want)
		}
		if note := s.relativeNote(); (note != "") != (c.want != "") || note != "" && !strings.Contains(note, "at least 0.925") {
			t.Errorf("%v of %v: %q", c.ci, c.mean, note)
		}
	}
	s, test := of(&schemas.Interval{.02, .06}, &schemas.Interval{.1, .2})
	test.Kind = schemas.TestMean
	if got := s.inPerCent(test); got != "" {
		t.Errorf("a mean is in per cent: %q", got)
	}
}
