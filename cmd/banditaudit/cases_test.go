package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// thisPart is the part of the cases that must be right; the state of the others is told.
const thisPart = "right again"

// knownCase is an input on which an earlier version was wrong: an entry of
// testdata/cases/cases.json.
type knownCase struct {
	Case  string    `json:"case"` // its folder
	Part  string    `json:"part"`
	What  string    `json:"what"`
	Was   string    `json:"was"`
	Right string    `json:"right"`
	Runs  []caseRun `json:"runs"`
}

// caseRun is an audit of a case, and what is right of it.
type caseRun struct {
	Protocol        string            `json:"protocol"`
	Log             []string          `json:"log"`
	Exit            *int              `json:"exit"`
	ExitOneOf       []int             `json:"exitOneOf"`
	Verdicts        map[string]string `json:"verdicts"`        // by claim
	Reasons         map[string]string `json:"reasons"`         // part of the reason, by claim
	Decisions       map[string]string `json:"decisions"`       // by test
	DecidedBy       map[string]string `json:"decidedBy"`       // method, by test
	Assumptions     map[string]string `json:"assumptions"`     // status
	RejectedAtMost  map[string]int    `json:"rejectedAtMost"`  // experiments, by test
	RejectedAtLeast map[string]int    `json:"rejectedAtLeast"` // likewise
	Says            []string          `json:"says"`            // on standard output
	Silent          []string          `json:"silent"`          // not there
	Complains       []string          `json:"complains"`       // on standard error
	Same            string            `json:"same"`            // "p": that of the first test is the same in all runs that say so
}

// TestCases audits every case of testdata/cases. CASES=FILE writes what was found.
func TestCases(t *testing.T) {
	root := filepath.Join("..", "..", "testdata", "cases")
	b, err := os.ReadFile(filepath.Join(root, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []knownCase
	read := json.NewDecoder(bytes.NewReader(b))
	read.DisallowUnknownFields()
	if err := read.Decode(&all); err != nil {
		t.Fatal(err)
	}
	to := os.Getenv("CASES")
	var page strings.Builder
	page.WriteString("| case | what it is | 0.2.5 said | right | part | now |\n|---|---|---|---|---|---|\n")
	for i := range all {
		c := &all[i]
		if c.Part != thisPart && to == "" {
			continue // whose state alone is told, on the page
		}
		wrong, state := c.audits(t, root), "right"
		switch {
		case len(c.Runs) == 0:
			state = "by a test of its own"
		case len(wrong) > 0:
			state = "**not right**: " + strings.Join(wrong, "; ")
		}
		if len(wrong) > 0 && c.Part == thisPart {
			t.Errorf("%s: %s", c.Case, state)
		}
		t.Logf("%s (%s): %s", c.Case, c.Part, state)
		fmt.Fprintf(&page, "| %s | %s | %s | %s | %s | %s |\n", c.Case, c.What, c.Was, c.Right, c.Part, state)
	}
	if to != "" {
		if err := os.WriteFile(to, []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// audits runs the audits of a case, and returns what is not right.
func (c *knownCase) audits(t *testing.T, root string) (wrong []string) {
	t.Helper()
	var ps []string
	for i := range c.Runs {
		r, out := &c.Runs[i], filepath.Join(t.TempDir(), "out")
		args := []string{"audit", "-p", filepath.Join(root, c.Case, r.Protocol), "-o", out}
		for _, log := range r.Log {
			args = append(args, filepath.Join(root, c.Case, log))
		}
		code, stdout, stderr := run(t, args...)
		wrong = append(wrong, r.printed(code, stdout, stderr)...)
		if code > 3 {
			continue
		}
		results := readResults(t, filepath.Join(out, "results.json"))
		wrong = append(wrong, r.found(results)...)
		if r.Same != "" {
			ps = append(ps, firstP(results))
		}
	}
	if ps = slices.Compact(ps); len(ps) > 1 || slices.Contains(ps, "") {
		wrong = append(wrong, "p differs: "+strings.Join(ps, ", "))
	}
	return wrong
}

// printed holds an exit code and what was printed against what is right.
func (r *caseRun) printed(code int, stdout, stderr string) (wrong []string) {
	if r.Exit != nil && code != *r.Exit || r.ExitOneOf != nil && !slices.Contains(r.ExitOneOf, code) {
		wrong = append(wrong, fmt.Sprintf("%s ends with %d", r.Protocol, code))
	}
	flat := strings.Join(strings.Fields(stdout), " ")
	for _, s := range r.Says {
		if !strings.Contains(flat, s) {
			wrong = append(wrong, fmt.Sprintf("%q is not said", s))
		}
	}
	for _, s := range r.Silent {
		if strings.Contains(flat, s) {
			wrong = append(wrong, fmt.Sprintf("%q is said", s))
		}
	}
	for _, s := range r.Complains {
		if !strings.Contains(strings.Join(strings.Fields(stderr), " "), s) {
			wrong = append(wrong, fmt.Sprintf("%q is not complained of", s))
		}
	}
	return wrong
}

// found holds results against what is right. What is asked and is not there is not right.
func (r *caseRun) found(results *schemas.Results) (wrong []string) {
	got := answers(results)
	for _, asked := range []struct{ want, got map[string]string }{
		{r.Verdicts, got.verdicts}, {r.Decisions, got.decisions}, {r.DecidedBy, got.decidedBy}, {r.Assumptions, got.assumptions},
	} {
		for _, id := range slices.Sorted(maps.Keys(asked.want)) {
			if is := asked.got[id]; is != asked.want[id] {
				wrong = append(wrong, fmt.Sprintf("%s is %q", id, is))
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.Reasons)) {
		if !strings.Contains(got.reasons[id], r.Reasons[id]) {
			wrong = append(wrong, fmt.Sprintf("%s does not say %q", id, r.Reasons[id]))
		}
	}
	for id, most := range r.RejectedAtMost {
		if got.decisions[id] == "" || got.rejected[id] > most {
			wrong = append(wrong, fmt.Sprintf("%s is rejected in %d", id, got.rejected[id]))
		}
	}
	for id, least := range r.RejectedAtLeast {
		if got.rejected[id] < least {
			wrong = append(wrong, fmt.Sprintf("%s is rejected in %d", id, got.rejected[id]))
		}
	}
	return wrong
}

// caseAnswers are what results say, by id; of a test that of its first experiment.
type caseAnswers struct {
	verdicts, reasons, assumptions, decisions, decidedBy map[string]string
	rejected                                             map[string]int // experiments
}

func answers(results *schemas.Results) caseAnswers {
	out := caseAnswers{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}, map[string]int{}}
	for i := range results.Claims {
		f := &results.Claims[i]
		out.verdicts[f.ID], out.reasons[f.ID] = string(f.Verdict), f.Reason
	}
	for _, a := range results.Assumptions {
		out.assumptions[a.ID] = a.Status
	}
	for i := range results.Experiments {
		for _, test := range results.Experiments[i].Tests {
			if _, ok := out.decisions[test.ID]; !ok {
				out.decisions[test.ID], out.decidedBy[test.ID] = test.Decision, test.DecidedBy
			}
			if test.Decision == schemas.DecisionRejected {
				out.rejected[test.ID]++
			}
		}
	}
	return out
}

// firstP is the p that decides the first test; "" where there is none.
func firstP(results *schemas.Results) string {
	test := &results.Experiments[0].Tests[0]
	for i := range test.Results {
		if r := &test.Results[i]; r.Method == test.DecidedBy && r.P != nil {
			return fmt.Sprint(*r.P)
		}
	}
	return ""
}
