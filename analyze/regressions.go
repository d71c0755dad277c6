package analyze

import (
	"context"
	"fmt"
	"math"

	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/regress"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// regressionRecords fits every declared regression, per arm. A robust
// covariance needs the rows a second time.
func (a *analysis) regressionRecords(ctx context.Context) ([]schemas.Regression, error) {
	out := []schemas.Regression{}
	for i := range a.Protocol.Analysis.Regressions {
		spec := &a.Protocol.Analysis.Regressions[i]
		kind, err := regress.ParseKind(spec.Covariance.Kind)
		if err != nil {
			return nil, fmt.Errorf("analyze: regression %s: %w", spec.Name, err)
		}
		models := a.fit(spec)
		tables, err := a.tables(ctx, a.rewards[i], kind, models)
		if err != nil {
			return nil, err
		}
		for arm, m := range models {
			if m != nil {
				out = append(out, a.regressionRecord(spec, arm, m, &tables[arm]))
			}
		}
	}
	if len(out) > 0 {
		a.warn("regressions are descriptive: bias_bound, p_corrected and ci_corrected of coefficients are not computed by this version")
	}
	if len(out) > 0 && a.repeated() {
		a.warn("regressions: " + dependent + "; std_error, statistic, p and ci of coefficients and f_statistic, f_p are therefore not given")
	}
	return out, nil
}

// fit is the first pass's part: the models of the arms that were asked for and
// played, nil for the others.
func (a *analysis) fit(spec *schemas.RegressionSpec) []*regress.Model {
	models := make([]*regress.Model, a.k())
	for arm, label := range a.Manifest.Arms {
		if spec.Arms != "" && spec.Arms != schemas.SelectEach && spec.Arms != label {
			continue
		}
		if a.sums.scalar[arm].N == 0 {
			a.warn(fmt.Sprintf("regression %s, arm %s: there are no rows with a reward", spec.Name, schemas.Named(label)))
			continue
		}
		models[arm] = regress.Fit(a.sums.cross[arm], a.contextNames(), spec.Intercept == nil || *spec.Intercept)
	}
	return models
}

// tables are the coefficients of every model under one covariance.
func (a *analysis) tables(ctx context.Context, rewards *tableau.Rewards, kind regress.Kind, models []*regress.Model) ([]regress.Table, error) {
	out := make([]regress.Table, len(models))
	if kind == regress.Classical {
		for arm, m := range models {
			if m != nil {
				out[arm] = m.Classical()
			}
		}
		return out, nil
	}
	total, err := sandwiches(models, kind)
	if err != nil {
		return nil, err
	}
	err = fold(ctx, a.Slice, a.Jobs, func(i int) ([]*regress.Sandwich, error) {
		return a.sandwichChunk(i, rewards, models, kind)
	}, func(part []*regress.Sandwich) {
		for arm := range part {
			if part[arm] != nil {
				total[arm].Merge(part[arm])
			}
		}
	})
	for arm := range total {
		if total[arm] != nil {
			out[arm] = total[arm].Table()
		}
	}
	return out, err
}

func sandwiches(models []*regress.Model, kind regress.Kind) ([]*regress.Sandwich, error) {
	out := make([]*regress.Sandwich, len(models))
	for arm, m := range models {
		if m == nil {
			continue
		}
		var err error
		if out[arm], err = regress.NewSandwich(m, kind); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (a *analysis) sandwichChunk(i int, rewards *tableau.Rewards, models []*regress.Model, kind regress.Kind) ([]*regress.Sandwich, error) {
	part, err := sandwiches(models, kind)
	if err != nil {
		return nil, err
	}
	c := a.Slice.Chunk(i)
	return part, regress.AddByArm(part, rewards.Arms(i), a.context(&c), rewards.Chunk(i))
}

func (a *analysis) regressionRecord(spec *schemas.RegressionSpec, arm int, m *regress.Model, t *regress.Table) schemas.Regression {
	label := a.Manifest.Arms[arm]
	for _, w := range append(append([]string{}, m.Warnings...), t.Warnings...) {
		a.warn(fmt.Sprintf("regression %s, arm %s: %s", spec.Name, schemas.Named(label), w))
	}
	out := schemas.Regression{
		Name: spec.Name, Arm: arm, Label: label, N: m.N, Columns: m.Columns, Dropped: append([]string{}, m.Dropped...), Rank: m.Rank,
		ConditionNumber: schemas.Finite(m.ConditionNumber), Covariance: string(t.Kind), DFResidual: m.DFResidual,
		RSquared: schemas.Finite(m.RSquared), AdjRSquared: schemas.Finite(m.AdjRSquared),
		FStatistic: schemas.Finite(m.F), FP: probability(m.LogFP), Sigma2: schemas.Finite(m.Sigma2),
		Coefficients: []schemas.Coefficient{},
	}
	if a.repeated() {
		out.FStatistic, out.FP = nil, nil
	}
	for _, c := range t.Coefficients {
		out.Coefficients = append(out.Coefficients, a.coefficient(c))
	}
	return out
}

func (a *analysis) coefficient(c regress.Coefficient) schemas.Coefficient {
	r := c.Test(0, hypothesis.TwoSided, a.logAlpha())
	out := schemas.Coefficient{
		Name: c.Name, Estimate: schemas.Finite(c.Estimate), StdError: schemas.Finite(c.StdErr),
		Statistic: schemas.Finite(r.Statistic), CI: schemas.NewInterval(r.Lo, r.Hi),
	}
	if a.repeated() {
		return schemas.Coefficient{Name: out.Name, Estimate: out.Estimate}
	}
	out.P, out.Log2P = probability(r.LogP), schemas.Ext(float64(r.LogP/math.Ln2))
	return out
}
