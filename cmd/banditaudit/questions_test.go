package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// everyQuestion asks tests of every kind about a simulated log of two arms.
const everyQuestion = `analysis:
  decide: corrected
  chosen: before
  approximate: accept
  control: arm-1
  correction: {method: best, also: [approximate, zcdp]}
  regressions:
    - {name: main, arms: each}
    - {name: all, arms: pooled, interactions: true, columns: [x0], covariance: {cluster: batch}}
  tests:
    - {id: H1, arm: most-pulled, mean: 0.5, test: t}
    - {id: H2, difference: [arm-2, arm-1], value: 0}
    - {id: H3, difference: [arm-2, arm-1], value: 0, test: bernstein}
    - {id: H4, regression: main, arm: each, coefficient: x1, value: 0}
    - {id: H5, regression: all, coefficient: 'arm[arm-2]', value: 0, alternative: greater}
    - {id: H6, regression: all, joint: {x0: 0, 'arm[arm-2]:x0': 0}}
`

// asking is the protocol of a simulated log with another analysis.
func asking(t *testing.T, dir, analysis string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "protocol.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	declared, _, found := strings.Cut(string(b), "analysis:\n")
	if !found {
		t.Fatalf("no analysis in\n%s", b)
	}
	path := filepath.Join(dir, "asking.yaml")
	if err := os.WriteFile(path, []byte(declared+analysis), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEveryQuestion audits a log of several experiments with tests of every
// kind: what is found meets its schema, has a headline for each test, a family
// over all, and a report.
func TestEveryQuestion(t *testing.T) {
	dir := simulated(t, "--policy", "ucb", "--counter", "hybrid", "--epsilon", "0.5", "--means", "0.3,0.7", "--rounds", "400", "--batch", "20", "--context-dim", "2", "--repeat", "2", "--seed", "5")
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := run(t, "audit", "-p", asking(t, dir, everyQuestion), "-o", out, filepath.Join(dir, "log"))
	if code != 0 || !strings.Contains(stdout, "All experiments as one family (holm): ") {
		t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
	}
	r := readResults(t, filepath.Join(out, "results.json"))
	if r.Family == nil || r.Family.Tests != 14 || r.Family.Experiments != 2 {
		t.Errorf("the family is %+v", r.Family)
	}
	kinds := map[string]int{}
	for _, e := range r.Experiments {
		for i := range e.Tests {
			test := &e.Tests[i]
			kinds[test.Kind]++
			if test.Test == "" || test.Results[1].Method != schemas.MethodCorrected || test.Results[1].Correction == "" || test.Decision == "not applicable" {
				t.Errorf("test %s: %+v", test.ID, test)
			}
		}
		if len(e.Regressions) != 3 {
			t.Errorf("%d fits", len(e.Regressions))
		}
		for _, f := range e.Regressions {
			if f.BiasRMS == nil || f.BiasWorst == nil || (f.BiasPaper == nil) != (f.Name == "all") || f.Coefficients[0].PCorrected == nil {
				t.Errorf("fit %s: %+v", f.Name, f)
			}
		}
	}
	if kinds[schemas.TestMean] != 2 || kinds[schemas.TestDifference] != 4 || kinds[schemas.TestCoefficient] != 6 || kinds[schemas.TestJoint] != 2 {
		t.Errorf("tests by kind: %v", kinds)
	}
	text, err := os.ReadFile(filepath.Join(out, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"descriptive, not in the family", "All experiments as one family of tests", "does not hold for the largest bias", "CR1 by batch",
		"On request: own proof, internally reviewed; averaged over the actions; loose",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}

// TestCoefficientsOfTheLog: a coefficient that only the log shows not to be is
// a problem of the protocol, at its place.
func TestCoefficientsOfTheLog(t *testing.T) {
	dir := simulated(t, "--policy", "uniform", "--counter", "exact", "--means", "0.3,0.7", "--rounds", "50", "--context-dim", "2", "--context", "by-arm", "--seed", "5")
	for _, tc := range []struct{ analysis, want string }{
		{
			"analysis:\n  chosen: before\n  regressions: [{name: m}]\n  tests: [{id: H, regression: m, arm: each, coefficient: 'context_by_arm[7]', value: 0}]\n",
			`analysis.tests[0].coefficient is "context_by_arm[7]" (there is no coefficient of regression "m" of that name; there are: (intercept), context_by_arm[0], context_by_arm[1])`,
		},
		{
			"analysis:\n  chosen: before\n  regressions: [{name: m, arms: pooled, interactions: true}]\n  tests: [{id: H, regression: m, joint: {'arm[arm-2]:context_by_arm[0]': 0, 'arm[arm-3]': 0}}]\n",
			`analysis.tests[0].joint.arm[arm-3] is "arm[arm-3]" (there is no coefficient of regression "m" of that name; there are: (intercept), arm[arm-2], context_by_arm[0], context_by_arm[1], arm[arm-2]:context_by_arm[0], arm[arm-2]:context_by_arm[1])`,
		},
	} {
		code, _, stderr := run(t, "audit", "-p", asking(t, dir, tc.analysis), "-o", filepath.Join(t.TempDir(), "out"), filepath.Join(dir, "log"))
		if code != kit.ExitUsage || !strings.Contains(stderr, tc.want) || !strings.Contains(stderr, "asking.yaml:") {
			t.Errorf("exit %d: %s", code, stderr)
		}
	}
}
