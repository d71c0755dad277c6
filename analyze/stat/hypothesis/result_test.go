package hypothesis

import (
	"strings"
	"testing"

	"banditaudit/analyze/stat/moments"
)

// Every test says in one sentence what it assumes, and whether its p holds at
// every N, also where it has no answer.
func TestAssumes(t *testing.T) {
	good := sampleOf(50, 0.4, 0.2)
	for _, s := range []moments.Scalar{good, {}} {
		var u moments.UnitPair
		if s.N > 0 {
			u.Add(2, 0.3, 1, 0.1)
			u.Add(1, 0.9, 1, 0.2)
		}
		bounded, pair := BoundedRows(s, 0, 1), BoundedPairRows(s, s, 0, 1)
		for name, r := range map[string]Result{
			"exact binomial":  Binomial(s.N/2, s.N, 0.5, TwoSided, -3),
			"exact hoeffding": Hoeffding(bounded, 0.5, TwoSided, -3), "exact hoeffding difference": HoeffdingDifference(pair, 0.5, TwoSided, -3),
			"exact bernstein": Bernstein(bounded, 0.5, TwoSided, -3), "exact bernstein difference": BernsteinDifference(pair, 0.5, TwoSided, -3),
			"exact bets": Bets(betted(0, 1, .2, .4), 0.5, TwoSided, -3), "exact bets difference": BetsDifference(&BettedPair{*betted(0, 1, .2), *betted(0, 1)}, 0, TwoSided, -3),
			"t": Student(s, 0.5, TwoSided, -3), "welch": Welch(s, s, 0.5, TwoSided, -3), "student2": Student2(s, s, 0.5, TwoSided, -3),
			"z": Normal(s, 0.5, 1, TwoSided, -3), "z difference": NormalDifference(s, s, 0.5, 1, TwoSided, -3),
			"clustered": Clustered(u.A, 0.5, TwoSided, -3), "clustered difference": ClusteredDifference(u, 0.5, TwoSided, -3),
			"wald": Wald([]float64{1}, []float64{1}, Equal(1, []int{0}, []float64{0}), float64(s.N)),
		} {
			if r.Exact != strings.HasPrefix(name, "exact") || !strings.HasSuffix(r.Assumes, fixedActions+".") || strings.Count(r.Assumes, ".") != 1 {
				t.Errorf("%s: exact %t, %q", name, r.Exact, r.Assumes)
			}
			if holds := strings.Contains(r.Assumes, "exact at every N"); holds != r.Exact || !holds && !strings.Contains(r.Assumes, "asymptotic") {
				t.Errorf("%s: %q does not say for what it is valid", name, r.Assumes)
			}
		}
	}
}
