package ingest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

func TestInspect(t *testing.T) {
	path := ingesttest.Log(t, threeTypes())
	p := typedProtocol()
	p.Log.Propensity, p.Log.Reward = "absent", "ms"
	in, err := Inspect(t.Context(), p, []files.Source{{Path: path, URI: "log.parquet"}}, Options{})
	want := []InspectedColumn{
		{Column: "order", Role: "order", Types: []InspectedType{{"INT64 (int64)", 1, "log.parquet"}}, Becomes: "order key"},
		{Column: "text", Role: "action", Types: []InspectedType{{"BYTE_ARRAY (string)", 1, "log.parquet"}}, Becomes: "arm (numbered in the order of the labels that the log has)"},
	}
	if diff := cmp.Diff(want, in.Columns); diff != "" {
		t.Error(diff)
	}
	if in.Files != 1 || in.Rows != 3 || in.Bytes == 0 || len(in.Partitions) != 0 {
		t.Errorf("got %+v", in)
	}
	_ = ingesttest.WantFault(t, err, fault.RuleColumn)
	_ = ingesttest.WantFault(t, err, fault.RuleType)
	p.Log.Propensity, p.Log.Reward = "", "f64"
	if _, err := Inspect(t.Context(), p, []files.Source{{Path: path, URI: "log.parquet"}}, Options{}); err != nil {
		t.Error(err)
	}
}

// Inspect says which files have which type, and which columns
// of the tableau a context becomes.
func TestInspectGroups(t *testing.T) {
	type late struct {
		At     int64  `parquet:"at,timestamp(millisecond:utc)"`
		Arm    int32  `parquet:"arm"`
		Land   string `parquet:"land"`
		Age    bool   `parquet:"age"`
		Reward *bool  `parquet:"reward,optional"`
	}
	type early struct {
		At     int64    `parquet:"at,timestamp(microsecond:utc)"`
		Arm    string   `parquet:"arm"`
		Reward *float64 `parquet:"reward,optional"`
		Land   string   `parquet:"land"`
		Age    float32  `parquet:"age"`
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("dt=1/a.parquet")), []early{{1, "0", new(0.5), "DE", 1}})
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("dt=1/b.parquet")), []early{{2, "0", nil, "FR", 1}})
	ingesttest.WriteParquet(t, filepath.Join(dir, filepath.FromSlash("dt=2/a.parquet")), []late{{3, 1, "IT", true, nil}})
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"}, Arms: []string{"0", "1"},
		Log: schemas.Log{
			Order: []string{"dt", "at"}, Action: "arm", Reward: "reward", MissingReward: schemas.MissingExclude,
			Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "age"}, {Column: "land", Levels: []string{"DE", "FR", "IT"}, Baseline: new("FR")}, {Column: "dt"}}},
		},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}, OutOfRange: schemas.OutOfRangeClip},
	}
	src := sourcesOf(t, []string{dir})
	in, err := Inspect(t.Context(), p, src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const a, late1 = "dt=1/a.parquet", "dt=2/a.parquet"
	dt := []InspectedType{{"partition of whole numbers", 3, a}}
	want := []InspectedColumn{
		{"dt", "order", dt, "order key 1 of 2"},
		{"at", "order", []InspectedType{{"INT64 (timestamp, microseconds, UTC)", 2, a}, {"INT64 (timestamp, milliseconds, UTC)", 1, late1}}, "order key 2 of 2, all brought to 10^-6 seconds"},
		{"arm", "action", []InspectedType{{"BYTE_ARRAY (string)", 2, a}, {"INT32 (int32)", 1, late1}}, "arm (2: 0, 1)"},
		{"reward", "reward", []InspectedType{{"DOUBLE", 2, a}, {"BOOLEAN", 1, late1}}, "reward (in [0, 1], clipped; null: missing, exclude)"},
		{"age", "context", []InspectedType{{"FLOAT", 2, a}, {"BOOLEAN", 1, late1}}, "x0"},
		{"land", "context", []InspectedType{{"BYTE_ARRAY (string)", 3, a}}, "x1…x2 (DE, IT; baseline FR)"},
		{"dt", "context", dt, "x3"},
	}
	if diff := cmp.Diff(want, in.Columns); diff != "" {
		t.Error(diff)
	}
	if len(in.Notes) != 1 || !strings.Contains(in.Notes[0], `"reward" holds fractions by its type; if every reward is 0 or 1, `) {
		t.Errorf("notes: %q", in.Notes)
	}
	if diff := cmp.Diff([]InspectedPartition{{"dt", "whole numbers", 3, 2, 0}}, in.Partitions); diff != "" {
		t.Error(diff)
	}
}
