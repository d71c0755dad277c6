package terminal

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

func TestProbability(t *testing.T) {
	for _, c := range []struct {
		p     float64
		log2p *schemas.Extended
		want  string
	}{
		{1, nil, "1"},
		{0.9996, nil, ">0.999"},
		{0.0424, schemas.Ext(-4.56), "0.0424"},
		{1.55e-78, nil, "1.55e-78"},
		{0, schemas.Ext(math.Inf(-1)), "0"},
		{math.SmallestNonzeroFloat64, nil, "<1e-298"},
		{math.SmallestNonzeroFloat64, schemas.Ext(-2000), "8.71e-603"}, // Python 3.12: -2000*math.log10(2) = -602.0599913279624
		{math.SmallestNonzeroFloat64, schemas.Ext(-1000 / math.Log10(2)), "1e-1000"},
	} {
		if got := Probability(c.p, c.log2p); got != c.want {
			t.Errorf("p %g, log2 p %v: %q, want %q", c.p, c.log2p, got, c.want)
		}
	}
}

// TestTestTable: tests that fit stand as they are declared; of more, those of everything come
// first, then those without an answer, then those that are rejected; the rest is counted.
func TestTestTable(t *testing.T) {
	var tests []schemas.Test
	for i := range 12 {
		x := schemas.Test{ID: fmt.Sprint("T", i), Decision: schemas.DecisionKept, DecidedBy: schemas.MethodAnyTime}
		if i%5 == 4 {
			x.Decision = schemas.DecisionRejected
		}
		tests = append(tests, x)
	}
	tests[8].DecidedBy, tests[11].Kind = "", schemas.TestEqual
	for _, c := range []struct {
		tests, lines int
		want         string
	}{
		{0, 5, ""},
		{4, 5, "TEST T0 T1 T2 T3"},
		{5, 5, "TEST T4 T0 T1 …"},
		{10, 5, "TEST T8 T4 T9 …"},
		{12, 5, "TEST T11 T8 T4 …"},
		{12, 13, "TEST T0 T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11"},
	} {
		var out bytes.Buffer
		if err := testTable(&out, tests[:c.tests], c.lines, nil); err != nil {
			t.Fatal(err)
		}
		var first []string
		for line := range strings.Lines(strings.TrimSpace(out.String())) {
			first = append(first, strings.Fields(line)[0])
		}
		if got := strings.Join(first, " "); got != c.want {
			t.Errorf("%d tests in %d lines: %s", c.tests, c.lines, got)
		}
		if rest := c.tests - c.lines + 2; strings.HasSuffix(c.want, "…") && !strings.Contains(out.String(), fmt.Sprintf(" %d more test", rest)) {
			t.Errorf("%d tests in %d lines: %s", c.tests, c.lines, out.String())
		}
	}
}

