package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/regress"
	"banditaudit/schemas"
)

// fittedTable is a fitted regression as tests read it.
type fittedTable struct {
	model *regress.Model
	table *regress.Table
}

// fittedFor is the regression of an arm, -1 for that over all arms, and what
// stands against testing these of its coefficients; none where nothing does.
func (f *fits) fittedFor(name string, arm int, coefficients ...string) (fittedTable, corrections.NotApplicable) {
	m, t, ok := f.fitted.Fitted(name, arm)
	if !ok {
		return fittedTable{}, corrections.Against("A3", "there is no fit: "+regressionWords(f.facts.Log, name, arm)+" has no rows with a reward")
	}
	out := fittedTable{m, t}
	if _, ok := regressionBlock(f.facts.Log, name); !ok && !publiclog.UnitsAtHand(f.facts.Slice) {
		return out, validity.NoUnits()
	} else if !ok {
		return out, corrections.Dependent("; give the regression covariance: {cluster: unit}")
	}
	for _, c := range coefficients {
		if _, why := out.find(c); why != "" {
			return out, corrections.Against("A3", why)
		}
	}
	return out, corrections.NotApplicable{}
}

// regressionBlock is what the declared covariance of a regression takes as
// independent: rows also by unit, where every unit has one. ok is false where a
// unit owns several rows and it says nothing of units, or they are not at hand.
func regressionBlock(in *publiclog.Log, name string) (kind corrections.Kind, ok bool) {
	switch regressionSpec(in.Protocol, name).Covariance.Cluster {
	case schemas.ClusterUnit:
		if !publiclog.Repeated(in.Slice) {
			return corrections.RowBlocks, true // each row is its unit
		}
		return corrections.UnitBlocks, publiclog.UnitsAtHand(in.Slice)
	case schemas.ClusterBatch:
		return corrections.BatchBlocks, !publiclog.Repeated(in.Slice)
	}
	return corrections.RowBlocks, !publiclog.Repeated(in.Slice)
}

// regressionSpec is a declared regression; tests name no other.
func regressionSpec(p *schemas.Protocol, name string) *schemas.RegressionSpec {
	for i := range p.Analysis.Regressions {
		if r := &p.Analysis.Regressions[i]; r.Name == name {
			return r
		}
	}
	return &schemas.RegressionSpec{}
}

// pooled reports whether a regression is over the rows of all arms.
func pooled(p *schemas.Protocol, name string) bool {
	return regressionSpec(p, name).Arms == schemas.ArmsPooled
}

// fittedRows are the independent blocks that a regression reads.
func fittedRows(in *publiclog.Log, name string, arm int) corrections.Rows {
	kind, _ := regressionBlock(in, name)
	if arm < 0 {
		return corrections.Rows{Block: kind}
	}
	return corrections.Rows{Arms: []int{arm}, Block: kind}
}

// regressionWords name a regression in a sentence.
func regressionWords(in *publiclog.Log, name string, arm int) string {
	words := "regression " + schemas.Named(name)
	if in.Clipped() > 0 {
		words += " of the clipped reward"
	}
	if arm < 0 {
		words += " over all arms"
		if spec := regressionSpec(in.Protocol, name); spec.Intercept == nil || *spec.Intercept {
			words += " (compared with " + in.Name(in.Control()) + ")"
		}
		return words
	}
	return words + " of arm " + in.Name(arm)
}

// describeRegression fills in what tests of coefficients say alike.
func (f *fits) describeRegression(t *schemas.Test, spec *schemas.TestSpec, arm int) {
	t.Selector, t.Arm, t.Regression = spec.Arm, arm, spec.Regression
	if arm >= 0 {
		t.Label = f.facts.Manifest.Arms[arm]
	}
	if table, against := f.fittedFor(spec.Regression, arm); !against.Stands() {
		t.Units = table.clusters()
	}
}

// n is the number of rows of the regression, 0 where there is none.
func (f fittedTable) n() int64 {
	if f.model == nil {
		return 0
	}
	return f.model.N
}

// clusters is the number of clusters of a covariance by cluster, nil of others.
func (f fittedTable) clusters() *int64 {
	if f.table == nil || f.table.Clusters == 0 {
		return nil
	}
	return &f.table.Clusters
}

// find is the place of a coefficient, or why there is none.
func (f fittedTable) find(name string) (place int, why string) {
	if asked, used := f.model.Baseline(); asked != used && strings.HasPrefix(name, "arm[") {
		return -1, "the arm that others are to be compared with, " + schemas.Named(asked) + ", was never played, and a comparison with another was not asked for"
	}
	for i := range f.table.Coefficients {
		if f.table.Coefficients[i].Name == name {
			return i, ""
		}
	}
	if slices.Contains(f.model.Dropped, name) {
		return -1, "column " + schemas.Named(name) + " was dropped: it depends linearly on those before it, or its values are too small or too large to be squared, and so has no coefficient"
	}
	return -1, "the regression has no column " + schemas.Named(name) + "; it has: " + strings.Join(f.model.Columns, ", ")
}

// done is a raw test of coefficients with what is said of all of them.
func (f fittedTable) done(r hypothesis.Result, what string) rawTest {
	r.N = f.model.N
	r.Units = f.table.Clusters
	if r.Assumes == "" {
		r.Assumes = coefficientAssumes
	}
	r.Assumes += fmt.Sprintf(" Covariance: %s, %s.", f.table.Kind, what)
	blocks, noun, few := r.N, "rows", int64(hypothesis.SmallSample)
	if r.Units > 0 {
		blocks, noun, few = r.Units, "clusters", hypothesis.FewClusters
	}
	switch {
	case !math.IsNaN(r.LogP) && len(r.Warnings) == 0 && blocks < few:
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d %s are below %d, so the p-value leans on normal errors", blocks, noun, few))
	case math.IsNaN(r.LogP) && len(r.Warnings) == 0:
		r.Warnings = []string{fmt.Sprintf("%s, with %s and a model of rank %d", noError(r),
			schemas.Counted(blocks, strings.TrimSuffix(noun, "s")), f.model.Rank)}
	}
	return existing(r)
}

// noError says why an estimate has no t test.
func noError(r hypothesis.Result) string {
	switch {
	case !(r.DF > 0):
		return "there are no degrees of freedom"
	case r.StdErr == 0:
		return "the standard error is 0"
	}
	return "there is no standard error"
}

// coefficientAssumes says what the test of one coefficient rests on.
const coefficientAssumes = "t test of a least-squares coefficient: the expectation of the reward is linear in the columns, and the estimate is normal about it; exact for the classical covariance with normal errors, else asymptotic, for arms fixed in advance, or with the action sequence held fixed."
