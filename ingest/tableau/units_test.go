package tableau

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestUnitsComeInOrder(t *testing.T) {
	s, b := sampleAll(0, 3, 70000, 1, 30001)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	units, digest := writeUnits(t, s, b)
	if err := tab.OpenUnits(units); err != nil {
		t.Fatal(err)
	}
	if got, err := tab.UnitsDigest(); err != nil || got != digest {
		t.Errorf("digest %q, %v; the writer's was %q", got, err, digest)
	}
	wantUnit, wantRow := unitOrderOf(&s, &b)
	at := 0
	for e, rng := range s.Experiments {
		slice := tab.Slice(e)
		if !slice.HasUnits() {
			t.Fatal("no units")
		}
		seen := int64(0)
		for c := range slice.Units() {
			for i, u := range c.Unit {
				if u != wantUnit[at] || c.Row[i]+rng.Offset != wantRow[at] {
					t.Fatalf("row %d: unit %d, row %d", at, u, c.Row[i])
				}
				chunk, j := slice.Locate(c.Row[i])
				if got := slice.Chunk(chunk).Unit[j]; i < 50 && got != u {
					t.Fatalf("row %d of experiment %d is of unit %d, not %d", c.Row[i], e, got, u)
				}
				at++
				seen++
			}
		}
		if seen != rng.Rows {
			t.Errorf("%d rows of %d", seen, rng.Rows)
		}
		for c := range slice.Units() { // one may stop early
			if len(c.Row) == 0 {
				t.Error("an empty chunk")
			}
			break
		}
	}
}

func TestOpenUnitsChecksValues(t *testing.T) {
	s, b := sampleAll(0, 10, 5)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	for name, tc := range map[string]struct {
		spoil func(unit, row []int64)
		says  string
	}{
		"row twice":               {func(_, row []int64) { row[1] = row[0] }, "row 1: unit 0, row 0 of the tableau after unit 0, row 0"},
		"row of another":          {func(_, row []int64) { row[0] = 12 }, "row 0: row 12 of the tableau is not of experiment 0"},
		"row before":              {func(_, row []int64) { row[10] = 9 }, "row 10: row 9 of the tableau is not of experiment 1"},
		"row beyond":              {func(_, row []int64) { row[14] = 15 }, "row 14: row 15 of the tableau"},
		"negative row":            {func(_, row []int64) { row[0] = -1 }, "row 0: row -1"},
		"least row":               {func(_, row []int64) { row[0] = math.MinInt64 }, "row 0: row -9223372036854775808"},
		"largest row":             {func(_, row []int64) { row[14] = math.MaxInt64 }, "row 14: row 9223372036854775807"},
		"out of order":            {func(_, row []int64) { row[0], row[1] = row[1], row[0] }, "row 1: unit 0, row 0"},
		"another unit":            {func(unit, _ []int64) { unit[14] = 4 }, "row 14: unit 4 for row"},
		"units backwards":         {func(unit, _ []int64) { unit[9] = 0 }, "row 9: unit 0, row"},
		"negative unit":           {func(unit, _ []int64) { unit[0] = -1 }, "row 0: unit -1"},
		"row of another unit":     {func(_, row []int64) { row[2] = 9 }, "row 2: unit 0 for row 9 of the tableau, which has unit 3"},
		"first of an experiment":  {func(unit, _ []int64) { unit[10] = 1 }, "row 10: unit 1 for row 10 of the tableau, which has unit 0"},
		"nothing that is spoiled": {func(_, _ []int64) {}, ""},
	} {
		unit, row := unitOrderOf(&s, &b)
		tc.spoil(unit, row)
		err := openUnits(t, tab, unit, row)
		switch {
		case tc.says == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case tc.says != "" && (!errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says)):
			t.Errorf("%s: got %v, which should say %q", name, err, tc.says)
		}
	}
	unit, row := unitOrderOf(&s, &b)
	if err := openUnits(t, tab, unit[:14], row[:14]); err == nil || !strings.Contains(err.Error(), "14 rows where the manifest says 15") {
		t.Errorf("a row less: %v", err)
	}
}

