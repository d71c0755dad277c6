package ingest

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// wide is a row with lists of chosen lengths.
type wide struct {
	Round  int64       `parquet:"round"`
	Arm    string      `parquet:"arm"`
	Reward float64     `parquet:"reward"`
	List   []float64   `parquet:"list,list"`
	Matrix [][]float64 `parquet:"matrix,list"`
}

func wideProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"}, Arms: []string{"a", "b"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

// The first list that is not empty says how long lists are, be it in the second
// file.
func TestShapeOfFirstList(t *testing.T) {
	dir := t.TempDir()
	empty := wide{Round: 1, Arm: "a", List: []float64{}, Matrix: [][]float64{{}, {}}}
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []wide{empty, empty})
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), []wide{empty, {Round: 2, Arm: "b", List: []float64{1, 2}, Matrix: [][]float64{{1, 2, 3}, {4, 5, 6}}}})
	src := sourcesOf(t, []string{dir})
	for _, tc := range []struct {
		declare func(l *schemas.Log)
		want    shape
	}{
		{func(l *schemas.Log) { l.Context.List = "list" }, shape{2, 1}},
		{func(l *schemas.Log) { l.ContextByArm = "matrix" }, shape{2, 3}},
		{func(l *schemas.Log) { l.ReleasedByArm = "matrix" }, shape{2, 3}},
		{func(l *schemas.Log) { l.ReleasedByArm = "list" }, shape{2, 1}},
		{func(l *schemas.Log) { l.PropensityByArm = "list" }, shape{2, 1}},
	} {
		p := wideProtocol()
		tc.declare(&p.Log)
		l := opened(t, p, src, 1<<30)
		shapes, err := listShapes(l, 2)
		if err != nil || l.faults.Any() {
			t.Fatal(err, l.faults.Err())
		}
		if diff := cmp.Diff(tc.want, shapes[len(shapes)-1], cmp.AllowUnexported(shape{})); diff != "" {
			t.Errorf("%v: %s", p.Log, diff)
		}
	}
}

// Rows with long lists come in fewer at once, and at least one.
func TestRowsPerBlock(t *testing.T) {
	for size, want := range map[int]int{0: cell.BlockRows, 1: cell.BlockRows, 128: cell.BlockRows, 1024: 1024, 1 << 20: 1, 1 << 30: 1} {
		if got := rowsPerBlock([]shape{{size, 1}, {}}); got != want {
			t.Errorf("%d values: %d rows, not %d", size, got, want)
		}
	}
}

// What a tableau cannot hold is said before anything is read of it.
func TestShapeTooWide(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.parquet")
	long := make([]float64, maxListed+1)
	ingesttest.WriteParquet(t, path, []wide{{Round: 1, Arm: "a", List: long[:maxContext+1], Matrix: [][]float64{long[:maxListed/2+1], long[:maxListed/2+1]}}})
	p := wideProtocol()
	p.Log.ContextByArm = "matrix"
	_, _, err := ingestAll(t, p, Options{}, path)
	if e := ingesttest.WantFault(t, err, fault.RuleListLength); e.Column != "matrix" {
		t.Error(e)
	}
	p = wideProtocol()
	p.Log.Context.List = "list"
	_ = refused(t, p, fault.RuleListLength, path)
	l := &logFiles{wants: []role.Want{{Name: "x"}}, budget: pages.NewBudget(1 << 20)}
	if err := bookShapes(l, []shape{{1 << 14, 8}}); !errors.Is(err, fault.ErrResource) {
		t.Errorf("got %v", err)
	}
}
