package report

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestNoiseOfWhichEpsilon: an ε is held against the one of the mechanism, which
// for interval is not counter.epsilon, and a cost says whether a row may have paid
// more.
func TestNoiseOfWhichEpsilon(t *testing.T) {
	fit := &schemas.NoiseFit{Releases: 999, Recovered: 999, Ratio: new(1.25), Epsilon: schemas.Ext(26)}
	if got := noiseSentence(fit, "0.5"); !strings.Contains(got, "the noise is that of ε = 26.00; of the declared mechanism it is ε = 32.50 for the counter of each arm (counter.epsilon is 0.5,") {
		t.Errorf("another ε than counter.epsilon: %q", got)
	}
	if got := noiseSentence(fit, "65/2"); !strings.Contains(got, "the noise is that of ε = 26.00; declared is ε = 65/2 for the counter of each arm") {
		t.Errorf("counter.epsilon: %q", got)
	}
	fit.Hypotheses = []schemas.Hypothesis{{Name: "fresh-prefixes", Words: "fresh", Fits: true}}
	fit.Spent, fit.SpentLo, fit.SpentHi, fit.SpentAtLeast = schemas.Ext(40), schemas.Ext(30), schemas.Ext(50), true
	if got := noiseSentence(fit, "0.5"); !strings.Contains(got, "the ε of that law is not the one of this log") || strings.Contains(got, "26") {
		t.Errorf("values that were redrawn: %q", got)
	}
	if got, want := spentSentence(fit), "By the explanation that fits, the releases of this log cost the row that paid most at least ε = 40.00 (30.00, 50.00): that is the sum over the releases that a row was in, which any noise has, while no ε of the declared counter gives noise of this form."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
