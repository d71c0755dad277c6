package regression

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/regress"
	"banditaudit/schemas"
)

// Check refuses, before any pass, regressions that cannot be: of
// columns that the log does not have, or of too many. What only the log knows
// could not be judged with the protocol.
func Check(in *publiclog.Log) error {
	var problems schemas.Problems
	for i := range in.Protocol.Analysis.Regressions {
		spec, path := &in.Protocol.Analysis.Regressions[i], fmt.Sprintf("analysis.regressions[%d]", i)
		if missing := unknownColumns(in, spec); len(missing) > 0 {
			problems = append(problems, schemas.Problem{
				File: "protocol", Path: path + ".columns", What: path + ".columns names " + strings.Join(missing, ", "),
				Why: "the log has no such column of context; it has " + listed(in.ContextNames()), Mend: "name columns of the context, or delete the key: all are then read",
			})
		}
		if n := designColumns(in, spec); spec.Arms == schemas.ArmsPooled && n > regress.MaxPooled {
			problems = append(problems, schemas.Problem{
				File: "protocol", Path: path, What: fmt.Sprintf("%s has %s columns, those of %s in %s arms", path, schemas.Grouped(n), schemas.Counted(int64(len(columnsOf(in, spec))), "context column"), schemas.Grouped(int64(in.K()))),
				Why: "a pooled regression has at most " + schemas.Grouped(regress.MaxPooled), Mend: "leave interactions out, name fewer columns, or fit each arm (arms: each)",
			})
		}
	}
	if len(problems) > 0 {
		return problems
	}
	return affordRegressions(in)
}

// unknownColumns lists the columns that a regression names and the log does not have.
func unknownColumns(in *publiclog.Log, spec *schemas.RegressionSpec) []string {
	var out []string
	names := in.ContextNames()
	for _, column := range spec.Columns {
		for _, name := range in.Protocol.Log.Expand(column) {
			if !slices.Contains(names, name) {
				out = append(out, schemas.Named(name))
			}
		}
	}
	return out
}

// manyNames is how many names a message lists.
const manyNames = 8

// listed writes the first of some names.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	var out []string
	for i, name := range names {
		if i == manyNames {
			return strings.Join(out, ", ") + ", …"
		}
		out = append(out, schemas.Named(name))
	}
	return strings.Join(out, ", ")
}

// designColumns is the number of columns of a model, the intercept among them.
func designColumns(in *publiclog.Log, spec *schemas.RegressionSpec) int64 {
	d, k := int64(len(columnsOf(in, spec))), int64(in.K())
	switch {
	case spec.Arms != schemas.ArmsPooled:
		return 1 + d
	case spec.Interactions:
		return k * (1 + d)
	}
	return k + d
}

// affordRegressions refuses what would take more than half of the memory, or
// three quarters with the contexts that bounds on biases hold (heldContexts), in
// triangles of p numbers a side, J workers and K arms:
//
//	K·(1 + 2·J) of the cross-products of the whole context, in the pass over rewards
//	6 + 3·J of each model, in its own passes: the cross-products, the factor, the basis and covariances; and 4·J sums of 32 digits
//
// A worker has its sums and those that were not yet collected.
func affordRegressions(in *publiclog.Log) error {
	specs := in.Protocol.Analysis.Regressions
	if in.Memory <= 0 || len(specs) == 0 {
		return nil
	}
	triangle := func(p int64) float64 { return float64(p) * float64(p+1) / 2 * 8 }
	jobs := float64(max(1, min(in.Jobs, in.Slice.Chunks())))
	need := float64(float64(in.K()) * (1 + float64(2*jobs)) * triangle(int64(len(Columns(in)))+1))
	most, held := 0.0, 0.0
	for i := range specs {
		models := 1.0
		if arms := specs[i].Arms; arms == "" || arms == schemas.SelectEach {
			models = float64(in.K())
		}
		most = max(most, float64(models*(6+float64(7*jobs))*triangle(designColumns(in, &specs[i]))))
		held = max(held, heldContexts(in, &specs[i], jobs))
	}
	share := "half"
	if need += most; need <= float64(in.Memory)/2 {
		if need += held; need <= float64(in.Memory)*3/4 {
			return nil
		}
		share = "three quarters"
	}
	const mib = 1 << 20
	return fmt.Errorf("%w: %s of %s arms on %s with %s take about %.0f MiB, and %s of the %d MiB allowed may be used; raise --max-memory, declare fewer context columns, or run fewer jobs",
		publiclog.ErrMemory, schemas.Counted(int64(len(specs)), "regression"), schemas.Grouped(int64(in.K())), schemas.Counted(int64(publiclog.ContextDim(in.Slice)), "context column"), schemas.Counted(int64(jobs), "job"), need/mib, share, in.Memory/mib)
}

// Bytes that a held context takes for each of its columns, whose values stand in
// an index too, and beside them.
const (
	columnBytes  = 16
	contextBytes = 128
)

// heldContexts returns the memory of the distinct contexts of a regression where biases may
// be bounded. It counts the contexts of all models; for each worker the contexts of a
// chunk, at most one a row; and the coordinates of the contexts of one model.
func heldContexts(in *publiclog.Log, spec *schemas.RegressionSpec, jobs float64) float64 {
	if in.Protocol.Policy == nil {
		return 0
	}
	models, p := 1, int(designColumns(in, spec))
	if spec.Arms != schemas.ArmsPooled {
		models = in.K()
	}
	schema := in.Slice.Schema()
	limit := min(float64(regress.ContextLimit(models, p)), float64(in.Slice.Rows()))
	all := min(limit*float64(models), float64(in.Slice.Rows()))
	part := min(all, float64(schema.BatchRows()))
	return float64((all+float64(jobs*part))*float64(columnBytes*p+contextBytes)) + float64(limit*float64(8*p))
}
