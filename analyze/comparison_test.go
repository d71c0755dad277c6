package analyze_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// A policy that learns, without any evidence of what it did.
const comparing = `version: 1
experiment: {id: comparing, stopping: fixed}
log: {order: [round], action: action, reward: reward, context: [x0], eligible: eligible, eligible_by: schedule}
arms: [a, b, c]
reward: {range: [0, 1]}
policy: {name: epsilon-greedy, explore: 0.5}
counter: {name: laplace, epsilon: 0.01}
analysis:
  decide: corrected
  sequence: normal
  chosen: before
  approximate: accept
  regressions: [{name: each, covariance: HC3}, {name: all, arms: pooled, covariance: HC3}]
  tests:
    - {id: D, difference: [a, b], value: 0, test: welch}
    - {id: E, difference: [b, c], value: 0, test: welch}
    - {id: M, arm: a, mean: 0.2, test: t}
    - {id: X, regression: each, arm: a, coefficient: x0, value: 0}
    - {id: B, regression: all, coefficient: "arm[b]", value: 0}
    - {id: C, regression: all, coefficient: "arm[c]", value: 0}
    - {id: J, regression: all, joint: {"arm[b]": 0, x0: 0}}
    - {id: S, regression: all, coefficient: x0, value: 0}
`

const learns = "policy: {name: epsilon-greedy, explore: 0.5}\ncounter: {name: laplace, epsilon: 0.01}\n"

// comparingLab is the log of three arms of which a moves, to where it says.
func comparingLab(t *testing.T, to float64) *lab {
	t.Helper()
	spec := movingSpec()
	spec.ContextDim, spec.Eligible = 1, logfile.EligibleFlags
	rows := movingRows(1, 3000, to)
	for i := range rows {
		rows[i].X = []float64{float64(i%7) - 3}
		rows[i].Eligible = []bool{true, true, rows[i].Arm == 2 || i%5 > 0}
	}
	return written(t, t.TempDir(), comparing, spec, rows)
}

// applicable are the tests with a corrected p, and means what is said of the means
// of those that compare arms.
func applicable(t *testing.T, r *schemas.Results) (ids []string, means map[string]string) {
	t.Helper()
	means = map[string]string{}
	for i := range r.Experiments[0].Tests {
		x := &r.Experiments[0].Tests[i]
		if method(t, x, schemas.MethodCorrected).Applicable {
			ids = append(ids, x.ID)
		}
		if x.Comparison != nil {
			means[x.ID] = x.Comparison.Means
		}
	}
	return ids, means
}

func assumed(r *schemas.Results, id string) schemas.Assumption {
	for _, a := range r.Assumptions {
		if a.ID == id {
			return a
		}
	}
	return schemas.Assumption{}
}

const (
	still = schemas.MeansNotContradicted
	moves = schemas.MeansContradicted
	spare = schemas.MeansNotNeeded
)

// What compares a mean that moves has no corrected p; what does not, has one.
func TestComparisonOfMovingMeans(t *testing.T) {
	r := comparingLab(t, .7).analyse(t, 2)
	ids, means := applicable(t, r)
	if diff := cmp.Diff([]string{"E", "M", "X", "S"}, ids); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"D": moves, "E": still, "B": moves, "C": moves, "J": moves}, means); diff != "" {
		t.Error(diff)
	}
	if a := assumed(r, "A3"); a.Status != "contradicted" || !strings.Contains(a.CheckedBy, "H13 finds means that move: a (p ") {
		t.Errorf("%+v", a)
	}
	e := &r.Experiments[0]
	d := &e.Tests[0]
	if c := method(t, d, schemas.MethodSequence); c.Applicable || !strings.Contains(c.Reason, "has the difference in [0.") {
		t.Errorf("%+v", c)
	}
	if c := method(t, d, schemas.MethodCorrected); !strings.Contains(c.Reason, "A3: the mean of an arm moves (check H13: a (p ") || c.CI != nil {
		t.Errorf("%+v", c)
	}
	for i := range e.Regressions {
		f := &e.Regressions[i]
		for _, c := range f.Coefficients {
			if given := !strings.HasPrefix(c.Name, "arm["); given != (c.PCorrected != nil) || given != (c.CICorrected != nil) {
				t.Errorf("%s: p_corrected of %s is %v", f.Name, c.Name, c.PCorrected)
			}
		}
	}
	warned(t, e, "regressions: p_corrected and ci_corrected of coefficients that hold an arm against the control are NOT APPLICABLE where the mean of one of the two moves: A3: check H13: a (p ")
}

// Where no mean is found to move, a comparison says what it rests on, whether or
// not it is declared.
func TestComparisonOfStillMeans(t *testing.T) {
	l := comparingLab(t, .3)
	r := l.analyse(t, 2)
	ids, means := applicable(t, r)
	if len(ids) != 8 || means["D"] != still || means["B"] != still || len(means) != 5 {
		t.Errorf("%v, %v", ids, means)
	}
	d := &r.Experiments[0].Tests[0]
	if c := method(t, d, schemas.MethodCorrected); !strings.HasSuffix(c.Reason, "; "+schemas.ValidIfConstant) {
		t.Errorf("%q", c.Reason)
	}
	if c := method(t, d, schemas.MethodSequence); !c.Applicable || !strings.HasSuffix(c.Reason, "of the arms themselves it is "+schemas.ValidIfConstant) {
		t.Errorf("%q", c.Reason)
	}
	if w := d.Comparison.Words; d.Comparison.Declared || !strings.Contains(w, "from this size on: a 0.") || !strings.Contains(w, "a smaller or faster drift that the arms share, or one that goes back and forth, can reject") {
		t.Errorf("%+v", d.Comparison)
	}
	if a := assumed(r, "A3"); a.Status != "not contradicted" || !strings.HasSuffix(a.CheckedBy, "a smaller or faster drift that the arms share, or one that goes back and forth, can reject") {
		t.Errorf("%+v", a)
	}
	r = l.but(t, changes{"chosen: before": "chosen: before\n  means: constant"}).analyse(t, 2)
	d = &r.Experiments[0].Tests[0]
	if c := method(t, d, schemas.MethodCorrected); !d.Comparison.Declared || !strings.HasSuffix(c.Reason, "; "+schemas.ValidIfDeclared) {
		t.Errorf("%+v, %q", d.Comparison, c.Reason)
	}
}

