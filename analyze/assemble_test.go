package analyze_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/schemas"
)

// TestOverall counts required claims by verdict, over all experiments.
func TestOverall(t *testing.T) {
	for _, c := range []struct{ required, advisory, want string }{
		{"", "", "NO EXCEPTIONS NOTED"},
		{"VERIFIED,CONSISTENT,NOT APPLICABLE", "", "NO EXCEPTIONS NOTED"},
		{"VERIFIED", "VIOLATED,NOT ESTABLISHED,NOT RUN", "NO EXCEPTIONS NOTED"},
		{"NOT ESTABLISHED", "VIOLATED", "INCOMPLETE (1)"},
		{"NOT RUN", "", "INCOMPLETE (1)"},
		{"NOT RUN,VERIFIED,NOT ESTABLISHED,NOT APPLICABLE,NOT ESTABLISHED", "NOT RUN", "INCOMPLETE (3)"},
		{"VIOLATED", "", "EXCEPTIONS NOTED (1)"},
		{"NOT RUN,VIOLATED,NOT ESTABLISHED,VIOLATED,VERIFIED", "VIOLATED", "EXCEPTIONS NOTED (2)"},
	} {
		var outcomes []*aggregate.Outcome
		for severity, list := range map[string]string{schemas.SeverityRequired: c.required, schemas.SeverityAdvisory: c.advisory} {
			for verdict := range strings.SplitSeq(list, ",") {
				f := schemas.Finding{Severity: severity, Verdict: schemas.Verdict(verdict)}
				outcomes = append(outcomes, &aggregate.Outcome{Claims: []schemas.Finding{f}})
			}
		}
		r := assembled(tool(), []byte("{}"), nil, outcomes)
		if r.Overall != c.want {
			t.Errorf("required %s, advisory %s: %q, want %q", c.required, c.advisory, r.Overall, c.want)
		}
		if len(outcomes) > 0 {
			outcomes[0].Experiment.Cautions = []string{"x", "y", "z"}
			if r = assembled(tool(), []byte("{}"), nil, outcomes); r.Overall != c.want+", 3 CAUTIONS" || r.Cautions != 3 {
				t.Errorf("required %s, advisory %s, with cautions: %q", c.required, c.advisory, r.Overall)
			}
		}
		if len(r.Experiments) != len(outcomes) || len(r.Claims) != len(outcomes) {
			t.Errorf("%d experiments and %d claims of %d outcomes", len(r.Experiments), len(r.Claims), len(outcomes))
		}
	}
}

// TestRunID is the digest of the protocol, the inputs' digests and the
// version, and of nothing else.
func TestRunID(t *testing.T) {
	protocol, inputs := []byte(`{"version":1}`), []schemas.Input{{URI: "a", SHA256: "aa"}, {URI: "b", SHA256: "bb"}}
	id := func(version, protocol string, inputs ...schemas.Input) string {
		return assembled(schemas.Tool{Name: "x", Version: version}, []byte(protocol), inputs, nil).RunID
	}
	sum := sha256.Sum256([]byte("{\"version\":1}\naa\nbb\n7\n"))
	want := hex.EncodeToString(sum[:])
	if got := id("7", string(protocol), inputs...); got != want {
		t.Errorf("run_id is %s, want %s", got, want)
	}
	for name, other := range map[string]string{
		"version":  id("8", string(protocol), inputs...),
		"protocol": id("7", `{"version": 1}`, inputs...),
		"digest":   id("7", string(protocol), inputs[0], schemas.Input{URI: "b", SHA256: "bc"}),
		"order":    id("7", string(protocol), inputs[1], inputs[0]),
		"number":   id("7", string(protocol), inputs[0]),
	} {
		if other == want {
			t.Errorf("another %s gives the same run_id", name)
		}
	}
	if got := id("7", string(protocol), schemas.Input{URI: "c", SHA256: "aa"}, schemas.Input{URI: "d", SHA256: "bb"}); got != want {
		t.Error("the run_id depends on the names of inputs")
	}
}

// TestWeakestStatus: of several experiments the weakest support is shown.
func TestWeakestStatus(t *testing.T) {
	status := func(words ...string) *aggregate.Outcome {
		out := &aggregate.Outcome{Status: map[string]string{}}
		for i, id := range []string{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"} {
			out.Status[id] = words[i%len(words)]
		}
		return out
	}
	for _, c := range []struct {
		outcomes []*aggregate.Outcome
		want     string
	}{
		{nil, "not needed"},
		{[]*aggregate.Outcome{status("checked")}, "checked"},
		{[]*aggregate.Outcome{status("checked"), status("not needed")}, "checked"},
		{[]*aggregate.Outcome{status("checked"), status("declared")}, "declared"},
		{[]*aggregate.Outcome{status("not checkable"), status("declared")}, "not checkable"},
		{[]*aggregate.Outcome{status("not checkable"), status("failed"), status("checked")}, "failed"},
	} {
		got := assembled(tool(), []byte("{}"), nil, c.outcomes).Assumptions
		if len(got) != 8 {
			t.Fatalf("%d assumptions, want 8", len(got))
		}
		for i, a := range got {
			if a.Status != c.want || a.ID != "A"+string(rune('1'+i)) {
				t.Errorf("assumption %d is %s %q, want %q", i, a.ID, a.Status, c.want)
			}
		}
	}
}
