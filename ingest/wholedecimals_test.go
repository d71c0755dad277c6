package ingest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

type integerRow struct {
	Exp    int64   `parquet:"exp"`
	Round  int64   `parquet:"round"`
	Arm    int64   `parquet:"arm"`
	Reward int64   `parquet:"reward"`
	Unit   int64   `parquet:"unit"`
	Batch  int64   `parquet:"batch"`
	Known  int64   `parquet:"known"`
	Age    int64   `parquet:"age"`
	Level  int64   `parquet:"level"`
	Draws  int64   `parquet:"draws"`
	P      float64 `parquet:"p"`
}

// decimalRow is integerRow as SQL engines unload it, in three widths.
type decimalRow struct {
	Exp    int32    `parquet:"exp,decimal(0:9)"`
	Round  int64    `parquet:"round,decimal(0:18)"`
	Arm    [16]byte `parquet:"arm,decimal(0:38)"`
	Reward [16]byte `parquet:"reward,decimal(0:38)"`
	Unit   [16]byte `parquet:"unit,decimal(0:38)"`
	Batch  int32    `parquet:"batch,decimal(0:9)"`
	Known  int64    `parquet:"known,decimal(0:18)"`
	Age    [16]byte `parquet:"age,decimal(0:38)"`
	Level  [16]byte `parquet:"level,decimal(0:38)"`
	Draws  int64    `parquet:"draws,decimal(0:18)"`
	P      float64  `parquet:"p"`
}

// wideOf is a small number as a decimal of 16 bytes.
func wideOf(v int64) [16]byte { return [16]byte{14: byte(v >> 8), 15: byte(v)} }

func wholeProtocol() *schemas.Protocol {
	p := protocol()
	p.Experiment = schemas.ExperimentSpec{Column: "exp"}
	p.Log.Unit, p.Log.Batch, p.Log.RewardOrder = "unit", "batch", "known"
	p.Log.PropensityDraws = &schemas.Draws{Column: "draws"}
	p.Log.Context = schemas.Context{Columns: []schemas.ContextColumn{{Column: "age"}, {Column: "level", Levels: []string{"0", "1", "2"}}}}
	return p
}

// A decimal without digits after the point is, in every role, the whole number that it
// has the value of.
func TestWholeDecimals(t *testing.T) {
	var whole []integerRow
	var decimals []decimalRow
	for i := range int64(60) {
		w := integerRow{i % 2, i / 2, i % 3, i / 3 % 2, i % 12, i / 20, i/2 + 1, 10 + i%7, i % 3, 400, .25}
		whole = append(whole, w)
		decimals = append(decimals, decimalRow{
			int32(w.Exp), w.Round, wideOf(w.Arm), wideOf(w.Reward), wideOf(w.Unit), int32(w.Batch), w.Known, wideOf(w.Age), wideOf(w.Level), w.Draws, w.P,
		})
	}
	dir := t.TempDir()
	one, other := filepath.Join(dir, "whole.parquet"), filepath.Join(dir, "decimals.parquet")
	ingesttest.WriteParquet(t, one, whole)
	ingesttest.WriteParquet(t, other, decimals)
	want, m := taken(t, wholeProtocol(), one)
	got, n := taken(t, wholeProtocol(), other)
	if diff := cmp.Diff(want, got); diff != "" || m.SHA256 != n.SHA256 {
		t.Error("decimals become another tableau:", diff)
	}
	if n.Reward.Type != "int" || !cmp.Equal(n.Arms, []string{"0", "1", "2"}) || len(want) != 2 {
		t.Errorf("rewards are %s, arms %v", n.Reward.Type, n.Arms)
	}
	in, err := Inspect(t.Context(), wholeProtocol(), sourcesOf(t, []string{other}), Options{})
	if err != nil || len(in.Notes) > 0 {
		t.Errorf("%v, notes %v", err, in.Notes)
	}
	for _, c := range in.Columns {
		if decimal := strings.Contains(c.Type(), "decimal"); decimal != strings.HasSuffix(c.Becomes, ", read as whole numbers") {
			t.Errorf("%s, %s, becomes %s", c.Column, c.Type(), c.Becomes)
		}
	}
}

// Type is the type of the column's first files.
func (c InspectedColumn) Type() string { return c.Types[0].Type }

// A decimal of a whole number that float64 does not hold is refused as the integer is.
func TestWholeDecimalsBeyondFloats(t *testing.T) {
	dir := t.TempDir()
	rows := []decimalRow{{Reward: wideOf(1)}, {Round: 1}, {Round: 2, Age: [16]byte{9: 0x20, 15: 1}}, {Round: 4, Age: [16]byte{9: 0x20}}, {Round: 3, Age: [16]byte{6: 1}}}
	for i := range rows {
		rows[i].P, rows[i].Draws, rows[i].Known = .5, 100, 9
	}
	path := filepath.Join(dir, "decimals.parquet")
	ingesttest.WriteParquet(t, path, rows)
	if e := refused(t, wholeProtocol(), fault.RuleNotExact, path); e.Row != 2 || e.Column != "age" || e.Count != 2 {
		t.Errorf("%+v", e)
	}
}