// openUnits writes units and opens them beside tab, which has none after.
func openUnits(t *testing.T, tab *Tableau, unit, row []int64) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "units.arrow")
	w, err := NewUnitsWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range unit { // row by row, since it must not matter
		if err = w.Append(unit[i:i+1], row[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err = w.Close(); err != nil {
		t.Fatal(err)
	}
	if err = tab.OpenUnits(path); err != nil {
		return err
	}
	err = tab.units.close()
	tab.units, tab.byUnit = nil, nil
	return err
}

func TestOpenUnitsSpecialCases(t *testing.T) {
	s, b := sampleAll(0, 4)
	path, _ := write(t, s, b)
	units, _ := writeUnits(t, s, b)
	tab := open(t, path, s)
	if _, err := tab.UnitsDigest(); err == nil {
		t.Error("a digest of no file")
	}
	if err := tab.OpenUnits(path); !errors.Is(err, ErrDamaged) {
		t.Errorf("another file: %v", err)
	}
	if err := tab.OpenUnits(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := tab.OpenUnits(units); err != nil {
		t.Error(err)
	}
	if err := tab.OpenUnits(units); err == nil {
		t.Error("opened twice")
	}
	plain, rows := sample(false, 0, 4)
	path, _ = write(t, plain, rows)
	other := open(t, path, plain)
	if err := other.OpenUnits(units); err == nil {
		t.Error("units of a tableau without")
	}
	defer func() {
		if p := recover(); p != errNoUnits {
			t.Errorf("units that were not opened: %v", p)
		}
	}()
	other.Slice(0).Units()
}

func TestUnitsWriterRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "units.arrow")
	w, err := NewUnitsWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append([]int64{1, 2}, []int64{1}); err == nil {
		t.Error("columns of different lengths were taken")
	}
	if err := w.Append([]int64{1}, []int64{1}); err == nil {
		t.Error("rows were taken after an error")
	}
	if _, err := w.Close(); err == nil {
		t.Error("Close said nothing")
	}
	if err := w.Discard(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
}

// Density is checked however many units there are: bits are set and looked for
// at every place of a word.
func TestFirstUnset(t *testing.T) {
	for _, n := range []int64{1, 63, 64, 65, 128, 200} {
		full := slices.Repeat([]uint64{math.MaxUint64}, int(n+63)/64)
		if n%64 != 0 {
			full[n/64] = 1<<(n%64) - 1
		}
		if got := firstUnset(full, n); got != n {
			t.Errorf("%d bits: %d is not set", n, got)
		}
		for hole := range n {
			bits := clone(full)
			bits[hole/64] &^= 1 << (hole % 64)
			if got := firstUnset(bits, n); got != hole {
				t.Errorf("%d bits: %d is not set, not %d", n, got, hole)
			}
		}
	}
}

// However few units are looked for at once, the same are missing.
func TestCountUnitsInWindows(t *testing.T) {
	s, b := sampleAll(0, 200, 300)
	for row := range b.Unit {
		b.Unit[row] = int64(row) * 7 % 150 // from row 200 on, every one occurs at least twice
	}
	for row := range 200 {
		b.Unit[row] = int64(row) * 7 % 200
	}
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	for _, window := range []int64{1, 63, 64, 65, 149, 150, 1000} {
		clear(tab.counts)
		if err := tab.countUnits(window); err != nil || tab.Slice(0).UnitCount() != 200 || tab.Slice(1).UnitCount() != 150 {
			t.Errorf("%d at once: %v, %d and %d units", window, err, tab.Slice(0).UnitCount(), tab.Slice(1).UnitCount())
		}
	}
	b.Unit[7], b.Unit[107] = 0, 0 // were 49 and 149
	path, _ = write(t, s, b)
	tab = newTableau(inMemory(readFile(t, path)), s)
	if err := tab.load(); !errors.Is(err, ErrDamaged) {
		t.Fatal(err)
	}
	for _, window := range []int64{1, 63, 64, 65, 149, 150, 1000} {
		if err := tab.countUnits(window); err == nil || !strings.Contains(err.Error(), "unit 49 does not occur, but unit 199 does") {
			t.Errorf("%d at once: %v", window, err)
		}
	}
}

func BenchmarkOpenUnits(b *testing.B) {
	const rows = 1 << 20
	s, batch := sampleAll(0, rows)
	for i := range batch.Unit {
		batch.Unit[i] = int64(i) * 7919 % (rows / 8)
	}
	path, _ := write(b, s, batch)
	units, _ := writeUnits(b, s, batch)
	tab := open(b, path, s)
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			if err := tab.countUnits(unitWindow); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
	})
	b.Run("order", func(b *testing.B) {
		for b.Loop() {
			if err := tab.OpenUnits(units); err != nil {
				b.Fatal(err)
			}
			if err := tab.units.close(); err != nil {
				b.Fatal(err)
			}
			tab.units, tab.byUnit = nil, nil
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
	})
}
