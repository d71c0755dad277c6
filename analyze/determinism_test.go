package analyze_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

const floats = `version: 1
experiment: {column: experiment, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: propensity, context: [x0, x1]}
arms: [a, b, c]
reward: {range: [-1, 2]}
policy: {name: uniform}
analysis:
  decide: corrected
  sequence: normal
  approximate: accept
  chosen: before
  regressions:
    - {name: robust, covariance: HC3}
    - {name: plain, covariance: classical, intercept: false}
    - {name: all, arms: pooled, interactions: true, covariance: HC3}
  tests:
    - {id: D, difference: [a, c], value: 0}
    - {id: C, regression: robust, arm: each, coefficient: x0, value: 0}
    - {id: J, regression: all, joint: {"arm[b]:x0": 0, "arm[c]:x0": 0}}
    - {id: H1, arm: each, mean: 0.5}
    - {id: H2, arm: most-pulled, mean: 0.4, test: z, sigma: 0.8, alternative: greater}
`

// mixed are rows whose sums depend on the order in which they are added.
func mixed(experiment, n int64) []logfile.Row {
	rows := make([]logfile.Row, n)
	for i := range rows {
		f := float64(int64(i) + 31*experiment)
		x := []float64{math.Sin(f * f), math.Cos(7 * f)}
		rows[i] = logfile.Row{
			Experiment: experiment, Round: int64(i + 1), Arm: int(math.Abs(1000*math.Sin(f))) % 3, Propensity: 1.0 / 3, X: x,
			Reward: 0.5 + 0.3*x[0] + 0.7*math.Sin(3.7*f),
		}
	}
	return rows
}

func mixedLab(t *testing.T, rows ...logfile.Row) *lab {
	t.Helper()
	return written(t, t.TempDir(), floats, &logfile.Layout{
		Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, Propensity: true, ContextDim: 2, Experiments: true,
	}, rows)
}

// TestJobs gives the same bytes for every number of workers, on a log of
// several chunks.
func TestJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out four analyses of 210,000 rows; the full run has them")
	}
	rows := mixed(0, 210_000)
	l := mixedLab(t, rows...)
	if n := l.tableau.Slice(0).Chunks(); n < 4 {
		t.Fatalf("%d chunks, want at least 4", n)
	}
	first := l.analyse(t, 1)
	complete(t, &first.Experiments[0], rows)
	want := encode(t, first)
	for _, jobs := range []int{2, 7, 0} {
		if !bytes.Equal(encode(t, l.analyse(t, jobs)), want) {
			t.Errorf("%d jobs give other bytes than 1", jobs)
		}
	}
}

// complete holds what is gathered chunk by chunk against a loop over all rows.
func complete(t *testing.T, e *schemas.Experiment, rows []logfile.Row) {
	t.Helper()
	sums, pulls, total := make([]float64, 3), make([]int64, 3), float64(len(rows))
	for _, r := range rows {
		sums[r.Arm] += r.Reward
		pulls[r.Arm]++
	}
	worst := 0
	for a, n := range pulls {
		if e.Arms[a].Pulls != n || e.Regressions[a].N != n || e.Regressions[3+a].N != n {
			t.Errorf("arm %d has %d rows, %d and %d in regressions; the log has %d", a, e.Arms[a].Pulls, e.Regressions[a].N, e.Regressions[3+a].N, n)
		}
		near(t, "mean", *e.Arms[a].Mean, sums[a]/float64(n))
		near(t, "ipw_mean", *e.Arms[a].IPWMean, 3*(sums[a]+float64(n))/total-1) // of rewards above −1
		// A robust standard error is of the size of the residuals, σ/√n.
		robust, size := *e.Regressions[a].Coefficients[0].StdError, math.Sqrt(*e.Regressions[a].Sigma2/float64(n))
		if robust < 0.8*size || robust > 1.2*size {
			t.Errorf("arm %d: robust error %v, residuals over √n %v", a, robust, size)
		}
		if math.Abs(float64(n)-total/3) > math.Abs(float64(pulls[worst])-total/3) {
			worst = a
		}
	}
	near(t, "effective sample size", *check.Find(e.Data.Checks, "H14").Statistic, total)
	deviation := fmt.Sprintf("(%+.3g %%)", 100*(3*float64(pulls[worst])/total-1))
	if h05 := check.Find(e.Data.Checks, "H05"); !strings.Contains(h05.Observed, deviation) || !strings.Contains(h05.Observed, "arm "+e.Arms[worst].Label+" was played") {
		t.Errorf("H05 observed %q, want %q", h05.Observed, deviation)
	}
}

