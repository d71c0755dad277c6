package ingest

import (
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/extsort"
)

// Values come back in the order of the rows, however they were added; rows that
// have none get 0, and blocks may leave rows out.
func TestByRow(t *testing.T) {
	for _, memory := range []int64{0, 1 << 20} {
		const rows = 20_000
		b := &byRow{log: &logFiles{rows: rows}, sorter: extsort.New(extsort.Config{Dir: t.TempDir(), Memory: memory}), width: 2}
		for _, row := range rand.New(rand.NewPCG(1, 1)).Perm(rows) {
			if row%10 == 3 {
				continue
			}
			if err := b.add(int64(row), int64(row)*7); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.sort(); err != nil {
			t.Fatal(err)
		}
		var dst []int64
		for first := int64(0); first < rows; first += 1500 {
			var err error
			if dst, err = b.fill(dst, first, 1000); err != nil {
				t.Fatal(err)
			}
			for i, got := range dst {
				row := first + int64(i)
				want := row * 7
				if row%10 == 3 || row >= rows {
					want = 0
				}
				if got != want {
					t.Fatalf("row %d has %d, not %d", row, got, want)
				}
			}
		}
		b.close()
	}
	var none *byRow
	none.close()
}

// After a fault of the first pass there are no values.
func TestByRowWithoutSort(t *testing.T) {
	b := &byRow{log: &logFiles{rows: 3}, sorter: extsort.New(extsort.Config{}), width: 1}
	defer b.close()
	if dst, err := b.fill([]int64{7, 7, 7}, 0, 3); err != nil || dst[0]+dst[1]+dst[2] != 0 {
		t.Errorf("got %v, %v", dst, err)
	}
}
