package guess

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/ingesttest"
)

// listedArms is a row of a log whose lists are in an order of their own.
type listedArms struct {
	Round int64     `parquet:"round"`
	Arm   string    `parquet:"arm"`
	Y     bool      `parquet:"reward"`
	P     float64   `parquet:"propensity"`
	Probs []float64 `parquet:"probs,list"`
	Mask  []bool    `parquet:"allowed_mask,list"`
}

// listOrder is the order of the lists: not that of the sorted labels.
func listOrder() []string { return []string{"zero", "two", "one"} }

// listedLog is a log of n rows whose propensities come from propensities.
func listedLog(n int, propensities func(row int) []float64) []listedArms {
	rows := make([]listedArms, n)
	for i := range rows {
		probs := propensities(i)
		k := i % 3
		rows[i] = listedArms{Round: int64(i), Arm: listOrder()[k], Y: i%2 == 0, P: probs[k], Probs: probs, Mask: []bool{true, true, true}}
	}
	return rows
}

func uneven(int) []float64 { return []float64{0.5, 0.3, 0.2} }

// The order of the arms is told by propensities that agree under one order alone.
func TestGuessArmOrder(t *testing.T) {
	sorted := []string{"one", "two", "zero"}
	for name, tc := range map[string]struct {
		rows []listedArms
		want []string // nil: not told
	}{
		"all differ":  {listedLog(300, uneven), listOrder()},
		"it turns":    {listedLog(300, func(i int) []float64 { return [][]float64{{0.5, 0.25, 0.25}, {0.25, 0.25, 0.5}}[i/3%2] }), listOrder()},
		"two alike":   {listedLog(300, func(int) []float64 { return []float64{0.5, 0.25, 0.25} }), nil},
		"all alike":   {listedLog(300, func(int) []float64 { return []float64{0.375, 0.375, 0.375} }), nil},
		"longer list": {listedLog(300, func(int) []float64 { return []float64{0.4, 0.3, 0.2, 0.1} }), nil},
		"one row says otherwise": {func() []listedArms {
			rows := listedLog(300, uneven)
			rows[299].P = 0.25
			return rows
		}(), nil},
	} {
		path := ingesttest.Log(t, tc.rows)
		d := guessed(t, path)
		want, told := tc.want, tc.want != nil
		if !told {
			want = sorted
		}
		if diff := cmp.Diff(want, d.Arms); diff != "" || (d.ArmOrder.Column == "probs") != told || strings.Contains(d.ArmOrder.Why, "the lists in probs") != told {
			t.Errorf("%s: %+v, %s", name, d.ArmOrder, diff)
		}
		for name, byArm := range map[string]bool{"probs": true, "allowed_mask": true, "reward": false, "propensity": false} {
			if c := column(t, d, name); c.ByArm != byArm && c.Role != "" {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// Files of the log may lack the lists, and rows their propensity.
func TestGuessArmOrderOfSomeFiles(t *testing.T) {
	type without struct {
		Round int64  `parquet:"round"`
		Arm   string `parquet:"arm"`
		Y     bool   `parquet:"reward"`
	}
	dir := t.TempDir()
	var rest []without
	for i := range 300 {
		rest = append(rest, without{int64(i), listOrder()[i%3], true})
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), rest)
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), listedLog(300, uneven))
	ingesttest.WriteParquet(t, filepath.Join(dir, "c.parquet"), rest)
	if d := guessed(t, dir); cmp.Diff(listOrder(), d.Arms) != "" {
		t.Errorf("%v: %+v", d.Arms, d.ArmOrder)
	}
	type whole struct {
		Round int64   `parquet:"round"`
		Arm   string  `parquet:"arm"`
		Y     bool    `parquet:"reward"`
		P     float64 `parquet:"propensity"`
		Probs []int64 `parquet:"probs,list"`
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "d.parquet"), []whole{{300, "zero", true, 1, []int64{1, 0, 0}}})
	if d := guessed(t, dir); d.ArmOrder.Column != "" {
		t.Errorf("of a type that is not compared: %+v", d.ArmOrder)
	}
}