// alone is the analysis of the only experiment of a log, at the level of one of
// two: tests that all experiments undergo share it.
func alone(t *testing.T, l *lab) *aggregate.Outcome {
	t.Helper()
	in := l.input(0, 1)
	in.Of = publiclog.LogScope{Experiments: 2, Files: 1}
	out, err := analyze.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestOneOfTwo: each of two experiments of a log is what it is alone. Chunks
// lie where the file has them, so an experiment that goes over the end of one
// differs from itself in another file by roundings, and in nothing else.
func TestOneOfTwo(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  int64
		short bool
	}{{"within a chunk", 3000, true}, {"over the end of one", 40_000, false}} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && !c.short {
				t.Skip("-short leaves out an analysis of 160,000 rows; the full run has it")
			}
			together := mixedLab(t, append(mixed(0, c.rows), mixed(1, c.rows)...)...).analyse(t, 2)
			for i := range int64(2) {
				alone := alone(t, mixedLab(t, mixed(i, c.rows)...))
				options := []cmp.Option{cmpopts.IgnoreFields(schemas.Finding{}, "Evidence")}
				if !c.short {
					options = append(options, cmpopts.EquateApprox(1e-9, 1e-12), cmp.Transformer("float", func(x schemas.Extended) float64 { return float64(x) }))
				}
				if diff := cmp.Diff(alone.Experiment, together.Experiments[i], options...); diff != "" {
					t.Errorf("experiment %d (-alone +together):\n%s", i, diff)
				}
				half := len(together.Claims) / 2
				if diff := cmp.Diff(alone.Claims, together.Claims[int(i)*half:][:half], options...); diff != "" && c.short {
					t.Errorf("claims of experiment %d (-alone +together):\n%s", i, diff)
				}
			}
		})
	}
}

// TestSimulatedTwice: the seed scheme makes experiment "1" of two the one that
// it is alone, under a private policy too.
func TestSimulatedTwice(t *testing.T) {
	source := strings.Replace(private, "id: trial", "column: experiment", 1)
	means := []float64{.2, .35, .45}
	two := simulated(t, source, 9, &world.Spec{Means: means, Rounds: 500, Repeat: 2}).analyse(t, 1)
	one := simulated(t, strings.Replace(private, "id: trial", `id: "1"`, 1), 9, &world.Spec{Means: means, Rounds: 500}).analyse(t, 1)
	// The log of two experiments has a column more, which H01 counts.
	one.Experiments[0].Data.Checks[0].Observed, two.Experiments[1].Data.Checks[0].Observed = "", ""
	one.Experiments[0].Data.Checks[0].Measures, two.Experiments[1].Data.Checks[0].Measures = nil, nil
	if diff := cmp.Diff(one.Experiments[0], two.Experiments[1]); diff != "" {
		t.Errorf("experiment 1 (-alone +of two):\n%s", diff)
	}
	if cmp.Equal(two.Experiments[0].Arms, two.Experiments[1].Arms) {
		t.Error("the two experiments are the same")
	}
	if two.Overall != schemas.OverallClean || len(two.Claims) != 8 {
		t.Errorf("%s with %d claims, want all 8 to hold", two.Overall, len(two.Claims))
	}
}
