package tableau

import "testing"

// Every unit has one first row, which no row of it goes before, however rows are
// cut into chunks.
func TestFirsts(t *testing.T) {
	s, b := sampleAll(0, 3, 70000, 1, 30001)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	for e, rng := range s.Experiments {
		slice := tab.Slice(e)
		firsts, met := slice.Firsts(), map[int64]bool{}
		for i := range slice.Chunks() {
			c := slice.Chunk(i)
			for row, first := range firsts.Next(&c) {
				if unit := c.Unit[row]; first == met[unit] {
					t.Fatalf("experiment %d, row %d of unit %d: first is %t", e, c.Start+int64(row), unit, first)
				}
				met[c.Unit[row]] = true
			}
		}
		if n := firsts.Count(); n != slice.UnitCount() || n != int64(len(met)) {
			t.Errorf("experiment %d of %d rows: %d units, want %d", e, rng.Rows, n, slice.UnitCount())
		}
	}
	plain, rows := sampleAll(0, 3)
	plain.Unit, rows.Unit = false, nil
	path, _ = write(t, plain, rows)
	without := open(t, path, plain)
	defer func() {
		if recover() != errNoUnits {
			t.Error("units that are not there have firsts")
		}
	}()
	without.Slice(0).Firsts()
}
