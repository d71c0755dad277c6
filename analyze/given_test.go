package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// TestGivenP: a p that the protocol gives is corrected as the p of a test that was
// carried out here on the same rows, whatever of that test is printed beside; of more
// rows it is corrected by more.
func TestGivenP(t *testing.T) {
	head, _, _ := strings.Cut(private, "    - {id: H1")
	asking := func(tests string) *schemas.Experiment {
		source := head + tests
		return &simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900}).analyse(t, 2).Experiments[0]
	}
	own := asking("    - {id: H1, arm: b, mean: 0.5}\n    - {id: H2, difference: [b, a], value: 0}\n")
	p := func(i int) float64 { return *methods(&own.Tests[i])[schemas.MethodNaive].P }
	given := asking(fmt.Sprintf("    - {id: U1, p: %v, rows: b}\n    - {id: U2, p: %v, rows: [b, a], selector: declared}\n    - {id: U3, p: %v, rows: all}\n    - {id: U4, p: 1, rows: a}\n", p(0), p(1), p(1)))
	for i := range 2 {
		got, want := &given.Tests[i], &own.Tests[i]
		if got.Kind != schemas.TestGiven || got.N != want.N || got.DecidedBy != schemas.MethodCorrected {
			t.Errorf("%+v", got)
		}
		for _, method := range []string{schemas.MethodNaive, schemas.MethodCorrected, schemas.MethodPaper, schemas.MethodMoments, schemas.MethodAnyLaw} {
			g, w := methods(got)[method], methods(want)[method]
			if !g.Applicable || *g.P != *w.P || g.CI != nil || (g.Sigma == nil) != (w.Sigma == nil) || g.Sigma != nil && *g.Sigma != *w.Sigma {
				t.Errorf("%s by %s: %+v, want p of %+v", got.ID, method, g, w)
			}
		}
	}
	two, three := methods(&given.Tests[1])[schemas.MethodCorrected], methods(&given.Tests[2])[schemas.MethodCorrected]
	if given.Tests[2].N != 900 || *three.P <= *two.P {
		t.Errorf("of all rows %v, of two arms %v", *three.P, *two.P)
	}
	if u := &given.Tests[3]; u.Decision == schemas.DecisionRejected || *methods(u)[schemas.MethodCorrected].P != 1 {
		t.Errorf("%+v", u)
	}
	if words := given.Tests[0].Test; !strings.Contains(words, "the audit cannot check either") {
		t.Error(words)
	}
}

// TestGivenPLate: what was thought of after the rewards is not corrected.
func TestGivenPLate(t *testing.T) {
	head, _, _ := strings.Cut(private, "    - {id: H1")
	source := strings.Replace(head, "chosen: before", "chosen: after-rewards", 1) + "    - {id: U, p: 0.001, rows: all}\n"
	e := &simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900}).analyse(t, 1).Experiments[0]
	if u := &e.Tests[0]; u.DecidedBy != "" || u.Decision != schemas.DecisionNone || methods(u)[schemas.MethodCorrected].Applicable {
		t.Errorf("%+v", u)
	}
}
