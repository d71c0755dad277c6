package report

import (
	"strings"
	"testing"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// TestSpentOfNoEpsilon: noise that is that of no ε costs one all the same, and one
// sentence says how both are true.
func TestSpentOfNoEpsilon(t *testing.T) {
	fit := faultyNoise()
	if got := spentSentence(fit); strings.Contains(got, "while no ε") {
		t.Error(got)
	}
	fit.Hypotheses = []schemas.Hypothesis{{Name: "fresh-prefixes", Fits: true}}
	if got := spentSentence(fit); !strings.HasSuffix(got, "ε = 0.4968 (0.4799, 0.5143): that is the sum over the releases that a row was in, which any noise has, while no ε of the declared counter gives noise of this form.") {
		t.Error(got)
	}
}

// TestTestedP: a p that has underflowed is below a bound, not 0.
func TestTestedP(t *testing.T) {
	for _, c := range []struct {
		p    *float64
		want string
	}{{nil, "—"}, {new(0.0), "below 1e-300"}, {new(0.25), "0.25"}} {
		if got := page.PValue(c.p, nil); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestFittedWhat: every explanation that has a fitted value says what it is, and
// what kind it is of.
func TestFittedWhat(t *testing.T) {
	for _, name := range []string{"scale", "no-noise", "noise-on-mean", "noise-over-n-twice", "fresh-prefixes", "shared-noise", "floor", "clipped-floor", "uniform-rows"} {
		if h := (schemas.Hypothesis{Name: name}); h.Fitted() == "" || h.Kind() == name {
			t.Errorf("%s: nothing is said", name)
		}
	}
	if h := (schemas.Hypothesis{Name: "stale"}); h.Fitted() != "" {
		t.Errorf("stale: %q", h.Fitted())
	}
}
