package fit

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"banditaudit/analyze/facts"
	"banditaudit/analyze/regress"
	"banditaudit/analyze/rewards"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// nothing is a book that books nothing.
type nothing struct{}

func (nothing) Release(string, int64) error            { return nil }
func (nothing) Disclose(string, int64, []string) error { return nil }

// rowsOf is a log of so many rows of two arms with one covariate.
func rowsOf(t *testing.T, rows int) *tableau.Slice {
	t.Helper()
	b := &tableau.Batch{Experiment: make([]int32, rows), Reward: make([]float64, rows), X: [][]float64{make([]float64, rows)}}
	for i := range rows {
		b.Round, b.Arm = append(b.Round, int64(i+1)), append(b.Arm, int32(i%2))
		b.X[0][i] = float64(i % 7)
	}
	schema := tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, ContextDim: 1, Experiments: []tableau.Range{{ID: "shop", Rows: int64(rows)}}}
	name := filepath.Join(t.TempDir(), "rounds.arrow")
	w, err := tableau.NewWriter(name, schema)
	if err == nil {
		err = w.Append(b)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	tab, err := tableau.Open(name, schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tab.Close() })
	return tab.Slice(0)
}

// A refit ends within a chunk when it is cancelled.
func TestRefitIsCancelled(t *testing.T) {
	in := &facts.Log{Manifest: &schemas.Manifest{Arms: []string{"a", "b"}}, Slice: rowsOf(t, 300)}
	f := &Fits{Subject: &Subject{Sample: &rewards.Sample{Facts: &facts.Facts{Log: in}}}}
	read, err := in.Slice.Disclose(nothing{}, "regression:main")
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
