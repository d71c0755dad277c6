package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestQuestions: what a reader of regressions, of tests of every kind and of
// several experiments is told.
func TestQuestions(t *testing.T) {
	text := renderMarkdown("questions")
	contains(
		t, text,
		"Regressions: descriptive, not in the family", "does not hold for the largest bias of a prediction",
		"CR1 by unit · 6,667 clusters", "differs from the control (control)", "exact over 231 distinct contexts", "3.316 __VACUOUS__",
		"video − control", "age · main, arm green", "4 coefficients · all, all arms", "of 2,571 units",
		"Correction: the least of the Rényi form", "H4, H5, H6: Wald test with the errors of the fit; asymptotic.",
		"is at most 0 · one-sided: greater |", "On request: own proof, internally reviewed; averaged over the actions; loose",
		"All experiments as one family of tests", "Rejected in the families of their own experiments", "Taken as one family over all experiments, 2 of them reject",
		"What a column of the context causes",
	)
	for _, absent := range []string{"Whether any two arms differ", "Hochberg on the raw"} {
		if strings.Contains(text, absent) {
			t.Errorf("the report says %q", absent)
		}
	}
	// The forms on request stand in a table of their own alone.
	_, methods, _ := strings.Cut(text, "__Every method, with its statistic and its costs__")
	methods, requested, _ := strings.Cut(methods, "__On request:")
	if strings.Contains(methods, "by ε and δ") || !strings.Contains(requested, "by ε and δ") || !strings.Contains(methods, "corrected by moments") {
		t.Error("the forms on request do not stand apart")
	}
}

// withAnalysis is questions with another declaration in its protocol.
func withAnalysis(t *testing.T, old, declared string) *schemas.Results {
	t.Helper()
	r := questions()
	if !strings.Contains(string(r.Protocol), old) {
		t.Fatalf("the protocol does not contain %s", old)
	}
	r.Protocol = json.RawMessage(strings.Replace(string(r.Protocol), old, declared, 1))
	return r
}

// TestHeadlineByAverage: an averaged headline is not said to hold given the
// actions.
func TestHeadlineByAverage(t *testing.T) {
	text := markdownOf(t, withAnalysis(t, `"method":"best"`, `"method":"theorem20"`))
	contains(t, text, "it holds on average over the actions, not given them", "Corrected p (averaged over the actions)")
	if strings.Contains(text, "holds given the logged actions, so the hypothesis") {
		t.Error("an averaged p is said to hold given the actions")
	}
}

func TestFamiliesOfFalseRejections(t *testing.T) {
	for method, want := range map[string]string{
		"bh": "and only where the raw p-values are independent or positively dependent",
		"by": "Benjamini–Yekutieli; it limits the expected share of false rejections",
	} {
		contains(t, markdownOf(t, withAnalysis(t, `"multiplicity":"holm"`, `"multiplicity":"`+method+`"`)), want)
	}
}

// TestRequestedWithoutAnswer: a form that applies to nothing has no table.
func TestRequestedWithoutAnswer(t *testing.T) {
	r := questions()
	for i := range r.Experiments {
		for j := range r.Experiments[i].Tests {
			results := r.Experiments[i].Tests[j].Results
			for k := range results {
				if factsOf(results[k].Method).request {
					results[k] = schemas.TestResult{Method: results[k].Method, Reason: "A1: asked for in vain"}
				}
			}
		}
	}
	text := markdownOf(t, r)
	contains(t, text, "Of the forms that analysis.correction.also asks for none applies", "by ρ of zero-concentrated privacy, by ε and δ: A1: asked for in vain. All tests.")
	if strings.Contains(text, "Forms on request") {
		t.Error("there is a table without an answer")
	}
}

// TestManyCoefficients: a long table is cut, and says where the rest is.
func TestManyCoefficients(t *testing.T) {
	r := questions()
	f := &r.Experiments[0].Regressions[0]
	for i := range 300 {
		f.Coefficients = append(f.Coefficients, schemas.Coefficient{Name: fmt.Sprintf("c%d", i)})
	}
	text := markdownOf(t, r)
	contains(t, text, "| c195 |", "The other 104 coefficients are in tables/regressions.parquet.")
	if strings.Contains(text, "| c196 |") {
		t.Error("more coefficients are listed than fit")
	}
}

// TestManyRejections: what is not listed is counted, and its place named.
func TestManyRejections(t *testing.T) {
	r := questions()
	for i := range 150 {
		r.Family.Rejections = append(r.Family.Rejections, schemas.FamilyTest{Experiment: "e", Test: fmt.Sprintf("T%d", i), PAdjusted: new(0.01)})
	}
	r.Family.Rejected = 152
	contains(t, markdownOf(t, r), "The other 52 are in tables/family.parquet.")
	r.Family.Rejected = 900
	contains(t, markdownOf(t, r), "Another 800 are not listed; tables/family.parquet has the 152 with the smallest p.")
}

// TestVacuousByRounding: a corrected p of 1 says nothing whoever found it, one
// just below is not written as 1, and a raw p of 1 is an answer.
func TestVacuousByRounding(t *testing.T) {
	for _, tc := range []struct {
		method string
		p      float64
		want   string
	}{
		{schemas.MethodCorrected, 1, "1 __VACUOUS__"},
		{schemas.MethodCorrected, 0.999999, "> 0.9999"},
		{schemas.MethodNaive, 1, "1"},
		{schemas.MethodSequence, 1, "1"},
		{schemas.MethodAnyTime, 1, "1"},
		{schemas.MethodAssignment, 1, "1"},
	} {
		c := resultP(&schemas.TestResult{Method: tc.method, P: &tc.p, Applicable: true}, "/p")
		if got := strings.ReplaceAll(spans(c.Spans), "&gt;", ">"); got != tc.want {
			t.Errorf("%s %g: %q, want %q", tc.method, tc.p, got, tc.want)
		}
	}
}
