package analyze

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/regression"
	"banditaudit/schemas"
)

// scopeProtocol declares a regression whose biases are bounded, and a test of a
// coefficient of it.
func scopeProtocol(covariance schemas.Covariance) *schemas.Protocol {
	p := blockProtocol(false)
	p.Counter.Horizon = 1000
	p.Experiment.Stopping, p.Analysis.Alpha, p.Analysis.Control = schemas.StoppingFixed, 0.05, "a"
	p.Analysis.Regressions = []schemas.RegressionSpec{{Name: "main", Arms: "each", Columns: []string{"age"}, Covariance: covariance}}
	p.Analysis.Tests = []schemas.TestSpec{{ID: "K", Regression: "main", Arm: "a", Coefficient: "age", Value: new(0.0)}}
	return p
}

func scopeOf(t *testing.T, in *Input) *schemas.Experiment {
	t.Helper()
	out, err := Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return &out.Experiment
}

// The published bound is of a unit where units repeat, by what a unit loses at most, beside
// regressions as beside arms, and there is none for batches.
func TestPublishedBoundOfRegressions(t *testing.T) {
	l := longLog(60)
	s := l.open(t)
	p := scopeProtocol(schemas.Covariance{Kind: "CR1", Cluster: "unit"})
	e := scopeOf(t, inputOf(t, l, s, p, 1))
	unit := float64(e.Privacy.UserLoss.AtMost)
	if most := 0.3 * float64(*e.Privacy.LargestUnit); !(unit > 0.3 && unit <= most*(1+1e-12)) {
		t.Errorf("a unit loses at most %v, and its rounds %v", unit, most)
	}
	want := math.Expm1(unit)
	if got, arm := e.Regressions[0].BiasPaper, e.Arms[0].BiasBoundPaper; *e.Privacy.LargestUnit < 2 || got == nil || !about(*got, want) || *arm != *got {
		t.Errorf("%v beside the regression, %v beside the arm, want %v", show(got), show(arm), want)
	}
	p.Analysis.Regressions[0].Covariance.Cluster = "batch"
	e = scopeOf(t, inputOf(t, l, s, p, 1))
	if r := &e.Regressions[0]; r.BiasRMS == nil || r.BiasPaper != nil || !strings.Contains(strings.Join(e.Warnings, "\n"), "regression main: bias_paper is not given: A4: ") {
		t.Errorf("%v by batch: %q", show(r.BiasPaper), e.Warnings)
	}
}

// Without the order by unit a regression has estimates and nothing else, for the
// reason that arms and tests give.
func TestRegressionsWithoutUnits(t *testing.T) {
	l := longLog(60)
	tab, _ := l.write(t)
	for _, covariance := range []schemas.Covariance{{Kind: "CR1", Cluster: "unit"}, {Kind: "CR1", Cluster: "batch"}, {Kind: "HC3"}} {
		e := scopeOf(t, inputOf(t, l, tab.Slice(0), scopeProtocol(covariance), 1))
		r := &e.Regressions[0]
		c := &r.Coefficients[1]
		if c.Estimate == nil || r.Covariance != covariance.Kind {
			t.Errorf("%+v: %+v", covariance, r)
		}
		if c.StdError != nil || c.P != nil || c.CI != nil || c.PCorrected != nil || c.BiasBound != nil || r.FP != nil || r.BiasRMS != nil || r.BiasPaper != nil {
			t.Errorf("%+v: numbers that need units: %+v", covariance, r)
		}
		if text := strings.Join(e.Warnings, "\n"); !strings.Contains(text, "f_p are NOT APPLICABLE: "+validity.NoUnits().String()) {
			t.Errorf("%+v: %s", covariance, text)
		}
		for i := range e.Tests[0].Results[:3] {
			if result := &e.Tests[0].Results[i]; result.Applicable || i < 2 && !strings.Contains(result.Reason, validity.NoUnits().Why) {
				t.Errorf("%+v: %+v", covariance, result)
			}
		}
	}
}

// Columns that no regression names are neither read nor booked.
func TestColumnsThatAreBooked(t *testing.T) {
	l := longLog(60)
	p := scopeProtocol(schemas.Covariance{Kind: "CR1", Cluster: "unit"})
	in := inputOf(t, l, l.open(t), p, 1)
	booked := func() map[string]string {
		out := map[string]string{}
		for _, d := range scopeOf(t, in).Disclosures {
			out[d.Purpose] = strings.Join(d.Columns, " ")
		}
		return out
	}
	if got := booked(); got["regression:main"] != "reward arm age" || got["test:K"] != "reward arm age" {
		t.Errorf("%q", got)
	}
	q := &questions{facts: &publiclog.Facts{Log: &in.Log}, protocol: in.Protocol, tests: Known().Tests}
	if got := q.ofRewards().NewSums(q.facts.K()).Cross[0].P(); got != 1 {
		t.Errorf("the first pass reads %d columns", got)
	}
	p.Analysis.Regressions = append(p.Analysis.Regressions, schemas.RegressionSpec{Name: "all", Arms: "a", Covariance: schemas.Covariance{Kind: "CR1", Cluster: "unit"}})
	if got := booked(); got["regression:main"] != "reward arm age" || got["regression:all"] != "reward arm visits age" {
		t.Errorf("%q", got)
	}
}

// Contexts that are held for bounds on biases count as memory: of 20,000 rows
// some 6 MB beside a few kB of sums.
func TestMemoryOfContexts(t *testing.T) {
	l := longLog(20_000)
	s := l.open(t)
	p := scopeProtocol(schemas.Covariance{Kind: "HC3"})
	in := inputOf(t, l, s, p, 1)
	in.Memory = 8 << 20
	if err := regression.Check(&in.Log); !errors.Is(err, ErrMemory) {
		t.Errorf("8 MiB: %v", err)
	}
	in.Memory = 64 << 20
	if err := regression.Check(&in.Log); err != nil {
		t.Errorf("64 MiB: %v", err)
	}
	none := *p
	none.Policy, none.Counter = nil, nil
	in = inputOf(t, l, s, &none, 1)
	in.Memory = 8 << 20
	if err := regression.Check(&in.Log); err != nil {
		t.Errorf("8 MiB and no bounds: %v", err)
	}
}
