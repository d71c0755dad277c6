package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/report/answers"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// saidTo is what the results say to a question.
func saidTo(t *testing.T, r *schemas.Results, question string) string {
	t.Helper()
	d := digested(r)
	d.Catalogue.Claims = []param.Claim{{Kind: schemas.KindConformance, Asks: "whether the policy chose", Broken: "the policy would not have chosen"}, {Kind: schemas.KindPrivacyTotal, Asks: "whether it is private"}}
	all, err := answers.All(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Question == question {
			return strings.Join(a.Said, " ")
		}
	}
	return ""
}

// TestArmAnswers: what each kind of test comes to, in a sentence that says no more than its
// method.
func TestArmAnswers(t *testing.T) {
	ci := &schemas.Interval{0.01, 0.09}
	test := func(kind, decision, by string, more func(*schemas.Test)) schemas.Test {
		out := schemas.Test{ID: "T", Kind: kind, Arm: 1, Label: "b", Against: "a", Alternative: schemas.TwoSided, Decision: decision, DecidedBy: by, Estimate: new(.05), Results: []schemas.TestResult{{Method: by, CI: ci}}}
		if more != nil {
			more(&out)
		}
		return out
	}
	at := func(value, estimate float64) func(*schemas.Test) {
		return func(t *schemas.Test) { t.Value, t.Estimate = value, &estimate }
	}
	oneSided := func(alternative string) func(*schemas.Test) {
		return func(t *schemas.Test) { t.Alternative = alternative }
	}
	for want, tests := range map[string][]schemas.Test{
		"b pays more than a, by a difference between 0.01 and 0.09.": {test(schemas.TestDifference, "rejected", schemas.MethodAnyTime, nil)},
		"b pays less than a, by a difference between 0.01 and 0.09.": {test(schemas.TestDifference, "rejected", schemas.MethodAnyTime, at(0, -.05))},
		"b and a do not pay alike.":                                  {test(schemas.TestDifference, "rejected", schemas.MethodAssignment, nil)},
		"The mean of b less that of a is not 0.1.":                   {test(schemas.TestDifference, "rejected", schemas.MethodAnyTime, at(.1, .05))},
		"Whether b pays more or less than a is not decided.":         {test(schemas.TestDifference, "not rejected", schemas.MethodAnyTime, nil)},
		"Whether b pays more than a is not decided.":                 {test(schemas.TestDifference, "not rejected", schemas.MethodAnyTime, oneSided(schemas.Greater))},
		"For b it is not decided whether the mean is below 0.":       {test(schemas.TestMean, "not rejected", schemas.MethodAnyTime, oneSided(schemas.Less))},
		"The mean of b less that of a is above 0.1.": {test(schemas.TestDifference, "rejected", schemas.MethodAnyTime, func(t *schemas.Test) {
			at(.1, .3)(t)
			oneSided(schemas.Greater)(t)
		})},
		"b pays more than a.":                                        {test(schemas.TestDifference, "rejected", schemas.MethodAnyTime, func(t *schemas.Test) { t.Results[0].CI = &schemas.Interval{-.01, .09} })},
		"The arms do not pay alike.":                                 {test(schemas.TestEqual, "rejected", schemas.MethodRerun, func(t *schemas.Test) { t.Against, t.Arm = "", -1 })},
		"Whether b and a pay alike is not decided.":                  {test(schemas.TestEqual, "no answer", schemas.MethodRerun, nil)},
		"b pays more than 0.01.":                                     {test(schemas.TestMean, "rejected", schemas.MethodAnyTime, at(.01, .05))},
		"b pays less than 0.5.":                                      {test(schemas.TestMean, "rejected", schemas.MethodAnyTime, at(.5, .05))},
		"For b it is not decided whether the mean is 0.5.":           {test(schemas.TestMean, "not rejected", schemas.MethodAnyTime, at(.5, .05))},
		"Test T has no valid answer; the table of tests says why.":   {test(schemas.TestMean, "not applicable", "", nil)},
		"Test T rejects its hypothesis.":                             {test(schemas.TestJoint, "rejected", schemas.MethodCorrected, nil)},
		"b pays more than 0. Test T does not reject its hypothesis.": {test(schemas.TestCoefficient, "not rejected", schemas.MethodCorrected, nil), test(schemas.TestMean, "rejected", schemas.MethodAnyTime, nil)},
	} {
		r := homepage()
		r.Experiments[0].Tests = tests
		got := saidTo(t, r, "Arms")
		if before, _, found := strings.Cut(got, " These are the answers of "); !found || before != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestNoTests: without a test nothing is decided, and the best mean is told with its
// interval.
func TestNoTests(t *testing.T) {
	r := homepage()
	x := &r.Experiments[0]
	x.Tests = nil
	x.Arms = []schemas.Arm{{Label: "a", Mean: new(.3), ConfidenceSequence: &schemas.Interval{.2, .35}}, {Label: "b", Mean: new(.5), ConfidenceSequence: &schemas.Interval{.4, .6}}, {Label: "never"}}
	const begin = "No comparison of arms was declared, so none is decided. The highest mean is that of b, 0.5 (0.4 to 0.6 by the 95 % sequence that holds for all arms together), and that interval "
	if diff := cmp.Diff(begin+"overlaps with those of other arms.", saidTo(t, r, "Arms")); diff != "" {
		t.Errorf("an arm that was never played: (-want +got)\n%s", diff)
	}
	x.Arms = x.Arms[:2]
	if diff := cmp.Diff(begin+"lies above those of all other arms.", saidTo(t, r, "Arms")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestWrong: what is contradicted comes first, of several experiments by their names.
func TestWrong(t *testing.T) {
	if got := saidTo(t, homepage(), "Found wrong"); got != "Nothing was found against this log." {
		t.Error(got)
	}
	want := "1 of 2 experiments contradicts what was declared. Experiment homepage-footer: The policy would not have chosen: 1 of 20,000 actions differs from the policy's (first: round 4,711, logged blue, expected video). Experiment homepage-footer: The claim P1 is contradicted: ε = ∞."
	if diff := cmp.Diff(want, saidTo(t, twoExperiments(), "Found wrong")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff("The policy chose, in 1 of 2 experiments (VERIFIED). It is private, in 1 of 2 experiments (VERIFIED).", saidTo(t, twoExperiments(), "Checked")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestWrongPropensities: where the logged propensities alone are not the policy's, no action is
// accused.
func TestWrongPropensities(t *testing.T) {
	for mode, want := range map[string]string{
		schemas.ModeSeed:       "The logged propensities are not those of the declared policy: 6 of 9 logged propensities are not the policy's.",
		schemas.ModePropensity: "The logged propensities are not those of the declared policy: 6 of 9 logged propensities are not the policy's.",
	} {
		r := homepage()
		x := &r.Experiments[0]
		x.Replay = schemas.Conformance{Mode: mode, Replayable: 9, Matched: 9, Propensities: &schemas.PropensityReplay{Rounds: 9, Matched: 3}}
		r.Claims = []schemas.Finding{{ID: "c", Experiment: x.ID, Kind: schemas.KindConformance, Verdict: schemas.Violated, Observed: "seen", Reason: "why"}}
		if got := saidTo(t, r, "Found wrong"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", mode, got, want)
		}
	}
}

// TestWrongOfMany: more contradictions than are listed are counted all, and what an answer
// rests on stands beside it.
func TestWrongOfMany(t *testing.T) {
	r := twoExperiments()
	r.Claims = nil
	for i := range 300 {
		r.Claims = append(r.Claims, schemas.Finding{ID: "c", Experiment: strings.Repeat("x", 1+i/2), Verdict: schemas.Violated})
	}
	if got := saidTo(t, r, "Found wrong"); !strings.HasPrefix(got, "150 of 2 experiments contradict") || !strings.Contains(got, "295 more claims are contradicted") {
		t.Error(got)
	}
	r = homepage()
	r.Experiments[0].Tests[0].OnlyIf = "valid only if it is so"
	if got := saidTo(t, r, "Valid if"); !strings.Contains(got, "The answer to H1 is valid only if it is so.") {
		t.Error(got)
	}
	r = twoExperiments()
	for i := range r.Claims { // a hedge is no less of one where there are many
		if c := &r.Claims[i]; c.Kind == schemas.KindConformance && c.Verdict == schemas.Verified {
			c.Verdict = schemas.Consistent
			r.Claims = slices.Insert(r.Claims, i+1, schemas.Finding{ID: "other", Experiment: c.Experiment, Verdict: schemas.Violated})
			break
		}
	}
	for i := range r.Experiments {
		r.Experiments[i].Tests[0].OnlyIf = "valid only if it is so"
	}
	if got := saidTo(t, r, "Checked"); !strings.Contains(got, "Nothing speaks against this in 1 of 2 experiments (another claim is contradicted in 1 of them): the policy chose (CONSISTENT).") {
		t.Error(got)
	}
	if got := saidTo(t, r, "Valid if"); got != "The answers to H1 in all 2 experiments are valid only if it is so." {
		t.Error(got)
	}
}

// TestCautions: what is said of several experiments stands once, with how many, and the
// commonest first.
func TestCautions(t *testing.T) {
	r := twoExperiments()
	r.Experiments[0].Cautions = []string{"and more", "the weights are few"}
	r.Experiments[1].Cautions = []string{"the weights are few"}
	r.Cautions = 4
	ids := r.Experiments[0].ID + ", " + r.Experiments[1].ID
	want := "In all 2 experiments, such as " + ids + ": the weights are few. Experiment " + r.Experiments[0].ID + ": and more. 1 more caution stands in results.json, under cautions of each experiment."
	if diff := cmp.Diff(want, saidTo(t, r, "Careful")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