// TestUndecided: a reason stands once, whatever the number of tests.
func TestUndecided(t *testing.T) {
	test := func(id, reason string) schemas.Test {
		if reason == "" {
			return schemas.Test{ID: id, DecidedBy: schemas.MethodAnyTime, Choice: "it applies"}
		}
		return schemas.Test{ID: id, Choice: reason}
	}
	for _, c := range []struct {
		name  string
		tests []schemas.Test
		want  []string
	}{
		{"none", nil, nil},
		{"all decided", []schemas.Test{test("a", ""), test("b", "")}, nil},
		{"none decided", []schemas.Test{test("a", "A1: no policy"), test("b ", "A1: no policy")}, []string{"No test is decided: A1: no policy"}},
		{
			"some",
			[]schemas.Test{test("a", "x"), test("b", ""), test("c ", "y"), test("d", "x"), test("e", "x"), test("f", "x"), test("g", "x")},
			[]string{"Not decided: a, d, e, 2 more: x", `Not decided: "c ": y`},
		},
	} {
		if diff := cmp.Diff(c.want, undecided(c.tests)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestTestNotes: what is said below the tests, and when.
func TestTestNotes(t *testing.T) {
	const naive = "NAIVE P is valid only if the allocation had been fixed in advance."
	corrected := []schemas.Test{{DecidedBy: schemas.MethodCorrected}}
	held := func(id, by string, lo float64) schemas.Test {
		return schemas.Test{ID: id, DecidedBy: by, Decision: schemas.DecisionRejected, Results: []schemas.TestResult{{Method: by, CI: &schemas.Interval{lo, 1}}}}
	}
	box := func(id string, lo float64) schemas.Test { return held(id, schemas.MethodAnyTime, lo) }
	kept := func(id string, lo float64) schemas.Test {
		out := box(id, lo)
		out.Decision = schemas.DecisionKept
		return out
	}
	claim := func(v schemas.Verdict) []schemas.Finding {
		return []schemas.Finding{{Kind: schemas.KindConformance, Experiment: "other", Verdict: schemas.Violated}, {Kind: schemas.KindConformance, Experiment: "e", Verdict: v}}
	}
	for _, c := range []struct {
		name   string
		claims []schemas.Finding
		tests  []schemas.Test
		want   []string
	}{
		{"no test", claim(schemas.Violated), nil, nil},
		{"verified", claim(schemas.Verified), corrected, []string{naive}},
		{"not corrected", claim(schemas.NotEstablished), []schemas.Test{{}}, []string{naive}},
		{"below verified", claim(schemas.Consistent), corrected, []string{naive, "P by corrected is that of the declared mechanism: policy.conformance is CONSISTENT."}},
		{"an interval that holds what is rejected", nil, []schemas.Test{box("A", 0), box("B", .1), box("C", -1)}, []string{naive, "The INTERVAL of A, C holds the value that is rejected: it is that of a box of both arms' means, and wider than the test."}},
		{"the grid of a re-run", nil, []schemas.Test{held("S", schemas.MethodRerun, 0), held("R", schemas.MethodRerun, .1)}, []string{naive, "The INTERVAL of S holds the value that is rejected: its ends are the nearest values of the grid that are rejected, and nothing is tried between two values of the grid."}},
		{"an interval that excludes what is not rejected", nil, []schemas.Test{kept("A", .1), kept("B", 0)}, []string{naive, "An INTERVAL is for one test alone: that of A excludes what is not rejected."}},
		{"exchangeable", nil, []schemas.Test{{ID: "E", DecidedBy: schemas.MethodRerun, OnlyIf: schemas.ValidIfExchangeable + " (units)"}}, []string{naive, "The answer to E is " + schemas.ValidIfExchangeable + ": that is rewards within blocks of 10 rounds, where nothing else is declared (analysis.rerun.permute), and a drift within them can reject."}},
		{"no claim", nil, corrected, []string{naive, "P by corrected is that of the declared mechanism: policy.conformance is NOT RUN."}},
	} {
		if diff := cmp.Diff(c.want, testNotes(c.claims, &schemas.Experiment{ID: "e", Tests: c.tests})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	logged := []schemas.Test{{ID: "E", DecidedBy: schemas.MethodAssignment, OnlyIf: schemas.ValidIfLogged}}
	for status, want := range map[schemas.CheckStatus]string{schemas.CheckPass: "finds nothing against that", schemas.CheckNotRun: ": check H17 was not run, and no check shows it."} {
		e := &schemas.Experiment{Tests: logged, Data: schemas.Data{Checks: []schemas.Check{{ID: "H17", Status: status}}}}
		if got := strings.Join(testNotes(nil, e), "\n"); !strings.Contains(got, want) || status == schemas.CheckNotRun && strings.Contains(got, "finds nothing") {
			t.Errorf("H17 %s: %s", status, got)
		}
	}
	if got := familyWords("none"); got != "All experiments, each test at its own level (no adjustment)" {
		t.Error(got)
	}
}

// TestValueTable: a policy has one row, by the first estimate that is given of it, and no
// more rows than fit.
func TestValueTable(t *testing.T) {
	var e schemas.Experiment
	add := func(id, estimator, against string, estimate float64, of *schemas.Interval, anytime bool) {
		x := schemas.Estimate{EvaluationPolicy: id, Estimator: estimator, Against: against, CI: of, Anytime: anytime}
		if !anytime && !math.IsNaN(estimate) {
			x.Estimate = &estimate
		}
		e.Estimates = append(e.Estimates, x)
	}
	nan := math.NaN()
	e.Estimates = append(e.Estimates, schemas.Estimate{Estimator: "ipw", Estimate: new(0.3)})
	add("V1", "ips", "", .31, schemas.NewInterval(.2, .4), false)
	add("V1", "snips", "", .32, schemas.NewInterval(.21, .41), false)
	add("V1", "ips", "the logging policy", -.1, schemas.NewInterval(-.2, 0), false)
	add("V1", "ips", "", nan, schemas.NewInterval(.1, .5), true)
	add("V1", "ips", "the logging policy", nan, schemas.NewInterval(-.3, .1), true)
	add("V2", "ips", "", nan, nil, false)
	add("V2", "snips", "", .5, nil, false)
	var out bytes.Buffer
	if err := valueTable(&out, &e); err != nil {
		t.Fatal(err)
	}
	want := `
VALUE  ESTIMATE      APPROXIMATELY  AT ANY TIME  ABOVE THE LOG, AT ANY TIME
V1     0.31 by ips   [0.2, 0.4]     [0.1, 0.5]   [-0.3, 0.1]
V2     0.5 by snips  —              —            —
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// Where the estimate leaves out rounds, the row answers two questions, and says so.
	e.Estimates[1].Rounds, e.Estimates[1].LeftOut, e.Estimates[4].Rounds = new(int64(1618)), new(int64(382)), new(int64(2000))
	out.Reset()
	const note = "V1: ESTIMATE and APPROXIMATELY are over the 1,618 rounds in which every arm that it plays could be played, AT ANY TIME over 2,000 rounds.\n"
	if err := valueTable(&out, &e); err != nil || out.String() != want+note {
		t.Errorf("%v\n%s", err, out.String())
	}
	for left, which := range map[int64]string{0: "whose reward is known", 100: "in which every arm that it plays could be played and whose reward is known"} {
		e.Estimates[1].LeftOut = &left
		out.Reset()
		if err := valueTable(&out, &e); err != nil || !strings.Contains(out.String(), "over the 1,618 rounds "+which+", AT ANY TIME") {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
	e.Estimates[4].Rounds = new(int64(1618))
	out.Reset()
	if err := valueTable(&out, &e); err != nil || out.String() != want {
		t.Errorf("of the same rounds: %v\n%s", err, out.String())
	}
	for i := range 20 {
		add(fmt.Sprint("W", i), "ips", "", .5, nil, false)
	}
	out.Reset()
	if err := valueTable(&out, &e); err != nil || !strings.Contains(out.String(), "\n… and 10 more policies; see the report\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := valueTable(&out, &schemas.Experiment{}); err != nil || out.Len() > 0 {
		t.Errorf("%v: %q", err, out.String())
	}
}
