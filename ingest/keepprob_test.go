package ingest

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// keptRow is a row that was kept with a probability of its own.
type keptRow[T any] struct {
	Round    int64   `parquet:"round"`
	Arm      string  `parquet:"arm"`
	Reward   float64 `parquet:"reward"`
	KeepProb T       `parquet:"o"`
}

func keptRows[T any](o ...T) func(t *testing.T, path string) {
	rows := make([]keptRow[T], len(o))
	for i := range o {
		rows[i] = keptRow[T]{Round: int64(len(o) - i), Arm: "a", KeepProb: o[i]}
	}
	return func(t *testing.T, path string) {
		t.Helper()
		ingesttest.WriteParquet(t, path, rows)
	}
}

// A probability of being kept goes with its row into the order of rounds; what is none
// names file, row, column and the mend.
func TestKeepProb(t *testing.T) {
	t.Parallel()
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "e"}, Arms: []string{"a", "b"}, Reward: schemas.RewardSpec{Range: []float64{0, 1}},
		Log: schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward", KeepProb: &schemas.KeepProb{Column: "o"}},
	}
	for name, c := range map[string]struct {
		log  func(t *testing.T, path string)
		want []float64
		rule string
		says string
	}{
		"numbers":     {keptRows(1, .5, .25), []float64{.25, .5, 1}, "", ""},
		"whole ones":  {keptRows[int64](1, 1), []float64{1, 1}, "", ""},
		"zero":        {keptRows(.5, 0), nil, fault.RuleKeepProb, "outside (0, 1]"},
		"above 1":     {keptRows(.5, 1.5), nil, fault.RuleKeepProb, "outside (0, 1]"},
		"negative":    {keptRows(.5, -.5), nil, fault.RuleKeepProb, "outside (0, 1]"},
		"no number":   {keptRows(.5, math.NaN()), nil, fault.RuleNotFinite, "NaN or an infinity"},
		"null":        {keptRows(new(.5), nil), nil, fault.RuleNull, "a null in the column of keep_prob"},
		"another way": {keptRows("a", "b"), nil, fault.RuleType, "a number, one per row"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log.parquet")
			c.log(t, path)
			got, m, err := ingestAll(t, p, Options{}, path)
			if c.rule == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got[0].KeepProb); diff != "" || m.Columns[len(m.Columns)-1].Role != schemas.KeyKeepProb {
					t.Errorf("%s, %+v", diff, m.Columns)
				}
				return
			}
			e := ingesttest.WantFault(t, err, c.rule)
			if !strings.Contains(err.Error(), c.says) || e.Column != "o" || e.Mend == "" || c.rule != fault.RuleType && e.Row != 1 {
				t.Errorf("%v", err)
			}
		})
	}
}
