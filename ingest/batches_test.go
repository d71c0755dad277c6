package ingest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// dated is a row of a batch.
type dated struct {
	Exp    string  `parquet:"exp"`
	Step   int32   `parquet:"step"`
	Arm    string  `parquet:"arm"`
	Reward float64 `parquet:"reward"`
	Day    string  `parquet:"day"`
}

func datedProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "exp"},
		Log:    schemas.Log{Order: []string{"step"}, Action: "arm", Reward: "reward", Batch: "day"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a"},
	}
}

// datedRows are rows of experiments whose days are the letters given.
func datedRows(days ...string) []dated {
	var rows []dated
	for e, letters := range days {
		for i, day := range letters {
			rows = append(rows, dated{Exp: string(rune('e' + e)), Step: int32(i), Arm: "a", Day: string(day)})
		}
	}
	return rows
}

// Batches are numbered from 0 in every experiment in the order of its rounds,
// whatever their labels and the order of the rows.
func TestBatchesAreNumbered(t *testing.T) {
	rows := datedRows("zzaam", "aaz", "m")
	for _, reversed := range []bool{false, true} {
		if reversed {
			for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
				rows[i], rows[j] = rows[j], rows[i]
			}
		}
		path := ingesttest.Log(t, rows)
		got, m := taken(t, datedProtocol(), path)
		for e, want := range [][]int32{{0, 0, 1, 1, 2}, {0, 0, 1}, {0}} {
			if diff := cmp.Diff(want, got[e].Batch); diff != "" {
				t.Error(diff)
			}
			if n := m.Experiments[e].Batches; n != int64(want[len(want)-1])+1 {
				t.Errorf("%d batches of experiment %d", n, e)
			}
		}
	}
}

// A batch that is left and come back to is refused, with its label and both
// rows; in another experiment it may come again.
func TestBatchThatReturns(t *testing.T) {
	for _, shuffled := range []bool{false, true} {
		rows := datedRows("aabb", "aabacb")
		before, back := int64(5), int64(7)
		if shuffled {
			rows[5], rows[9] = rows[9], rows[5]
			before = 9
		}
		path := ingesttest.Log(t, rows)
		e := refused(t, datedProtocol(), fault.RuleBatch, path)
		if diff := cmp.Diff([]fault.Place{{File: "log.parquet", RowGroup: 0, Row: before}, {File: "log.parquet", RowGroup: 0, Row: back}}, e.Places); diff != "" {
			t.Errorf("shuffled %v: %s", shuffled, diff)
		}
		if e.Row != back || e.Count != 2 || !strings.Contains(e.What, `"a"`) || !strings.Contains(e.Error(), "2 rows in all") {
			t.Errorf("got %v", e)
		}
	}
}

// Batches that return are reported beside other faults.
func TestBatchThatReturnsBesideOthers(t *testing.T) {
	for _, shuffled := range []bool{false, true} {
		rows := datedRows("aba")
		rows[1].Arm = "unknown"
		if shuffled {
			rows[0], rows[1] = rows[1], rows[0]
		}
		path := ingesttest.Log(t, rows)
		_, _, err := ingestAll(t, datedProtocol(), Options{}, path)
		_ = ingesttest.WantFault(t, err, fault.RuleBatch)
		_ = ingesttest.WantFault(t, err, fault.RuleArm)
	}
}
