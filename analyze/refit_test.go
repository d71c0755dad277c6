package analyze_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// Rewards are 1 + x + … + x⁵ and NIST's disturbance of Wampler4 in arm a, twice
// that in arm b, x = 0…20 (https://www.itl.nist.gov/div898/strd/lls/data/Wampler4.shtml):
// products of columns in float64 keep six digits of the coefficients, which are
// whole numbers. Per arm and pooled, with the errors that NIST certifies, and the
// same bytes for every number of workers.
func TestRegressionsAreRefitted(t *testing.T) {
	source := `version: 1
experiment: {id: powers}
log: {order: [round], action: action, reward: reward, context: [x0, x1, x2, x3, x4]}
arms: [a, b]
reward: {range: [-10000000, 10000000]}
analysis:
  decide: corrected
  sequence: normal
  control: a
  regressions:
    - {name: each, arms: each, covariance: classical}
    - {name: pooled, arms: pooled, interactions: true, covariance: HC3}
`
	disturbance := []float64{759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048, 2048, -2048, 1838, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 759}
	var rows []logfile.Row
	for i, by := range disturbance {
		x := make([]float64, 5)
		y := 1 + 100*by
		for k := range x {
			x[k] = math.Pow(float64(i), float64(k+1))
			y += x[k]
		}
		rows = append(rows, logfile.Row{Arm: 0, X: x, Reward: y}, logfile.Row{Arm: 1, X: x, Reward: 2 * y})
	}
	spec := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, ContextDim: 5, RowsPerGroup: 8}
	l := written(t, t.TempDir(), source, spec, rows)
	r := l.analyse(t, 1)
	if !bytes.Equal(encode(t, r), encode(t, l.analyse(t, 3))) {
		t.Error("three workers gave other bytes")
	}
	e := &r.Experiments[0]
	near := func(f *schemas.Regression, i int, what string, got *float64, want float64) {
		if got == nil || math.Abs(*got-want) > 1e-10*math.Abs(want) {
			t.Errorf("%s, %s of %s is not %.15g: %s", f.Name, what, f.Coefficients[i].Name, want, encode(t, f))
		}
	}
	certified := []float64{215232.624678170, 236355.173469681, 77934.3524331583, 10147.5507550350, 564.566512170752, 11.2324854679312}
	for arm := range 2 {
		f := &e.Regressions[arm]
		for i := range f.Coefficients {
			near(f, i, "estimate", f.Coefficients[i].Estimate, float64(arm+1))
			near(f, i, "error", f.Coefficients[i].StdError, float64(arm+1)*certified[i])
		}
	}
	if text := strings.Join(e.Warnings, "\n"); strings.Count(text, "added them up with 32 digits") != 3 {
		t.Errorf("the refits are not said: %s", text)
	}
	pooled := &e.Regressions[2]
	if pooled.Rank != 12 {
		t.Fatalf("rank %d, dropped %q", pooled.Rank, pooled.Dropped)
	}
	for i := range pooled.Coefficients {
		near(pooled, i, "estimate", pooled.Coefficients[i].Estimate, 1)
	}
}
