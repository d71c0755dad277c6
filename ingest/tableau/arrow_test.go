package tableau

import (
	"os"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// Arrow's own reader, which checks what it reads, is the oracle for every
// column: the same values, no nulls, and lists of fixed size.
func TestArrowReadsEveryColumn(t *testing.T) {
	s, b := sampleAll(2, 3, 33000, 17)
	path, _ := write(t, s, b)
	got := readArrow(t, path)
	for name, want := range map[string]any{
		"experiment": b.Experiment, "round": b.Round, "arm": b.Arm, "reward": b.Reward, "propensity": b.Propensity, "x0": b.X[0], "x1": b.X[1],
		"context_by_arm": b.ContextByArm, "propensity_by_arm": b.PropensityByArm, "released_by_arm": b.ReleasedByArm, "reward_by_arm": b.RewardByArm,
		"eligible": b.Eligible, "batch": b.Batch, "unit": b.Unit, "reward_round": b.RewardRound, "reward_before": b.RewardBefore, "time": b.Time, "propensity_draws": b.Draws, "targets": b.Targets, "position": b.Position,
	} {
		if !equalColumns(got[name], want) {
			t.Errorf("column %s is another", name)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("%d columns too many", len(got))
	}
}

func TestArrowReadsUnits(t *testing.T) {
	s, b := sampleAll(0, 3, 70000)
	path, _ := writeUnits(t, s, b)
	unit, row := unitOrderOf(&s, &b)
	got := readArrow(t, path)
	if !equalColumns(got["unit"], unit) || !equalColumns(got["row"], row) || len(got) != 2 {
		t.Error("other units or rows")
	}
}

func equalColumns(got, want any) bool {
	switch want := want.(type) {
	case []int32:
		v, ok := got.([]int32)
		return ok && slices.Equal(v, want)
	case []int64:
		v, ok := got.([]int64)
		return ok && slices.Equal(v, want)
	case []bool:
		v, ok := got.([]bool)
		return ok && slices.Equal(v, want)
	case []float64:
		v, ok := got.([]float64)
		return ok && slices.EqualFunc(v, want, same)
	}
	return false
}

// readArrow reads the values of every column with Arrow's reader.
func readArrow(t *testing.T, path string) map[string]any {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := ipc.NewFileReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	columns := map[string]any{}
	for i := range r.NumRecords() {
		rec, err := r.Record(i)
		if err != nil {
			t.Fatal(err)
		}
		for c, f := range r.Schema().Fields() {
			if f.Nullable || rec.Column(c).NullN() > 0 {
				t.Errorf("column %s may be null", f.Name)
			}
			columns[f.Name] = appendValues(t, columns[f.Name], rec.Column(c))
		}
	}
	return columns
}

func appendValues(t *testing.T, to any, values arrow.Array) any {
	t.Helper()
	switch a := values.(type) {
	case *array.FixedSizeList:
		if a.DataType().(*arrow.FixedSizeListType).ElemField().Nullable {
			t.Error("an item of a list may be null")
		}
		return appendValues(t, to, a.ListValues())
	case *array.Int32:
		v, _ := to.([]int32)
		return append(v, a.Int32Values()...)
	case *array.Int64:
		v, _ := to.([]int64)
		return append(v, a.Int64Values()...)
	case *array.Float64:
		v, _ := to.([]float64)
		return append(v, a.Float64Values()...)
	case *array.Boolean:
		v, _ := to.([]bool)
		for i := range a.Len() {
			v = append(v, a.Value(i))
		}
		return v
	}
	t.Fatalf("a column of type %v", values.DataType())
	return nil
}
