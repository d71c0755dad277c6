package regression

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/regress"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Regression is a declared regression with what came of it. Of a pooled one
// there is one model, else one for every arm: nil where it was not asked for or
// no reward of the arm is known.
type Regression struct {
	Spec    *schemas.RegressionSpec
	rewards *tableau.Rewards
	kind    regress.Kind
	columns []int // of the context
	Models  []*regress.Model
	Tables  []regress.Table  // by model
	Bounds  []regress.Bounds // by model; nil where there is no ledger, or it does not hold
}

// Pooled reports whether it is over the rows of all arms.
func (r *Regression) Pooled() bool { return r.Spec.Arms == schemas.ArmsPooled }

// Arm is the arm of a model, −1 of a pooled one.
func (r *Regression) Arm(model int) int {
	if r.Pooled() {
		return -1
	}
	return model
}

// CostOf is the sum of the costs in nats of all rows of a unit, or of a batch. It is asked
// for in their order.
type CostOf func(ctx context.Context, id int64) (float64, error)

// Costs is what rows cost, which bounds biases.
type Costs struct {
	Bounded        bool   // biases are bounded
	Unmoved        bool   // these are all 0: no earlier reward decided which rows there are
	Units, Batches CostOf // where they are
}

// Fits are the declared regressions.
type Fits struct {
	sample *rewards.Sample
	facts  *publiclog.Facts
	costs  Costs

	Regressions []*Regression
	Warnings    []string // each once, in the order in which they were met
}

func (f *Fits) warn(text string) {
	if !slices.Contains(f.Warnings, text) {
		f.Warnings = append(f.Warnings, text)
	}
}

// All fits every declared regression to a sample. Covariances, leverages and bounds on biases
// need the rows a second time.
func All(ctx context.Context, s *rewards.Sample, costs Costs) (*Fits, error) {
	f := &Fits{sample: s, facts: s.Facts, costs: costs}
	for i := range s.Protocol.Analysis.Regressions {
		spec := &s.Protocol.Analysis.Regressions[i]
		r := &Regression{Spec: spec, rewards: f.sample.Fitted[i], columns: columnsOf(f.facts.Log, spec)}
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
		f.Regressions = append(f.Regressions, r)
	}
	return f, nil
}

// Fitted is the regression of a name and arm, −1 for that over all arms, with
// its coefficients; false where there is none. Where a unit owns several rows
// and the covariance is not by unit, the errors in the table are not to be used.
func (f *Fits) Fitted(name string, arm int) (*regress.Model, *regress.Table, bool) {
	for _, r := range f.Regressions {
		if r.Spec.Name != name || r.Pooled() != (arm < 0) {
			continue
		}
		i := max(arm, 0)
		return r.Models[i], &r.Tables[i], r.Models[i] != nil
	}
	return nil, nil, false
}

// columnsOf are the columns of the context that a regression reads, in
// the order of the log: all, or those that it names. The name of a categorical
// column stands for all its levels.
func columnsOf(in *publiclog.Log, spec *schemas.RegressionSpec) []int {
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

// Columns are the columns of the context that the first pass reads: those
// of any regression. The products of one that no regression reads would tell of
// rewards beyond what is booked.
func Columns(in *publiclog.Log) []int {
	used := map[int]bool{}
	for i := range in.Protocol.Analysis.Regressions {
		for _, j := range columnsOf(in, &in.Protocol.Analysis.Regressions[i]) {
			used[j] = true
		}
	}
	return slices.Sorted(maps.Keys(used))
}

// places are where columns stand among those that the first pass read.
func places(in *publiclog.Log, columns []int) []int {
	out, of := make([]int, len(columns)), Columns(in)
	for i, j := range columns {
		out[i], _ = slices.BinarySearch(of, j)
	}
	return out
}

// Disclosed are the columns that a regression reads, as they are booked.
// The contexts of all arms are one column.
func Disclosed(in *publiclog.Log, spec *schemas.RegressionSpec) []string {
	if in.Slice.Schema().ContextByArm > 0 {
		return []string{tableau.Arm, tableau.ContextByArm}
	}
	out, names := []string{tableau.Arm}, in.ContextNames()
	for _, j := range columnsOf(in, spec) {
		out = append(out, names[j])
	}
	return out
}

// fit is the first pass's part: models of the cross-products of the arms that
// were asked for and have rewards.
func (f *Fits) fit(r *Regression) error {
	names := make([]string, len(r.columns))
	for i, j := range r.columns {
		names[i] = f.facts.ContextNames()[j]
	}
	intercept := r.Spec.Intercept == nil || *r.Spec.Intercept
	if r.Pooled() {
		return f.fitPooled(r, regress.Pooling{Names: names, Labels: f.facts.Manifest.Arms, Control: f.facts.Control(), Intercept: intercept, Interactions: r.Spec.Interactions})
	}
	at := places(f.facts.Log, r.columns)
	r.Models = make([]*regress.Model, f.facts.K())
	for arm, label := range f.facts.Manifest.Arms {
		if r.Spec.Arms != "" && r.Spec.Arms != schemas.SelectEach && r.Spec.Arms != label {
			continue
		}
		if f.sample.Scalar[arm].N == 0 {
			f.warn(r.Title(f.facts.Log, arm) + ": there are no rows with a reward")
			continue
		}
		r.Models[arm] = regress.Fit(f.sample.Cross[arm].Select(at), names, intercept)
	}
	return nil
}

func (f *Fits) fitPooled(r *Regression, p regress.Pooling) error {
	r.Models = make([]*regress.Model, 1)
	if f.sample.MissingRows() == f.facts.Pub.Rounds {
		f.warn(r.Title(f.facts.Log, -1) + ": there are no rows with a reward")
		return nil
	}
	byArm, at := make([]*moments.Cross, f.facts.K()), places(f.facts.Log, r.columns)
	for arm := range byArm {
		byArm[arm] = f.sample.Cross[arm].Select(at)
	}
	var err error
	r.Models[0], err = regress.FitPooled(byArm, p)
	return err
}

// Title names a fit at the head of a warning.
func (r *Regression) Title(in *publiclog.Log, arm int) string {
	if arm < 0 {
		return "regression " + r.Spec.Name + " over all arms"
	}
	return fmt.Sprintf("regression %s, arm %s", r.Spec.Name, in.Name(arm))
}
