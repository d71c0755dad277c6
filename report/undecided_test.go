package report

import (
	"encoding/json"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// markdownOf is the report on r.
func markdownOf(t *testing.T, r *schemas.Results) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, digested(r)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("the report does not say %q", w)
		}
	}
}

// undecided is a log without a policy, so that no test is decided.
func undecided(protocol string) *schemas.Results {
	r := homepage()
	r.Protocol = json.RawMessage(protocol)
	for i := range r.Experiments[0].Tests {
		test := &r.Experiments[0].Tests[i]
		test.Decision, test.Verdict, test.DecidedBy = "not applicable", schemas.NotApplicable, ""
		test.Choice = "no method applies (analysis.decide: auto): nothing is known"
		for j := range test.Results {
			if m := &test.Results[j]; m.Method == schemas.MethodCorrected || m.Method == schemas.MethodPaper {
				*m = schemas.TestResult{Method: m.Method, Reason: "A1: no ledger"}
			}
		}
	}
	return r
}

// TestNoDecision: why no test is decided stands once and in words, not in every
// row; the two words for it are one.
func TestNoDecision(t *testing.T) {
	for _, protocol := range []string{`{}`, `{"policy":{"name":"ucb"},"counter":{"name":"exact"}}`} {
		text := markdownOf(t, undecided(protocol))
		contains(t, text, "None of these tests is decided: no method applies to any.", "corrected p, the published route (Theorem 20): A1: no ledger. All tests.", "All tests: no method applies (analysis.decide: auto): nothing is known")
		if n := strings.Count(text, "A1: no ledger"); n != 1 {
			t.Errorf("%s: the reason stands %d times, want once", protocol, n)
		}
		if strings.Contains(text, "__not applicable__") {
			t.Errorf("%s: a decision and its verdict are the same word twice", protocol)
		}
	}
	if text := markdownOf(t, homepage()); strings.Contains(text, "None of these tests is decided") {
		t.Error("decided tests are said to be undecided")
	}
}

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

// TestContradicted: weighted means whose propensities H05 contradicts are not
// to be relied on, wherever they stand.
func TestContradicted(t *testing.T) {
	r := openBandit()
	if text := markdownOf(t, r); strings.Contains(text, "not to be relied on") || strings.Contains(text, "propensities contradicted") {
		t.Error("propensities that nothing contradicts are said to be contradicted")
	}
	x := &r.Experiments[0]
	for i := range x.Data.Checks {
		if x.Data.Checks[i].ID == "H05" {
			x.Data.Checks[i].Status = schemas.CheckFail
		}
	}
	x.Estimates = []schemas.Estimate{{Target: "an arm", Estimator: "ipw"}}
	text := markdownOf(t, r)
	contains(t, text, "IPW mean (logged propensities contradicted)")
	if n := strings.Count(text, "rest on them and are not to be relied on"); n != 2 {
		t.Errorf("said %d times, want beside the arms and beside the estimates", n)
	}
	two := twoExperiments()
	contains(t, markdownOf(t, two), "| Logged propensities |")
}

// TestDistribution: of a privacy budget speaks only a report on a log for which
// privacy was declared.
func TestDistribution(t *testing.T) {
	contains(t, markdownOf(t, homepage()), "INTERNAL: contains statistics outside the privacy budget", "is outside the privacy budget of the experiment")
	r := homepage()
	r.Protocol = json.RawMessage(`{"version":1}`)
	text := markdownOf(t, r)
	contains(t, text, "INTERNAL: contains statistics made from exact rewards")
	if strings.Contains(text, "privacy budget") {
		t.Error("a privacy budget without privacy")
	}
}

// TestNoRegressions tells regressions that were not asked for from those that
// could not be fitted.
func TestNoRegressions(t *testing.T) {
	r := homepage()
	r.Experiments[0].Regressions = nil
	contains(t, markdownOf(t, r), "None of the regressions that were asked for could be fitted; the warnings say why.")
	r.Protocol = json.RawMessage(`{"version":1}`)
	contains(t, markdownOf(t, r), "No regression was asked for.")
}
