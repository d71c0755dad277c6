package report

import (
	"testing"

	"banditaudit/schemas"
)

func TestCounts(t *testing.T) {
	test := func(decisions ...string) (out []schemas.Test) {
		for _, d := range decisions {
			out = append(out, schemas.Test{Decision: d})
		}
		return out
	}
	for _, c := range []struct {
		tests []schemas.Test
		want  string
	}{
		{nil, "none declared"},
		{test("not applicable", "not applicable"), "none of 2 decided"},
		{test("rejected", "not rejected"), "1 of 2 rejected"},
		{test("not rejected"), "0 of 1 rejected"},
		{test("rejected", "not applicable", "not rejected"), "1 rejected, 1 undecided, of 3"},
	} {
		if got := testCounts(c.tests); got != c.want {
			t.Errorf("%v: %q, want %q", c.tests, got, c.want)
		}
	}
	checks := []schemas.Check{{Status: schemas.CheckPass}, {Status: schemas.CheckPass}}
	if got := checkCounts(checks); got != "0 failed, of 2" {
		t.Errorf("two that pass: %q", got)
	}
	checks = append(checks, schemas.Check{Status: schemas.CheckNotRun}, schemas.Check{Status: schemas.CheckNote}, schemas.Check{Status: schemas.CheckFail})
	if got := checkCounts(checks); got != "1 failed, 1 noted, 1 not run, of 5" {
		t.Errorf("one of each: %q", got)
	}
}
