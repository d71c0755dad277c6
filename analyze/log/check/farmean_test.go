package check

import (
	"strings"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
)

// TestFarMean: a mean of 1/p that is far off has the causes that nothing excludes, and
// one that is near has none.
func TestFarMean(t *testing.T) {
	const wrong, unplayable, low, heavy = "not those of the log", "an arm could not be played", "fell so low", "few rows carry much weight"
	for name, c := range map[string]struct {
		mean, choices float64
		largest       float64
		byArm         bool
		wrong         string
		want          []string
	}{
		"near":                         {mean: 2.9, choices: 3, wrong: wrong},
		"below":                        {mean: 2.1, choices: 3, wrong: wrong, want: []string{wrong, unplayable, low}},
		"below, all above 0":           {mean: 2.1, choices: 3, byArm: true, wrong: wrong, want: []string{wrong, low}},
		"below, all recomputed":        {mean: 2.1, choices: 3, byArm: true, want: []string{low}},
		"below, some 0, by the policy": {mean: 2.1, choices: 2.8, byArm: true, want: []string{unplayable, low}},
		"below, but for few plays":     {mean: 2.1, choices: 3, largest: 4.1, wrong: wrong},
		"above, with a large weight":   {mean: 4, choices: 3, largest: 100, wrong: wrong, want: []string{wrong, heavy}},
		"above":                        {mean: 4, choices: 3, wrong: wrong, want: []string{wrong, heavy}},
	} {
		p := &Propensities{Choices: c.choices, Weights: allocationtest.WeightsResult{Rows: 400, ESS: 390, MeanInverse: c.mean, Largest: max(2, c.largest)}}
		if c.byArm {
			p.ByArm = &ByArm{}
		}
		got := FarMean(&Inputs{Labels: []string{"a", "b", "c"}, Propensities: p}, c.wrong)
		if (got == "") != (c.want == nil) {
			t.Errorf("%s: %q", name, got)
		}
		for _, words := range []string{wrong, unplayable, low, heavy} {
			named := false
			for _, w := range c.want {
				named = named || w == words
			}
			if strings.Contains(got, words) != named {
				t.Errorf("%s: %q, and %q is named: %v", name, got, words, !named)
			}
		}
	}
}
