package regression

import (
	"context"
	"errors"
	"slices"
	"testing"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/regress"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// rowsOf is a log of so many rows of two arms with one covariate.
func rowsOf(t *testing.T, rows int) *tableau.Slice {
	t.Helper()
	b := &tableau.Batch{Experiment: make([]int32, rows), Reward: make([]float64, rows), X: [][]float64{make([]float64, rows)}}
	for i := range rows {
		b.Round, b.Arm = append(b.Round, int64(i+1)), append(b.Arm, int32(i%2))
		b.X[0][i] = float64(i % 7)
	}
	schema := tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, ContextDim: 1, Experiments: []tableau.Range{{ID: "shop", Rows: int64(rows)}}}
	return ingesttest.Tableau(t, schema, b).Slice(0)
}

// A refit ends within a chunk when it is cancelled.
func TestRefitIsCancelled(t *testing.T) {
	in := &publiclog.Log{Manifest: &schemas.Manifest{Arms: []string{"a", "b"}}, Slice: rowsOf(t, 300)}
	f := &Fits{facts: &publiclog.Facts{Log: in}}
	read, err := in.Slice.Disclose(&ledger.Disclosures{}, "regression:main")
	if err != nil {
		t.Fatal(err)
	}
	r := &Regression{Spec: &schemas.RegressionSpec{Name: "main", Arms: "each"}, rewards: read, columns: []int{0}, Models: make([]*regress.Model, 2)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.refitChunk(ctx, r, make([]*regress.Refit, 2), 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if part, err := f.refitChunk(t.Context(), r, make([]*regress.Refit, 2), 0); err != nil || slices.ContainsFunc(part, func(r *regress.Refit) bool { return r != nil }) {
		t.Error(err)
	}
}
