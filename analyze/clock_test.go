package analyze_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
)

// TestDistinctPropensities: different propensities are counted up to 65,536, and
// beyond there are said to be more.
func TestDistinctPropensities(t *testing.T) {
	const arms = 100
	labels := make([]string, arms)
	for a := range labels {
		labels[a] = fmt.Sprintf("a%d", a)
	}
	for n, want := range map[int]string{500: "contradicted, 50,000 different ones in 500 rows", 800: "contradicted, more than 65,536 different ones in 800 rows"} {
		rng := rand.New(rand.NewPCG(1, 1))
		rows := make([]logfile.Row, n)
		for i := range rows {
			p := make([]float64, arms)
			for a := range p {
				p[a] = 1 + rng.Float64()/2
			}
			sum := 0.0
			for _, v := range p {
				sum += v
			}
			for a := range p {
				p[a] /= sum
			}
			arm := rng.IntN(arms)
			rows[i] = logfile.Row{Arm: arm, Propensity: p[arm], PropensityByArm: p, X: []float64{0}}
		}
		spec := rolesSpec()
		spec.Labels, spec.PropensityByArm = labels, true
		source := strings.NewReplacer(columns, columns+", propensity_by_arm: propensity_by_arm", "[a, b, c]", "["+strings.Join(labels, ", ")+"]", "policy: {name: uniform}\n", "").Replace(roles)
		r := written(t, t.TempDir(), source, spec, rows).analyse(t, 1)
		if h10 := check.Find(r.Experiments[0].Data.Checks, "H10"); !strings.Contains(h10.Detail, want) {
			t.Errorf("%d rows: %+v, want %q", n, h10, want)
		}
	}
}

// TestCutSearchesAreSaid: 20,000 rounds whose propensities change at random are
// more than a search for any period goes over.
func TestCutSearchesAreSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out a search among 20,000 rounds; the full run has it")
	}
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	p, rows := 0.5, make([]logfile.Row, 20_000)
	for i := range rows {
		if rng.IntN(20) == 0 {
			p = 0.25 + rng.Float64()/2
		}
		row := logfile.Row{Round: int64(i + 1), Propensity: p, X: []float64{0}}
		if rng.Float64() >= p {
			row.Arm, row.Propensity = 1, 1-p
		}
		rows[i] = row
	}
	spec := rolesSpec()
	spec.Labels = []string{"a", "b"}
	source := strings.NewReplacer("[a, b, c]", "[a, b]", "policy: {name: uniform}\n", "").Replace(roles)
	r := written(t, t.TempDir(), source, spec, rows).analyse(t, 1)
	h10 := check.Find(r.Experiments[0].Data.Checks, "H10")
	if !strings.Contains(h10.Observed, "on no grid") || !strings.Contains(h10.Detail, "The search for other periods was cut short: it went over the first ") || strings.Contains(h10.Detail, "experiments share") {
		t.Errorf("%+v", h10)
	}
}