// Arms that a policy without rewards plays in the same shares of each other's
// rounds meet the same means: a and b do, and c cannot be played in some rounds.
func TestComparisonOfEvenArms(t *testing.T) {
	l := comparingLab(t, .7)
	const uniform = "policy: {name: uniform}\n"
	even := map[string]string{"D": spare, "E": still, "B": spare, "C": moves, "J": spare}
	uneven := map[string]string{"D": moves, "E": still, "B": moves, "C": moves, "J": moves}
	for name, c := range map[string]struct {
		change changes
		want   map[string]string
	}{
		"equal shares":                {changes{learns: uniform}, even},
		"other shares":                {changes{learns: "policy: {name: fixed, probabilities: [0.33, 0.34, 0.33]}\n"}, even},
		"shares of other arms":        {changes{learns: "policy: {name: fixed, probabilities: [0.2, 0.3, 0.5]}\n"}, map[string]string{"D": moves, "E": moves, "B": moves, "C": moves, "J": moves}},
		"chosen by the actions":       {changes{learns: uniform, "chosen: before": "chosen: from-actions"}, uneven},
		"a column by released values": {changes{learns: uniform, "eligible_by: schedule": "eligible_by: released"}, uneven},
	} {
		_, means := applicable(t, l.but(t, c.change).analyse(t, 2))
		if diff := cmp.Diff(c.want, means); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	source := moving + "analysis: {decide: corrected, sequence: normal, chosen: before, tests: [{id: D, difference: [c, a], value: 0, test: bernstein}]}\n"
	ids, means := applicable(t, written(t, t.TempDir(), source, movingSpec(), movingRows(1, 3000, .7)).analyse(t, 2))
	if means["D"] != spare || len(ids) != 1 {
		t.Errorf("where every arm can always be played: %v, %v", ids, means)
	}
}

// Every comparison says when its arms were played.
func TestComparisonSaysWhen(t *testing.T) {
	rows := movingRows(5, 1003, .3)
	for i := range rows {
		rows[i].Arm = i / 500 // a, then b, then c
	}
	source := moving + "analysis: {decide: corrected, sequence: normal, chosen: before, tests: [{id: D, difference: [c, a], value: 0, test: bernstein}]}\n"
	e := one(t, written(t, t.TempDir(), source, movingSpec(), rows))
	want := []schemas.PlayedArm{
		{Label: "c", First: 1001, Last: 1003, Quarters: []int64{0, 0, 0, 3}},
		{Label: "a", First: 1, Last: 500, Quarters: []int64{251, 249, 0, 0}},
	}
	if diff := cmp.Diff(want, e.Tests[0].Comparison.Played); diff != "" {
		t.Error(diff)
	}
}

// Arms that a declared policy without rewards cannot have played are not taken to
// have met the same means.
func TestComparisonOfOtherArms(t *testing.T) {
	spec := movingSpec()
	spec.Propensity = true
	rows := movingRows(1, 3000, .7)
	for i := range rows {
		rows[i].Propensity = 1. / 3
		if rows[i].Arm == 1 && i < 1500 { // in the first half b has 1/9
			rows[i].Arm = i % 3
		}
	}
	source := strings.Replace(moving, "reward: reward", "reward: reward, propensity: propensity", 1) +
		"analysis: {decide: corrected, sequence: normal, chosen: before, tests: [{id: D, difference: [a, b], value: 0, test: bernstein}]}\n"
	_, means := applicable(t, written(t, t.TempDir(), source, spec, rows).analyse(t, 2))
	if means["D"] != moves {
		t.Errorf("%v", means)
	}
	for i := range rows {
		rows[i].Propensity = .25 // the policy would have 1/3
	}
	_, means = applicable(t, written(t, t.TempDir(), source, spec, rows).analyse(t, 2))
	if means["D"] != moves {
		t.Errorf("%v", means)
	}
}

// What compares arms of a policy that reads no rewards says that it is valid only if
// arms were drawn as declared given everything before, and A3 is no more than not
// contradicted by what H17 looked at, also over tests that hold at every number of rows.
func TestComparisonOfEvenArmsRestsOnTheDraws(t *testing.T) {
	source := moving + "analysis: {decide: corrected, sequence: normal, chosen: before, tests: [{id: D, difference: [c, a], value: 0, test: bernstein}]}\n"
	r := written(t, t.TempDir(), source, movingSpec(), movingRows(1, 3000, .3)).analyse(t, 2)
	d := &r.Experiments[0].Tests[0]
	if c := method(t, d, schemas.MethodCorrected); d.Comparison.ValidIf != schemas.ValidIfDrawn || !c.Applicable || !strings.HasSuffix(c.Reason, schemas.ValidIfDrawn) {
		t.Errorf("%+v, %q", d.Comparison, c.Reason)
	}
	if a := assumed(r, "A3"); a.Status != schemas.MeansNotContradicted || !strings.Contains(d.Comparison.Words, "not contradicted by check H17") || !strings.Contains(d.Comparison.Words, check.ElseWords) {
		t.Errorf("%+v, %q", a, d.Comparison.Words)
	}
}
