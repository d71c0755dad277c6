package analyze

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"banditaudit/analyze/facts"
	"banditaudit/analyze/moments"
	"banditaudit/analyze/regress"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// regression is a declared regression with what came of it. Of a pooled one
// there is one model, else one for every arm: nil where it was not asked for or
// no reward of the arm is known.
type regression struct {
	spec    *schemas.RegressionSpec
	rewards *tableau.Rewards
	kind    regress.Kind
	columns []int // of the context
	models  []*regress.Model
	tables  []regress.Table  // by model
	bounds  []regress.Bounds // by model; nil where there is no ledger, or it does not hold
}

func (r *regression) pooled() bool { return r.spec.Arms == schemas.ArmsPooled }

// arm is the arm of a model, −1 of a pooled one.
func (r *regression) arm(model int) int {
	if r.pooled() {
		return -1
	}
	return model
}

// fits are the declared regressions.
type fits struct {
	*sample
	warnings
	regressions []*regression
	records     []schemas.Regression
}

// fitRegressions fits every declared regression. Covariances, leverages and
// bounds on biases need the rows a second time.
func fitRegressions(ctx context.Context, s *sample) (*fits, error) {
	f := &fits{sample: s}
	for i := range f.Protocol.Analysis.Regressions {
		spec := &f.Protocol.Analysis.Regressions[i]
		r := &regression{spec: spec, rewards: f.rewards[i], columns: regressionColumns(f.Log, spec)}
		var err error
		if r.kind, err = regress.ParseKind(spec.Covariance.Kind); err != nil {
			return nil, fmt.Errorf("regression %s: %w", spec.Name, err)
		}
		if err = f.fit(r); err == nil {
			err = f.refit(ctx, r)
		}
		if err == nil {
			err = f.secondPass(ctx, r)
		}
		if err != nil {
			return nil, fmt.Errorf("regression %s: %w", spec.Name, err)
		}
		f.regressions = append(f.regressions, r)
	}
	var err error
	f.records, err = f.regressionRecords(ctx)
	return f, err
}

// fitted is the regression of a name and arm, −1 for that over all arms, with
// its coefficients; false where there is none. Where a unit owns several rows
// and the covariance is not by unit, the errors in the table are not to be used.
func (f *fits) fitted(name string, arm int) (*regress.Model, *regress.Table, bool) {
	for _, r := range f.regressions {
		if r.spec.Name != name || r.pooled() != (arm < 0) {
			continue
		}
		i := max(arm, 0)
		return r.models[i], &r.tables[i], r.models[i] != nil
	}
	return nil, nil, false
}

// regressionColumns are the columns of the context that a regression reads, in
// the order of the log: all, or those that it names. The name of a categorical
// column stands for all its levels.
func regressionColumns(in *facts.Log, spec *schemas.RegressionSpec) []int {
	names := in.ContextNames()
	named := map[string]bool{}
	for _, column := range spec.Columns {
		for _, name := range in.Protocol.Log.Expand(column) {
			named[name] = true
		}
	}
	out := []int{}
	for j, name := range names {
		if len(spec.Columns) == 0 || named[name] {
			out = append(out, j)
		}
	}
	return out
}

// columnsOfFits are the columns of the context that the first pass reads: those
// of any regression. The products of one that no regression reads would tell of
// rewards beyond what is booked.
func columnsOfFits(in *facts.Log) []int {
	used := map[int]bool{}
	for i := range in.Protocol.Analysis.Regressions {
		for _, j := range regressionColumns(in, &in.Protocol.Analysis.Regressions[i]) {
			used[j] = true
		}
	}
	return slices.Sorted(maps.Keys(used))
}

// places are where columns stand among those that the first pass read.
func (q *questions) places(columns []int) []int {
	out := make([]int, len(columns))
	for i, j := range columns {
		out[i], _ = slices.BinarySearch(q.fitColumns, j)
	}
	return out
}

// disclosedColumns are the columns that a regression reads, as they are booked.
// The contexts of all arms are one column.
func disclosedColumns(in *facts.Log, spec *schemas.RegressionSpec) []string {
	if in.Slice.Schema().ContextByArm > 0 {
		return []string{tableau.Arm, tableau.ContextByArm}
	}
	out, names := []string{tableau.Arm}, in.ContextNames()
	for _, j := range regressionColumns(in, spec) {
		out = append(out, names[j])
	}
	return out
}

// fit is the first pass's part: models of the cross-products of the arms that
// were asked for and have rewards.
func (f *fits) fit(r *regression) error {
	names := make([]string, len(r.columns))
	for i, j := range r.columns {
		names[i] = f.ContextNames()[j]
	}
	intercept := r.spec.Intercept == nil || *r.spec.Intercept
	if r.pooled() {
		return f.fitPooled(r, regress.Pooling{Names: names, Labels: f.Manifest.Arms, Control: control(f.Log), Intercept: intercept, Interactions: r.spec.Interactions})
	}
	r.models = make([]*regress.Model, f.K())
	for arm, label := range f.Manifest.Arms {
		if r.spec.Arms != "" && r.spec.Arms != schemas.SelectEach && r.spec.Arms != label {
			continue
		}
		if f.sums.scalar[arm].N == 0 {
			f.warn(regressionTitle(f.Log, r, arm) + ": there are no rows with a reward")
			continue
		}
		r.models[arm] = regress.Fit(f.sums.cross[arm].Select(f.places(r.columns)), names, intercept)
	}
	return nil
}

func (f *fits) fitPooled(r *regression, p regress.Pooling) error {
	r.models = make([]*regress.Model, 1)
	if missingRows(f.sums) == f.Pub.Rounds {
		f.warn(regressionTitle(f.Log, r, -1) + ": there are no rows with a reward")
		return nil
	}
	byArm := make([]*moments.Cross, f.K())
	for arm := range byArm {
		byArm[arm] = f.sums.cross[arm].Select(f.places(r.columns))
	}
	var err error
	r.models[0], err = regress.FitPooled(byArm, p)
	return err
}

// control is the arm that the others are compared with: the declared one, else
// the first.
func control(in *facts.Log) int {
	return max(0, slices.Index(in.Manifest.Arms, schemas.Control(in.Protocol)))
}

// regressionTitle names a fit at the head of a warning.
func regressionTitle(in *facts.Log, r *regression, arm int) string {
	if arm < 0 {
		return "regression " + r.spec.Name + " over all arms"
	}
	return fmt.Sprintf("regression %s, arm %s", r.spec.Name, in.Name(arm))
}
