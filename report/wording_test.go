package report

import (
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestCorrectionWords holds what a report says of the corrected answers, once
// for every method of correction.
func TestCorrectionWords(t *testing.T) {
	for _, name := range []string{"conditional", correctRecursion, correctBest, correctPublished} {
		text := markdownOf(t, withAnalysis(t, `"method":"best"`, `"method":"`+name+`"`))
		var said []string
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			row := strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| Corrected")
			if strings.Contains(line, "orrected") && (!row || strings.HasPrefix(line, "| Arm | Pulls")) && !slices.Contains(said, line) {
				said = append(said, line)
			}
		}
		golden(t, "correction-"+name+".md", []byte(strings.Join(said, "\n\n")+"\n"))
		if given := strings.Contains(text, "holds given the logged actions, so the hypothesis") || strings.Contains(text, "hold given the logged actions, so"); given == (name == correctPublished) {
			t.Errorf("%s: said to hold given the actions: %v", name, given)
		}
	}
}

// TestUnadjusted: without an adjustment nothing is said to hold for several
// tests at once.
func TestUnadjusted(t *testing.T) {
	r := withAnalysis(t, `"multiplicity":"holm"`, `"multiplicity":"none"`)
	r.Family.Method = "none"
	text := markdownOf(t, r)
	contains(t, text, "Level α = 0.05 for each test alone", "each test holds its own level, and nothing holds for the log as a whole",
		"each at its own level and not adjusted for testing several", "Decisions are taken on the p of the method that decides.")
	for _, not := range []string{"for testing several at once", "the level holds for the log as a whole", "adjusted by Holm", "Holm's", "over the family of all declared tests", "Taken as one family over"} {
		if before, _, ok := strings.Cut(text, not); ok {
			t.Errorf("the report says %q: %s", not, before[max(0, len(before)-100):])
		}
	}
}

// TestDecisionHasNoVerdict: beside a rejection CONSISTENT would read as its
// opposite.
func TestDecisionHasNoVerdict(t *testing.T) {
	rejected := schemas.Test{Decision: schemas.DecisionRejected, Verdict: schemas.Consistent}
	if got := spans(decisionCell(&rejected, "/t").Spans); strings.Contains(got, "CONSISTENT") || !strings.Contains(got, "rejected") {
		t.Errorf("got %s", got)
	}
}

// TestWhyUncorrected: where nothing was corrected, the reason is that of the
// analysis, in the note and below the figure.
func TestWhyUncorrected(t *testing.T) {
	r := questions()
	for i := range r.Experiments {
		x := &r.Experiments[i]
		for j := range x.Arms {
			x.Arms[j].BiasBound, x.Arms[j].BiasBoundPaper, x.Arms[j].CICorrected = nil, nil, nil
		}
		x.Warnings = []string{"other", "arms: bias_bound, sigma and ci_corrected are NOT APPLICABLE: A1: the log contradicts the declared policy"}
	}
	text := markdownOf(t, r)
	contains(t, text, "- No bias bound and no corrected interval. A1: the log contradicts the declared policy.", "No corrected interval. A1: the log contradicts")
	for _, not := range []string{"Nothing was declared", "they need a declared policy"} {
		if strings.Contains(text, not) {
			t.Errorf("the report says %q", not)
		}
	}
	p := &protocol{}
	x := &schemas.Experiment{Tests: []schemas.Test{{Results: []schemas.TestResult{{Method: schemas.MethodCorrected, Reason: "A6: rewards are missing"}}}}}
	if got := whyUncorrected(x, p); got != "A6: rewards are missing." {
		t.Errorf("by a test: %s", got)
	}
	if got := whyUncorrected(&schemas.Experiment{}, p); !strings.HasPrefix(got, "No policy is declared") {
		t.Errorf("by the protocol: %s", got)
	}
}

// TestBatches: the rows of a fit clustered by batch are of batches.
func TestBatches(t *testing.T) {
	text := markdownOf(t, withAnalysis(t, `{"cluster":"unit","kind":"CR1"}`, `{"cluster":"batch","kind":"CR1"}`))
	contains(t, text, "20,000 · of 6,666 batches", "7,714 · of 2,571 units")
}

// TestWideCoefficients: an interval as wide as the range of the reward beside a
// corrected p of 1 says nothing, a narrow one does.
func TestWideCoefficients(t *testing.T) {
	s := study{protocol: &protocol{}}
	s.protocol.Reward.Range = []float64{0, 1}
	for _, tc := range []struct {
		p    float64
		ci   schemas.Interval
		want bool
	}{{1, schemas.Interval{-0.6, 0.5}, true}, {1, schemas.Interval{-0.1, 0.1}, false}, {0.2, schemas.Interval{-0.1, 1}, false}} {
		cells := s.coefficientRow(&schemas.Coefficient{PCorrected: &tc.p, CICorrected: &tc.ci}, "/c", true).Cells
		if got := strings.Contains(spans(cells[len(cells)-1].Spans), "VACUOUS"); got != tc.want {
			t.Errorf("%v: %v", tc, got)
		}
	}
}

// TestWhatDecides: the method that decides stands beside its p and its interval, and
// whether the others agree below.
func TestWhatDecides(t *testing.T) {
	text := renderMarkdown("questions")
	contains(t, text, "One method decides each test", "p that decides", "by corrected p", "What decides each test, and whether the answer depends on the method", "all that apply reject")
	r := questions()
	test := &r.Experiments[0].Tests[0]
	test.DecidedBy = schemas.MethodAnyTime
	contains(t, markdownOf(t, r), "by wagers on rewards (any-time)")
}

// TestWeightedMeansAreExplained: a weighted mean estimates something else than
// the mean beside it.
func TestWeightedMeansAreExplained(t *testing.T) {
	r := questions()
	for i := range r.Experiments[0].Arms {
		r.Experiments[0].Arms[i].IPWMean = new(0.5)
	}
	contains(t, markdownOf(t, r), "It estimates the mean reward that would have come had the arm been played in all of them")
}
