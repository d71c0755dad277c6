package analyze

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/regress"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// longLog has several chunks, units whose rows are far apart, batches that go
// over the ends of chunks, and delays.
func longLog(n int64) *blockLog {
	l := &blockLog{}
	l.X = make([][]float64, 2)
	for i := range n {
		l.Experiment, l.Round, l.Arm = append(l.Experiment, 0), append(l.Round, i+1), append(l.Arm, int32(i*i%7%3))
		unit := i
		if units := n / 3; i >= units {
			unit = i * 2654435761 % units
		}
		l.Unit, l.Batch.Batch = append(l.Unit, unit), append(l.Batch.Batch, int32(i/1000))
		l.RewardRound = append(l.RewardRound, min(n, i+1+i%50))
		y := float64(i*48271%1009) / 1009
		if i%11 == 5 {
			y = math.NaN()
		}
		l.Reward = append(l.Reward, y)
		l.X[0], l.X[1] = append(l.X[0], float64(i*16807%13)), append(l.X[1], 1e6+float64(i*69621%101)/101)
	}
	return l
}

// The bytes of an analysis of several chunks do not depend on the number of
// workers, and rows gathered by unit are those of the log.
func TestLongRegressions(t *testing.T) {
	n := int64(3*tableau.BatchRows + 1234)
	if testing.Short() {
		n = tableau.BatchRows + 1234
	}
	l := longLog(n)
	p := blockProtocol(true)
	p.Experiment.Stopping, p.Analysis.Alpha, p.Analysis.Control = schemas.StoppingFixed, 0.05, "a"
	p.Policy.Set("eta", 1e-9) // so that what a unit costs is of the size of 1
	p.Analysis.Regressions = []schemas.RegressionSpec{
		{Name: "unit", Arms: "each", Covariance: schemas.Covariance{Kind: "CR1", Cluster: "unit"}},
		{Name: "robust", Arms: "a", Columns: []string{"visits"}, Covariance: schemas.Covariance{Kind: "HC3"}},
		{Name: "batch", Arms: "pooled", Covariance: schemas.Covariance{Kind: "CR0", Cluster: "batch"}},
		{Name: "pooled", Arms: "pooled", Interactions: true, Covariance: schemas.Covariance{Kind: "CR1", Cluster: "unit"}},
	}
	s := l.open(t)
	var first []byte
	var out *aggregate.Outcome
	for _, jobs := range []int{1, 3} {
		var err error
		if out, err = Run(context.Background(), inputOf(t, l, s, p, jobs)); err != nil {
			t.Fatal(err)
		}
		b, err := schemas.Encode(out.Experiment)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		}
		if !bytes.Equal(first, b) {
			t.Fatalf("%d jobs give other bytes", jobs)
		}
	}
	if len(out.Experiment.Regressions) != 6 {
		t.Fatalf("%d regressions", len(out.Experiment.Regressions))
	}
	costs := rowCosts(t, accountsOf(t, s, p))
	for i := range out.Experiment.Regressions[:3] {
		l.checkByUnit(t, &out.Experiment.Regressions[i], costs)
	}
}

// checkByUnit holds the regression of an arm against one that is given its rows
// in order of unit.
func (l *blockLog) checkByUnit(t *testing.T, rec *schemas.Regression, costs []float64) {
	t.Helper()
	total := map[int64]float64{}
	var rows []int
	for row, unit := range l.Unit {
		total[unit] += costs[row]
		if y := l.Reward[row]; int(l.Arm[row]) == rec.Arm && y == y {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(i, j int) int { return int(l.Unit[i] - l.Unit[j]) })
	x, y, tau, unit := make([][]float64, 2), []float64{}, []float64{}, []int64{}
	for _, row := range rows {
		x[0], x[1] = append(x[0], l.X[0][row]), append(x[1], l.X[1][row])
		y, tau, unit = append(y, l.Reward[row]), append(tau, bias.Row(total[l.Unit[row]])), append(unit, l.Unit[row])
	}
	cross := moments.NewCross(2)
	cross.AddBlock(x, y, nil)
	m := regress.Fit(cross, []string{"visits", "age"}, true)
	errs, err := regress.NewClustered(m, regress.CR1)
	if err == nil {
		err = errs.AddBlock(unit, x, y, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	shift := regress.NewInfluence(m, 10_000)
	shift.AddBlock(x, tau, nil)
	table, bounds := errs.Table(), shift.Bounds()
	near := func(what string, got *float64, want float64) {
		if got == nil || !(math.Abs(*got-want) <= 1e-6*math.Abs(want)) {
			t.Errorf("arm %d, %s: %v, want %v", rec.Arm, what, show(got), want)
		}
	}
	if *rec.Clusters != table.Clusters || rec.Contexts == nil || *rec.Contexts != bounds.Contexts {
		t.Errorf("arm %d: %d clusters, want %d; other contexts than %d", rec.Arm, *rec.Clusters, table.Clusters, bounds.Contexts)
	}
	near("RMS", rec.BiasRMS, bounds.RMS)
	near("worst", rec.BiasWorst, bounds.Worst)
	for j, c := range table.Coefficients {
		near(c.Name, rec.Coefficients[j].Estimate, c.Estimate)
		near(c.Name+" error", rec.Coefficients[j].StdError, c.StdErr)
		near(c.Name+" bias", rec.Coefficients[j].BiasBound, bounds.Coefficients[j])
	}
}

// What cannot be fitted is refused before any pass, by a message that says what
// to do.
func TestRegressionsRefused(t *testing.T) {
	l := longLog(30)
	for len(l.X) < 300 {
		l.X = append(l.X, l.X[0])
	}
	s := l.open(t)
	refused := func(what string, memory int64, spec schemas.RegressionSpec) error {
		p := blockProtocol(true)
		spec.Covariance.Kind = "HC3"
		p.Analysis.Regressions, p.Analysis.Alpha = []schemas.RegressionSpec{spec}, 0.05
		in := inputOf(t, l, s, p, 2)
		in.Memory = memory
		for len(in.Manifest.Context) < len(l.X) {
			in.Manifest.Context = append(in.Manifest.Context, "x"+strings.Repeat("x", len(in.Manifest.Context)))
		}
		_, err := Run(context.Background(), in)
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%+v: %v, want %q", spec, err, what)
		}
		return err
	}
	var problems schemas.Problems
	err := refused("1,204 columns", 0, schemas.RegressionSpec{Name: "main", Arms: "pooled", Interactions: true})
	if !errors.As(err, &problems) || problems[0].Path != "analysis.regressions[0]" {
		t.Error("not a fault of the protocol")
	}
	err = refused("names ages", 0, schemas.RegressionSpec{Name: "main", Arms: "each", Columns: []string{"age", "ages"}})
	if !errors.As(err, &problems) || problems[0].Path != "analysis.regressions[0].columns" {
		t.Error("not a fault of the protocol")
	}
	if err = refused("raise --max-memory", 16<<20, schemas.RegressionSpec{Name: "main", Arms: "each"}); !errors.Is(err, ErrMemory) {
		t.Error("not a matter of memory")
	}
}
