package schemas

import "testing"

// TestScaled: noise is that of an ε where it is the declared one, or is it but
// for its scale.
func TestScaled(t *testing.T) {
	fits := func(name string) []Hypothesis { return []Hypothesis{{Name: "stale"}, {Name: name, Fits: true}} }
	for _, c := range []struct {
		name string
		fit  NoiseFit
		want bool
	}{
		{"nothing recovered", NoiseFit{}, false},
		{"as declared", NoiseFit{Epsilon: Ext(1)}, true},
		{"rejected, another scale fits", NoiseFit{Epsilon: Ext(1), Rejected: true, Hypotheses: fits(HypothesisScale)}, true},
		{"rejected, another form fits", NoiseFit{Epsilon: Ext(1), Rejected: true, Hypotheses: fits("no-noise")}, false},
		{"rejected, nothing fits", NoiseFit{Epsilon: Ext(1), Rejected: true, Hypotheses: []Hypothesis{{Name: HypothesisScale}}}, false},
	} {
		if got := c.fit.Scaled(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
